import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { ServiceFailure } from "../../../src/services/ServiceFailure.ts"
import { LanguageReader } from "../../../src/services/LanguageReader.ts"
import { type Folder, served, type Value } from "../read/support.ts"

const files = {
  "package.json": `{"devDependencies": {"vitest": "3"}}`,
  "src/price.ts": `export function price(n: number) {
  return n * 2
}

export function other() {
  return 1
}
`,
  "src/cart.ts": `import { price } from "./price.ts"

export function total(items: number[]) {
  return items.map((n) => price(n))
}
`,
  "src/page.ts": `import { total } from "./cart.ts"
export const page = () => total([1])
`,
  "test/cart.test.ts": `import { total } from "../src/cart.ts"
import { it } from "vitest"
it("adds", () => { total([1]) })
`
}

/** Without a server every question fails in the way the real one does. */
const noServer = <A, E>(effect: Effect.Effect<A, E>): Effect.Effect<A, E> => {
  const none = () =>
    Effect.fail(
      new ServiceFailure({
        service: "LanguageReader",
        reason: "not_configured",
        detail: "no language server for typescript. npm install typescript",
        stateChanged: false
      })
    )
  return Effect.provideService(effect, LanguageReader, {
    diagnostics: none,
    actions: none
  } as unknown as LanguageReader["Type"])
}

const treeHash = (at: Folder): string => {
  const hash = createHash("sha256")
  const walk = (folder: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) =>
      a.name < b.name ? -1 : 1
    )) {
      hash.update(`${entry.name}\0`)
      if (entry.isDirectory()) walk(join(folder, entry.name))
      else hash.update(readFileSync(join(folder, entry.name)))
    }
  }
  walk(at.folder.path)
  return hash.digest("hex")
}

const edit = (line: number, from: number, to: number, newText: string) => ({
  range: { start: { line, character: from }, end: { line, character: to } },
  newText
})
const changes = (path: string, ...edits: ReadonlyArray<object>) => ({ changes: { [path]: edits } })

const preview = (at: Folder, workspace_edit: unknown, options: Value = {}, session?: string) =>
  noServer(
    at.call(
      "change",
      { operation: "preview", source: { workspace_edit }, options: { diagnostics: false, ...options } },
      session
    )
  )
const refused = (at: Folder, workspace_edit: unknown) =>
  noServer(
    at.refused("change", {
      operation: "preview",
      source: { workspace_edit },
      options: { diagnostics: false }
    })
  )

const ids = (rows: ReadonlyArray<Value>) => rows.map((row) => row["id"])
const broken = (answer: Value) =>
  answer["broken_callers"].map(
    (row: Value) => `${row["file_path"]}:${row["line"]} ${row["kind"]} ${row["problem"]}`
  )

describe("a previewed edit", () => {
  it.scoped("that takes a definition away tells who used it, and touches nothing", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const before = treeHash(at)
      const answer = yield* preview(
        at,
        changes("src/price.ts", edit(0, 0, 0, ""), {
          range: { start: { line: 0, character: 0 }, end: { line: 4, character: 0 } },
          newText: ""
        })
      )
      assert.deepStrictEqual(answer["touched_files"], ["src/price.ts"])
      assert.deepStrictEqual(
        [answer["new_files"], answer["deleted_files"], answer["missing_files"]],
        [[], [], []]
      )
      assert.deepStrictEqual(ids(answer["symbols_removed"]), ["src/price.ts::price"])
      assert.deepStrictEqual(
        [answer["symbols_added"], answer["symbols_renamed"], answer["symbols_changed"]],
        [[], [], []]
      )
      assert.deepStrictEqual(broken(answer), ["src/cart.ts:1 import unbound", "src/cart.ts:4 call unbound"])
      assert.strictEqual(answer["broken_callers"][1]["within"], "src/cart.ts::total")
      assert.include(answer["broken_callers"][1]["reason"], "is gone")
      const real = yield* at.call("change", {
        operation: "impact",
        target: { symbol: "src/price.ts::price" }
      })
      assert.deepStrictEqual(answer["impact"]["by_depth_counts"], real["by_depth_counts"])
      assert.strictEqual(answer["impact"]["risk"], real["risk"])
      const tests = yield* at.call("change", {
        operation: "tests",
        target: { symbol: "src/price.ts::price" }
      })
      assert.deepStrictEqual(answer["test_targets"], tests["test_targets"])
      assert.strictEqual(treeHash(at), before)
      assert.strictEqual((yield* at.call("change", { operation: "overlay_state" }, "s"))["count"], 0)
    })
  )

  it.scoped(
    "that renames a definition with its uses breaks nothing, and one that forgets some tells which",
    () =>
      Effect.gen(function* () {
        const at = yield* served(files)
        const whole = yield* preview(at, {
          changes: {
            "src/price.ts": [edit(0, 16, 21, "cost")],
            "src/cart.ts": [edit(0, 9, 14, "cost"), edit(3, 26, 31, "cost")]
          }
        })
        assert.deepStrictEqual(
          whole["symbols_renamed"].map(({ from, to }: Value) => [from, to]),
          [["src/price.ts::price", "src/price.ts::cost"]]
        )
        assert.deepStrictEqual(ids(whole["symbols_changed"]), ["src/cart.ts::total"])
        assert.deepStrictEqual(whole["broken_callers"], [])
        const half = yield* preview(at, {
          changes: { "src/price.ts": [edit(0, 16, 21, "cost")], "src/cart.ts": [edit(0, 9, 14, "cost")] }
        })
        assert.deepStrictEqual(broken(half), ["src/cart.ts:4 call unbound"])
      })
  )

  it.scoped("that asks for more arguments tells the calls that do not give them, wherever they moved", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const wider = changes("src/price.ts", edit(0, 22, 31, "n: number, rate: number"))
      const answer = yield* preview(at, wider)
      assert.deepStrictEqual(ids(answer["symbols_changed"]), ["src/price.ts::price"])
      assert.deepStrictEqual(broken(answer), ["src/cart.ts:4 call missing_arguments"])
      const moved = yield* preview(at, {
        changes: { ...wider.changes, "src/cart.ts": [edit(0, 0, 0, "// one\n// two\n")] }
      })
      assert.deepStrictEqual(broken(moved), ["src/cart.ts:6 call missing_arguments"])
      const mended = yield* preview(at, {
        changes: { ...wider.changes, "src/cart.ts": [edit(3, 33, 33, ", 3")] }
      })
      assert.deepStrictEqual(broken(mended), [])
    })
  )

  it.scoped("follows files that move, are made and are deleted", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const before = treeHash(at)
      const moved = yield* preview(at, {
        documentChanges: [
          { kind: "rename", oldUri: "src/price.ts", newUri: `file://${at.folder.at("lib/cost.ts")}` },
          { kind: "create", uri: "src/new.ts" },
          {
            textDocument: { uri: "src/new.ts", version: null },
            edits: [edit(0, 0, 0, "export const made = 1\n")]
          },
          { kind: "delete", uri: "src/page.ts" },
          { kind: "delete", uri: "src/nothing.ts" }
        ]
      })
      assert.deepStrictEqual(moved["touched_files"], [
        "lib/cost.ts",
        "src/new.ts",
        "src/page.ts",
        "src/price.ts"
      ])
      assert.deepStrictEqual(moved["new_files"], ["lib/cost.ts", "src/new.ts"])
      assert.deepStrictEqual(moved["deleted_files"], ["src/page.ts", "src/price.ts"])
      assert.deepStrictEqual(moved["renamed_files"], [{ from: "src/price.ts", to: "lib/cost.ts" }])
      assert.deepStrictEqual(moved["missing_files"], ["src/nothing.ts"])
      assert.deepStrictEqual(
        moved["symbols_renamed"].map(({ from, to }: Value) => [from, to]),
        [
          ["src/price.ts::price", "lib/cost.ts::price"],
          ["src/price.ts::other", "lib/cost.ts::other"]
        ]
      )
      assert.deepStrictEqual(ids(moved["symbols_added"]), ["src/new.ts::made"])
      assert.deepStrictEqual(ids(moved["symbols_removed"]), ["src/page.ts::page"])
      assert.include(broken(moved), "src/cart.ts:1 import unbound")
      const folder = yield* preview(at, {
        documentChanges: [{ kind: "rename", oldUri: "src", newUri: "lib" }]
      })
      assert.deepStrictEqual(folder["new_files"], ["lib/cart.ts", "lib/page.ts", "lib/price.ts"])
      assert.deepStrictEqual(broken(folder), [
        "test/cart.test.ts:1 import unbound",
        "test/cart.test.ts:3 call unbound"
      ])
      assert.strictEqual(treeHash(at), before)
    })
  )

  it.scoped("tells types that lack a member they have to have", () =>
    Effect.gen(function* () {
      const at = yield* served({
        "a.ts": "export interface Shape {\n  area(): number\n}\n",
        "b.ts":
          'import type { Shape } from "./a.ts"\nexport class Box implements Shape {\n  area() { return 1 }\n}\n'
      })
      const asked = yield* preview(
        at,
        changes("a.ts", edit(1, 0, 0, "  name(): string\n  hint?(): string\n"))
      )
      assert.deepStrictEqual(
        asked["broken_implementors"].map(({ problem, symbol, within }: Value) => [within, problem, symbol]),
        [["b.ts::Box", "missing_member", "a.ts::Shape.name"]]
      )
      const lost = yield* preview(
        at,
        changes("b.ts", {
          range: { start: { line: 2, character: 0 }, end: { line: 3, character: 0 } },
          newText: ""
        })
      )
      assert.deepStrictEqual(
        lost["broken_implementors"].map(({ problem, symbol, within }: Value) => [within, problem, symbol]),
        [["b.ts::Box", "missing_member", "a.ts::Shape.area"]]
      )
    })
  )

  it.scoped("tells what went dark through a file that passed it on, and a use whose import went", () =>
    Effect.gen(function* () {
      const at = yield* served({
        "deep.ts": "export const deep = () => 1\n",
        "index.ts": 'export { deep } from "./deep.ts"\n',
        "use.ts": 'import { deep } from "./index.ts"\nexport const use = () => deep()\n'
      })
      const barrel = yield* preview(at, changes("index.ts", edit(0, 0, 32, "")))
      assert.deepStrictEqual(
        barrel["broken_callers"].map((row: Value) => row["file_path"]),
        ["use.ts", "use.ts"]
      )
      const bare = yield* preview(at, changes("use.ts", edit(0, 0, 33, "")))
      assert.deepStrictEqual(broken(bare), ["use.ts:2 call unbound"])
    })
  )

  it.scoped(
    "keeps methods that stand apart from their types with these, also where a type has another name",
    () =>
      Effect.gen(function* () {
        const at = yield* served({
          "go.mod": "module example.com/shapes\n",
          "shapes.go": `package shapes

type Disc struct{ r int }

func (d Disc) Area() int { return 3 * d.r * d.r }

type Box struct{ a int }

func (b Box) Area() int { return b.a * b.a }

func double(n int) int {
	return n * 2
}
`
        })
        const body = yield* preview(at, changes("shapes.go", edit(11, 9, 10, "n + n - n")))
        assert.deepStrictEqual(ids(body["symbols_changed"]), ["shapes.go::double"])
        assert.deepStrictEqual(
          [body["symbols_added"], body["symbols_renamed"], body["symbols_removed"]],
          [[], [], []]
        )
        const type = yield* preview(at, changes("shapes.go", edit(6, 5, 8, "Cube"), edit(8, 8, 11, "Cube")))
        assert.deepStrictEqual(
          type["symbols_renamed"].map((row: Value) => `${row["from"]} ${row["to"]}`).sort(),
          [
            "shapes.go::Box shapes.go::Cube",
            "shapes.go::Box.Area shapes.go::Cube.Area",
            "shapes.go::Box.a shapes.go::Cube.a"
          ]
        )
      })
  )

  it.scoped("refuses what is no edit of these texts, and names the part", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const field = 'source.workspace_edit.changes["src/price.ts"]'
      for (const [given, wanted, words] of [
        [changes("src/price.ts", edit(99, 0, 0, "x")), `${field}[0].range.start`, "lines"],
        [changes("src/price.ts", edit(0, 0, 500, "x")), `${field}[0].range.end`, "UTF-16"],
        [changes("src/price.ts", edit(0, 0, 5, "x"), edit(0, 3, 8, "y")), `${field}[1].range`, "overlaps"],
        [changes("src/price.ts", edit(0, 5, 2, "x")), `${field}[0].range`, "ends before"],
        [changes("src/price.ts", { newText: "x" }), `${field}[0].range`, "range"],
        [{}, "source.workspace_edit", "neither"],
        [
          { documentChanges: [{ kind: "create", uri: "src/cart.ts" }] },
          "source.workspace_edit.documentChanges[0].uri",
          "already"
        ],
        [
          { documentChanges: [{ kind: "delete", uri: "src" }] },
          "source.workspace_edit.documentChanges[0].uri",
          "recursive"
        ],
        [changes("untitled:x", edit(0, 0, 0, "x")), 'source.workspace_edit.changes["untitled:x"]', "URI"]
      ] as const) {
        const failure = yield* refused(at, given)
        assert.deepStrictEqual([failure.code, failure.field], ["invalid_argument", wanted])
        assert.include(failure.message, words)
        assert.strictEqual(failure.state_changed, false)
      }
      const outside = yield* refused(at, changes("file:///etc/hosts", edit(0, 0, 0, "x")))
      assert.strictEqual(outside.code, "path_outside_root")
      const missing = yield* preview(at, changes("src/nope.ts", edit(3, 0, 1, "x")))
      assert.deepStrictEqual([missing["missing_files"], missing["touched_files"]], [["src/nope.ts"], []])
    })
  )

  it.scoped("takes the text of an edit, and sees the session's overlay only when asked", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      yield* at.overlay("s", { path: "src/price.ts", content: "export const fee = 1\n", deleted: false })
      const json = JSON.stringify(changes("src/price.ts", edit(0, 16, 21, "cost")))
      const plain = yield* preview(at, json, {}, "s")
      assert.deepStrictEqual(
        plain["symbols_renamed"].map((row: Value) => row["to"]),
        ["src/price.ts::cost"]
      )
      const inherited = yield* preview(
        at,
        changes("src/price.ts", edit(0, 13, 16, "tax")),
        { inherit_overlay: true },
        "s"
      )
      assert.deepStrictEqual(
        inherited["symbols_renamed"].map(({ from, to }: Value) => [from, to]),
        [["src/price.ts::fee", "src/price.ts::tax"]]
      )
      assert.strictEqual(
        (yield* at.call("change", { operation: "overlay_state" }, "s"))["files"][0]["content_size"],
        21
      )
    })
  )

  it.scoped("says that diagnostics are unknown where there is no server, which is not clean", () =>
    Effect.gen(function* () {
      const at = yield* served(files, { servers: [] })
      const answer = yield* preview(at, changes("src/price.ts", edit(1, 9, 10, "m")), { diagnostics: true })
      assert.isUndefined(answer["diagnostics"])
      assert.deepInclude(answer["diagnostics_summary"], { state: "unknown", reason_code: "not_configured" })
      assert.include(answer["diagnostics_summary"]["detail"], "no language server")
      assert.isUndefined(answer["diagnostics_summary"]["errors"])
    })
  )
})

describe("simulated steps", () => {
  const rename = {
    changes: {
      "src/price.ts": [edit(0, 16, 21, "cost")],
      "src/cart.ts": [edit(0, 9, 14, "cost"), edit(3, 26, 31, "cost")]
    }
  }
  const widen = changes("src/price.ts", edit(0, 21, 30, "n: number, rate: number"))
  const simulate = (at: Folder, steps: ReadonlyArray<unknown>, options: Value = {}) =>
    noServer(
      at.call(
        "change",
        { operation: "simulate", source: { steps }, options: { diagnostics: false, ...options } },
        "s"
      )
    )
  const keep = (at: Folder, steps: ReadonlyArray<unknown>, options: Value = {}) =>
    noServer(
      at.call("overlay", { operation: "simulate", arguments: { steps, diagnostics: false, ...options } }, "s")
    )

  it.scoped("build on each other, sum up, and are forgotten", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const before = treeHash(at)
      const answer = yield* simulate(at, [rename, widen])
      assert.deepStrictEqual([answer["total_steps"], answer["applied_steps"], answer["kept"]], [2, 2, false])
      assert.isUndefined(answer["stopped_at"])
      assert.deepStrictEqual(
        answer["steps"].map((one: Value) => one["index"]),
        [0, 1]
      )
      assert.deepStrictEqual(broken(answer["steps"][0]), [])
      assert.deepStrictEqual(broken(answer["steps"][1]), ["src/cart.ts:4 call missing_arguments"])
      assert.deepStrictEqual(
        answer["cumulative"]["symbols_renamed"].map(({ from, to }: Value) => [from, to]),
        [["src/price.ts::price", "src/price.ts::cost"]]
      )
      assert.deepStrictEqual(broken(answer["cumulative"]), ["src/cart.ts:4 call missing_arguments"])
      assert.deepStrictEqual(answer["overlay_paths"], ["src/cart.ts", "src/price.ts"])
      assert.strictEqual((yield* at.call("change", { operation: "overlay_state" }, "s"))["count"], 0)
      assert.strictEqual(treeHash(at), before)
      const back = yield* simulate(at, [
        rename,
        {
          changes: {
            "src/price.ts": [edit(0, 16, 20, "price")],
            "src/cart.ts": [edit(0, 9, 13, "price"), edit(3, 26, 30, "price")]
          }
        }
      ])
      assert.deepStrictEqual(
        [back["cumulative"]["touched_files"], back["cumulative"]["summary"]],
        [[], "changes nothing"]
      )
    })
  )

  it.scoped("are sixteen at most, and all of them fit an answer", () =>
    Effect.gen(function* () {
      const at = yield* served({
        ...files,
        ...Object.fromEntries(
          Array.from({ length: 40 }, (_, i) => [
            `src/user${i}.ts`,
            `import { price } from "./price.ts"\nexport const user${i} = () => price(${i})\n`
          ])
        )
      })
      const steps = Array.from({ length: 16 }, (_, i) =>
        changes("src/price.ts", edit(0, 22, 22, `a${i}: string, `))
      )
      const answer = yield* simulate(at, steps)
      assert.strictEqual(answer["applied_steps"], 16)
      assert.strictEqual(answer["_over_budget_bytes"], undefined)
      assert.strictEqual(answer["steps"][0]["counts"]["broken_callers"], 41)
      // Each step is compared with the one before it: what was broken then is not told again.
      assert.deepStrictEqual(answer["steps"][1]["broken_callers"], [])
      assert.strictEqual(answer["cumulative"]["counts"]["broken_callers"], 41)
    })
  )

  it.scoped("stop where the syntax gets worse, if they are to", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const torn = changes("src/price.ts", edit(0, 31, 33, ""))
      const answer = yield* simulate(at, [torn, widen])
      assert.deepStrictEqual(
        [answer["stopped_at"], answer["applied_steps"], answer["total_steps"]],
        [0, 1, 2]
      )
      assert.strictEqual(answer["steps"][0]["syntax_errors"][0]["file_path"], "src/price.ts")
      const on = yield* simulate(at, [torn, changes("src/page.ts", edit(0, 0, 0, "\n"))], {
        stop_on_error: false
      })
      assert.deepStrictEqual([on["stopped_at"], on["applied_steps"]], [undefined, 2])
      const many = yield* noServer(
        at.refused("change", { operation: "simulate", source: { steps: Array(17).fill(rename) } })
      )
      assert.deepStrictEqual([many.code, many.field], ["invalid_argument", "source.steps"])
      const second = yield* noServer(
        at.refused("change", {
          operation: "simulate",
          source: { steps: [rename, changes("src/price.ts", edit(80, 0, 0, ""))] },
          options: { diagnostics: false }
        })
      )
      assert.strictEqual(second.field, 'source.steps[1].changes["src/price.ts"][0].range.start')
    })
  )

  it.scoped(
    "that are kept are what the session reads from then on, guarded by what they were made from",
    () =>
      Effect.gen(function* () {
        const at = yield* served(files)
        const before = treeHash(at)
        const answer = yield* keep(at, [rename])
        assert.deepStrictEqual([answer["kept"], answer["overlay_session_id"]], [true, "s"])
        assert.deepStrictEqual(answer["cumulative"]["symbols_renamed"].length, 1)
        const callers = yield* at.call(
          "relations",
          { operation: "callers", target: { symbol: "cost" }, options: { depth: 1 } },
          "s"
        )
        assert.deepStrictEqual(
          callers["nodes"].map((row: Value) => row["name"]),
          ["total"]
        )
        const state = yield* at.call("change", { operation: "overlay_state" }, "s")
        assert.deepStrictEqual(
          state["files"].map((file: Value) => [file["path"], /^[0-9a-f]{40}$/.test(file["base_sha"])]),
          [
            ["src/cart.ts", true],
            ["src/price.ts", true]
          ]
        )
        assert.strictEqual(treeHash(at), before)
        // From the overlay on, a step that takes back what was changed leaves what is still changed.
        yield* keep(
          at,
          [{ changes: { "src/cart.ts": [edit(0, 9, 13, "price"), edit(3, 26, 30, "price")] } }],
          { inherit_overlay: true }
        )
        const read = yield* at.call("read", { target: { file: "src/cart.ts" } }, "s")
        assert.include(read["content"], "price(n)")
        at.write("src/price.ts", "export const x = 1\n")
        yield* at.call("search", { operation: "symbols", query: "x" })
        const drift = yield* noServer(
          at.refused(
            "change",
            {
              operation: "simulate",
              source: { steps: [changes("src/page.ts", edit(0, 0, 0, "//\n"))] },
              options: { inherit_overlay: true }
            },
            "s"
          )
        )
        assert.strictEqual(drift.code, "overlay_drift")
      })
  )

  it.scoped("are not kept where the overlay cannot hold them, and it is said", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const huge = "x".repeat(4_300_000)
      const answer = yield* keep(at, [changes("src/data.txt", edit(0, 0, 0, huge))])
      assert.strictEqual(answer["kept"], false)
      assert.strictEqual(answer["keep_error"]["reason_code"], "range_too_large")
      assert.strictEqual((yield* at.call("change", { operation: "overlay_state" }, "s"))["count"], 0)
    })
  )
})
