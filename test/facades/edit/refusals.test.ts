/** What refusals of the writing operations name, and how paths are taken. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readFileSync, symlinkSync } from "node:fs"
import { served, type Folder, type Value } from "../read/support.ts"

const files = {
  "src/a.ts": "export const a = 1\nexport function f() {\n  return a\n}\n",
  "src/b.ts": "export const b = 1\n",
  "mixed.txt": "a\r\nb\nc\n",
  "bare.txt": "a\rb\rc\r"
}
const file = (path: string, match: string, replacement: string, rest: Value = {}) => ({
  operation: "file",
  target: { file: path },
  match,
  replacement,
  ...rest
})
const batch = (...changes: ReadonlyArray<Value>) => ({ operation: "batch", changes })
const text = (at: Folder, path: string) => readFileSync(at.folder.at(path), "utf8")

describe("a refused edit names the argument at fault", () => {
  const cases: ReadonlyArray<readonly [Value, code: string, reason: string, field: string]> = [
    [file("src/a.ts", "a = 1", "a = ("), "parse_gate", "parse_gate", "replacement"],
    [
      { operation: "write", target: { file: "src/n.ts" }, content: "const = ;" },
      "parse_gate",
      "parse_gate",
      "content"
    ],
    [
      { operation: "symbol", target: { symbol: "src/a.ts::f" }, match: "return a", replacement: "return (" },
      "parse_gate",
      "parse_gate",
      "replacement"
    ],
    [file("bare.txt", "b", "x"), "edit_conflict", "bare_carriage_return", "target.file"],
    [file("src/a.ts", "a\r", "x"), "edit_conflict", "bare_carriage_return", "match"],
    [file("src/a.ts", "a = 1", "x\ry"), "edit_conflict", "bare_carriage_return", "replacement"],
    [file("mixed.txt", "b", "x"), "edit_conflict", "mixed_line_endings", "target.file"],
    [file("src/a.ts", "a = 1", "x\r\ny\nz"), "edit_conflict", "mixed_line_endings", "replacement"],
    [
      file("src/a.ts", "a = 1", "a = 2", { options: { occurrence: 4 } }),
      "edit_conflict",
      "occurrence_out_of_range",
      "options.occurrence"
    ],
    [
      file("src/a.ts", "a = 1", "a = 2", { options: { line_scope: { start_line: 3, end_line: 2 } } }),
      "invalid_argument",
      "invalid_line_scope",
      "options.line_scope"
    ],
    [file("nowhere.ts", "a", "b"), "not_found", "not_found", "target.file"],
    [
      batch(
        { path: "src/b.ts", match: "1", replacement: "2" },
        { path: "src/a.ts", match: "zz", replacement: "" }
      ),
      "edit_conflict",
      "match_not_found",
      "changes.1.match"
    ],
    [
      batch({ path: "src/b.ts", match: "1", replacement: "(" }),
      "parse_gate",
      "parse_gate",
      "changes.0.replacement"
    ],
    [
      batch({ path: "src/b.ts", match: "1", replacement: "2" }, { op: "delete_file", path: "nope" }),
      "not_found",
      "not_found",
      "changes.1.path"
    ],
    [
      batch({ op: "move_file", source: "src/a.ts", destination: "src/b.ts" }),
      "edit_conflict",
      "destination_exists",
      "changes.0.destination"
    ],
    [
      batch({ op: "move_file", source: "nope.ts", destination: "src/n.ts" }),
      "not_found",
      "not_found",
      "changes.0.source"
    ],
    [
      batch({ op: "write_file", path: "src/b.ts", content: "x", create_only: true }),
      "edit_conflict",
      "file_exists",
      "changes.0.path"
    ],
    [
      batch({ path: "src/b.ts", match: "1", replacement: "2", base_sha: "0".repeat(40) }),
      "stale_revision",
      "base_sha_mismatch",
      "changes.0.base_sha"
    ],
    [
      batch({ path: "src/b.ts", match: "1", replacement: "2", read_revision: 9 }),
      "stale_revision",
      "unknown_read_revision",
      "changes.0.read_revision"
    ],
    [
      batch(...Array.from({ length: 17 }, (_, n) => ({ op: "write_file", path: `n/${n}.txt`, content: "" }))),
      "invalid_argument",
      "too_many_files",
      "changes"
    ],
    [
      batch(...Array.from({ length: 21 }, (_, n) => ({ path: "src/b.ts", match: `${n}`, replacement: "" }))),
      "invalid_argument",
      "too_many_edits",
      "changes"
    ],
    [
      { operation: "batch", options: { transaction_id: "never", recover: "accept" } },
      "not_found",
      "unknown_transaction",
      "options.transaction_id"
    ]
  ]
  it.scoped("whatever the reason", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      for (const [args, code, reason, field] of cases) {
        const refused = yield* at.refused("edit", args, "s")
        assert.deepStrictEqual(
          [refused.code, refused.reason_code, refused.field, refused.state_changed],
          [code, reason, field, false],
          JSON.stringify(args).slice(0, 300)
        )
      }
      for (const [path, content] of Object.entries(files)) assert.strictEqual(text(at, path), content)
    })
  )

  it.scoped("and lists what is valid where a word is wrong", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const wrong = yield* at.refused("edit", batch({ op: "zap", path: "src/a.ts" }))
      assert.deepStrictEqual(
        [wrong.code, wrong.field, wrong.data?.["valid_values"]],
        [
          "invalid_argument",
          "changes.0.op",
          ["edit_file", "edit_symbol", "write_file", "move_file", "delete_file"]
        ]
      )
      // The word that was said is the shape that is meant.
      const stray = yield* at.refused("edit", batch({ op: "move_file", path: "src/a.ts", destination: "x" }))
      assert.strictEqual(stray.field, "changes.0.path")
      const many = yield* at.refused(
        "edit",
        batch(...Array.from({ length: 36 }, (_, n) => ({ op: "delete_file", path: `${n}` })))
      )
      assert.deepStrictEqual([many.code, many.field], ["invalid_argument", "changes"])
    })
  )
})

describe("an edit that changes nothing", () => {
  it.scoped("says so", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const same = file("src/b.ts", "b = 1", "b = 1")
      const content = files["src/b.ts"]
      const write = { operation: "write", target: { file: "src/b.ts" }, content }
      for (const args of [same, write])
        for (const dry_run of [false, true])
          assert.strictEqual((yield* at.call("edit", { ...args, dry_run }))["status"], "unchanged")
      const many = yield* at.call("edit", batch({ path: "src/b.ts", match: "b = 1", replacement: "b = 1" }))
      assert.deepStrictEqual([many["results"][0].changed, many["change_summary"].changed_files], [false, 0])
      const real = yield* at.call("edit", file("src/b.ts", "b = 1", "b = 2"))
      assert.strictEqual(real["status"], "applied")
    })
  )
})

describe("a path", () => {
  const foreign = [
    "file:///etc/hosts",
    "file:///src/a.ts",
    "https://x.y/a.ts",
    "~/a.ts",
    "~",
    "C:\\x\\a.ts",
    "d:/a.ts"
  ]
  it.scoped("written the way of another place is refused, never taken for a name", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      for (const path of foreign) {
        const asked: ReadonlyArray<readonly [tool: string, args: Value, field: string]> = [
          ["edit", { operation: "write", target: { file: path }, content: "x" }, "target.file"],
          ["edit", file(path, "a", "b"), "target.file"],
          ["edit", batch({ op: "write_file", path, content: "x" }), "changes.0.path"],
          ["edit", batch({ path, match: "a", replacement: "b" }), "changes.0.path"],
          [
            "edit",
            batch({ op: "move_file", source: "src/a.ts", destination: path }),
            "changes.0.destination"
          ],
          ["edit", batch({ op: "delete_file", path }), "changes.0.path"],
          ["overlay", { operation: "push", arguments: { path, content: "x" } }, "arguments.path"],
          ["overlay", { operation: "delete", arguments: { path } }, "arguments.path"],
          [
            "refactor",
            { operation: "move", target: { symbol: "src/a.ts::f" }, destination: path },
            "destination"
          ],
          ["read", { operation: "file", target: { file: path } }, "target.file"],
          ["change", { operation: "receipt", source: { path } }, "source.path"]
        ]
        for (const [tool, args, field] of asked) {
          const refused = yield* at.refused(tool, args, "s")
          assert.deepStrictEqual(
            [refused.code, refused.field, refused.state_changed],
            ["invalid_argument", field, false],
            `${tool} ${JSON.stringify(args)}`
          )
        }
        assert.isFalse(existsSync(at.folder.at(path)))
      }
      assert.isFalse(existsSync(at.folder.at("~")))
      assert.isFalse(existsSync(at.folder.at("file:")))
    })
  )

  it.scoped("leads through links that stay inside, to where they lead; moves and deletions take none", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      symlinkSync("src", at.folder.at("in"))
      symlinkSync("src/a.ts", at.folder.at("link.ts"))
      symlinkSync("/", at.folder.at("out"))
      symlinkSync("/nowhere/at/all.ts", at.folder.at("dangling.ts"))
      symlinkSync("src/late.ts", at.folder.at("late.ts"))
      // Content goes to the file itself, and the answer says which that is.
      const edited = yield* at.call("edit", file("link.ts", "a = 1", "a = 2"))
      assert.strictEqual(edited["path"], "src/a.ts")
      const written = yield* at.call("edit", { operation: "write", target: { file: "in/n.ts" }, content: "" })
      assert.strictEqual(written["path"], "src/n.ts")
      const late = yield* at.call("edit", { operation: "write", target: { file: "late.ts" }, content: "" })
      assert.strictEqual(late["path"], "src/late.ts")
      const both = yield* at.call("edit", batch({ path: "in/b.ts", match: "b = 1", replacement: "b = 2" }))
      assert.strictEqual(both["results"][0].path, "src/b.ts")
      assert.include(text(at, "src/a.ts"), "a = 2")
      assert.include(text(at, "link.ts"), "a = 2")
      for (const change of [
        { op: "delete_file", path: "link.ts" },
        { op: "delete_file", path: "in/a.ts" },
        { op: "move_file", source: "in/a.ts", destination: "x.ts" },
        { op: "move_file", source: "src/a.ts", destination: "in/x.ts" }
      ]) {
        const refused = yield* at.refused("edit", batch(change))
        assert.deepStrictEqual([refused.code, refused.reason_code], ["invalid_path", "symlink_component"])
      }
      for (const path of ["out/tmp/x.ts", "dangling.ts"])
        for (const args of [
          { operation: "write", target: { file: path }, content: "x" },
          file(path, "a", "b"),
          batch({ op: "write_file", path, content: "x" }),
          batch({ op: "delete_file", path }),
          batch({ op: "move_file", source: "src/a.ts", destination: path })
        ]) {
          const refused = yield* at.refused("edit", args)
          assert.deepStrictEqual(
            [refused.code, refused.state_changed],
            ["path_outside_root", false],
            JSON.stringify(args)
          )
        }
      const pushed = yield* at.refused(
        "overlay",
        { operation: "push", arguments: { path: "out/tmp/x.ts", content: "x" } },
        "s"
      )
      assert.strictEqual(pushed.code, "path_outside_root")
    })
  )
})
