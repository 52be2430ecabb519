import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { served, type Value } from "../read/support.ts"

const files = {
  "src/core.ts": `import { helper } from "./helper.ts"

/** Doubles. */
export function double(n: number): number {
  return helper(n) * 2
}

export class Box {
  size = 1
  grow(by: number) {
    const local = by
    this.size += local
  }
  shrink() {
    this.size = 0
  }
}
`,
  "src/helper.ts": `export function helper(n: number): number {
  return n
}
export function gone() {
  return 1
}
`,
  "src/app.ts": `import { double } from "./core.ts"
export const run = () => double(2)
`,
  "src/dead.ts": `export function dead() {}
export class Grave { lie() {} }
`,
  "test/core.test.ts": `import { test } from "vitest"
import { double } from "../src/core.ts"
test("doubles", () => { double(1) })
`,
  "README.md": "# Title\n\ntext\n"
}
const git = { git: true }
const idsOf = (rows: ReadonlyArray<Value>) => rows.map((row) => `${row["change"]} ${row["id"]}`)

describe("change.detect", () => {
  it.scoped("maps changed lines to the innermost definitions others can know of", () =>
    Effect.gen(function* () {
      const at = yield* served(files, git)
      at.write(
        "src/core.ts",
        files["src/core.ts"]
          .replace("helper(n) * 2", "helper(n) * 3")
          .replace("this.size += local", "this.size += local * 2")
      )
      const value = yield* at.call("change", { operation: "detect" })
      assert.deepStrictEqual(idsOf(value["changed_symbols"]), [
        "modified src/core.ts::double",
        "modified src/core.ts::Box.grow"
      ])
      assert.deepStrictEqual(value["changed_files"], ["src/core.ts"])
      assert.deepStrictEqual(value["file_changes"], [{ path: "src/core.ts", change_kind: "modified" }])
      assert.strictEqual(value["complete"], true)
      assert.strictEqual(value["scope"], "unstaged")
      assert.deepStrictEqual(value["by_depth_counts"], { 1: 2, 2: 0, 3: 0 })
      assert.sameMembers(
        value["by_depth"]["1"].map((row: Value) => row["id"]),
        ["src/app.ts::run", "test/core.test.ts::doubles"]
      )
      assert.deepStrictEqual(value["test_files"], ["test/core.test.ts"])
      assert.deepStrictEqual(value["follow_up"], {
        follow_up_kind: "mechanically_followable",
        tool: "change",
        arguments: {
          operation: "tests",
          target: { symbols: ["src/core.ts::double", "src/core.ts::Box.grow"] }
        }
      })
    })
  )

  it.scoped("tells added, deleted and re-declared definitions, and says which headers changed", () =>
    Effect.gen(function* () {
      const at = yield* served(files, git)
      at.write(
        "src/helper.ts",
        "export function helper(n: number, m: number): number {\n  return n\n}\nexport function fresh() {}\n"
      )
      at.remove("src/dead.ts")
      at.write("src/new.ts", "export function brand() {}\nexport class New { member() {} }\n")
      const value = yield* at.call("change", { operation: "detect", source: { base: "HEAD" } })
      assert.deepStrictEqual(idsOf(value["changed_symbols"]), [
        "deleted src/dead.ts::dead",
        "deleted src/dead.ts::Grave",
        "modified src/helper.ts::helper",
        "deleted src/helper.ts::gone",
        "added src/helper.ts::fresh",
        "added src/new.ts::brand",
        "added src/new.ts::New"
      ])
      const helper = value["changed_symbols"].find((row: Value) => row["name"] === "helper")
      assert.strictEqual(helper.previous_signature, "export function helper(n: number): number")
      assert.strictEqual(helper.signature, "export function helper(n: number, m: number): number")
      assert.deepStrictEqual(value["file_changes"], [
        { path: "src/dead.ts", change_kind: "deleted" },
        { path: "src/helper.ts", change_kind: "modified" },
        { path: "src/new.ts", change_kind: "untracked" }
      ])
      assert.strictEqual(value["scope"], "compare")
      assert.strictEqual(value["deleted_symbols_not_followed"], 3)
      assert.strictEqual(value["follow_up"].follow_up_kind, "fallback_recovery")
      assert.notInclude(value["follow_up"].arguments.target.symbols, "src/dead.ts::dead")
    })
  )

  it.scoped("reads the staged side from the index, wherever the work tree's lines are by now", () =>
    Effect.gen(function* () {
      const at = yield* served(files, git)
      at.write("src/core.ts", files["src/core.ts"].replace("this.size = 0", "this.size = 5"))
      at.folder.git("", "add", "-A")
      at.write(
        "src/core.ts",
        `// pushed\n// down\n// by\n// some\n// lines\n${files["src/core.ts"].replace("this.size = 0", "this.size = 5").replace("* 2", "* 7")}`
      )
      const staged = yield* at.call("change", { operation: "detect", source: { scope: "staged" } })
      assert.deepStrictEqual(idsOf(staged["changed_symbols"]), ["modified src/core.ts::Box.shrink"])
      assert.strictEqual(staged["complete"], true)
      const unstaged = yield* at.call("change", { operation: "detect", source: { scope: "unstaged" } })
      assert.deepStrictEqual(idsOf(unstaged["changed_symbols"]), ["modified src/core.ts::double"])
      const all = yield* at.call("change", { operation: "detect", source: { scope: "all" } })
      assert.deepStrictEqual(idsOf(all["changed_symbols"]), [
        "modified src/core.ts::double",
        "modified src/core.ts::Box.shrink"
      ])
    })
  )

  it.scoped("counts a file's own code, and neither imports nor remarks, as its top level", () =>
    Effect.gen(function* () {
      const at = yield* served(files, git)
      at.write("src/app.ts", `${files["src/app.ts"]}run()\n`)
      at.write("src/helper.ts", `// a remark\nimport "./dead.ts"\n\n${files["src/helper.ts"]}`)
      const value = yield* at.call("change", { operation: "detect" })
      assert.deepStrictEqual(idsOf(value["changed_symbols"]), ["top_level src/app.ts"])
      assert.deepStrictEqual(value["changed_files"], ["src/app.ts", "src/helper.ts"])
    })
  )

  it.scoped("words a clean tree, and files without symbols, apart; a rename is one even without lines", () =>
    Effect.gen(function* () {
      const at = yield* served(files, git)
      const clean = yield* at.call("change", { operation: "detect" })
      assert.strictEqual(clean["summary"], "no file differs")
      assert.deepStrictEqual(
        [clean["changed_symbols"], clean["changed_files"], clean["file_changes"]],
        [[], [], []]
      )
      assert.isUndefined(clean["follow_up"])
      at.write("notes.txt", "hello\n")
      const text = yield* at.call("change", { operation: "detect" })
      assert.strictEqual(text["summary"], "1 files differ, and no symbol of the index changed")
      at.remove("notes.txt")
      at.folder.git("", "mv", "src/helper.ts", "src/aid.ts")
      const moved = yield* at.call("change", { operation: "detect", source: { scope: "all" } })
      assert.deepStrictEqual(moved["file_changes"], [
        { path: "src/aid.ts", change_kind: "renamed", previous_path: "src/helper.ts" }
      ])
      assert.deepStrictEqual(idsOf(moved["changed_symbols"]), ["renamed src/aid.ts"])
    })
  )

  it.scoped("names what it cannot know, and offers no call that needs it", () =>
    Effect.gen(function* () {
      const at = yield* served(files, git)
      at.folder.git("", "checkout", "-q", "-b", "side")
      at.write("src/helper.ts", files["src/helper.ts"].replace("return 1", "return 2"))
      at.folder.commit("", "side")
      at.folder.git("", "checkout", "-q", "main")
      at.write("src/helper.ts", files["src/helper.ts"].replace("return 1", "return 3"))
      at.folder.commit("", "main")
      try {
        at.folder.git("", "merge", "-q", "side")
      } catch {
        // The conflict is what is wanted.
      }
      at.write("src/app.ts", files["src/app.ts"].replace("double(2)", "double(3)"))
      const value = yield* at.call("change", { operation: "detect" })
      assert.deepStrictEqual(value["unknown_files"], [{ path: "src/helper.ts", reason: "unmerged" }])
      assert.strictEqual(value["complete"], false)
      assert.include(value["incomplete_because"], "unknown_files")
      assert.strictEqual(value["follow_up"].follow_up_kind, "fallback_recovery")
    })
  )

  it.scoped("reads what is on disk, whatever the session has over it", () =>
    Effect.gen(function* () {
      const at = yield* served(files, git)
      at.write("src/core.ts", files["src/core.ts"].replace("this.size = 0", "this.size = 5"))
      yield* at.overlay("s", { path: "src/core.ts", content: "export const other = 1\n", deleted: false })
      const value = yield* at.call("change", { operation: "detect" }, "s")
      assert.deepStrictEqual(idsOf(value["changed_symbols"]), ["modified src/core.ts::Box.shrink"])
    })
  )

  it.scoped("refuses a base that names no commit, and a folder without git", () =>
    Effect.gen(function* () {
      const at = yield* served(files, git)
      const refused = yield* at.refused("change", { operation: "detect", source: { base: "no-such" } })
      assert.strictEqual(refused.code, "not_found")
      assert.strictEqual(refused.field, "source.base")
      assert.strictEqual(refused.reason_code, "unknown_revision")
      const repo = yield* at.refused("change", { operation: "detect", options: { repo: "elsewhere" } })
      assert.strictEqual(repo.code, "repo_not_tracked")
      const plain = yield* served({ "a.ts": "export const a = 1\n" })
      const none = yield* plain.refused("change", { operation: "detect" })
      assert.strictEqual(none.code, "capability_unavailable")
      assert.strictEqual(none.reason_code, "not_a_repository")
    })
  )

  it.scoped("gives counts alone when that is all that is wanted, and pages the rest", () =>
    Effect.gen(function* () {
      const many = Object.fromEntries(
        Array.from({ length: 12 }, (_, i) => [
          `src/user${i}.ts`,
          `import { helper } from "./helper.ts"\nexport const use${i} = () => helper(${i})\n`
        ])
      )
      const at = yield* served({ ...files, ...many }, git)
      at.write("src/helper.ts", files["src/helper.ts"].replace("return n", "return n + 1"))
      const counts = yield* at.call("change", { operation: "detect", output: { summary_only: true } })
      assert.isUndefined(counts["by_depth"])
      assert.strictEqual(counts["risk"], "CRITICAL")
      assert.strictEqual(counts["changed_symbol_count"], 1)
      const seen = new Set<string>()
      let offset = 0
      for (;;) {
        const part = yield* at.call("change", { operation: "detect", options: { offset, limit: 4 } })
        assert.deepStrictEqual(part["by_depth_counts"], counts["by_depth_counts"])
        for (const rows of Object.values(part["by_depth"]))
          for (const row of rows as ReadonlyArray<Value>) seen.add(row["id"])
        if (part["next_offset"] === undefined) break
        assert.strictEqual(part["truncated"], true)
        offset = part["next_offset"]
      }
      assert.strictEqual(seen.size, counts["total_affected"])
    })
  )
})

describe("change.ranges", () => {
  it.scoped("gives the innermost symbols around lines", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const value = yield* at.call("change", {
        operation: "ranges",
        source: {
          ranges: [
            { file: "src/core.ts", start_line: 4, end_line: 12 },
            { file: "src/app.ts", start_line: 1 }
          ]
        }
      })
      assert.deepStrictEqual(
        value["ranges"].map((row: Value) => [row["file_path"], row["symbols"], row["lines_outside_symbols"]]),
        [
          [
            "src/core.ts",
            ["src/core.ts::double", "src/core.ts::Box", "src/core.ts::Box.size", "src/core.ts::Box.grow"],
            1
          ],
          ["src/app.ts", [], 1]
        ]
      )
      const one = yield* at.call("change", {
        operation: "ranges",
        source: { file: "src/core.ts", range: { start_line: 12 } }
      })
      assert.deepStrictEqual(
        one["symbols"].map((row: Value) => row["id"]),
        ["src/core.ts::Box.grow"]
      )
    })
  )
  it.scoped("refuses files it does not know and lines that run backwards", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const missing = yield* at.refused("change", {
        operation: "ranges",
        source: { ranges: [{ file: "src/none.ts", start_line: 1 }] }
      })
      assert.strictEqual(missing.code, "file_not_indexed")
      const back = yield* at.refused("change", {
        operation: "ranges",
        source: { ranges: [{ file: "src/core.ts", start_line: 5, end_line: 2 }] }
      })
      assert.strictEqual(back.field, "source.ranges[0].end_line")
    })
  )
})
