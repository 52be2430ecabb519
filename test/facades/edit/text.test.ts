import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readFileSync } from "node:fs"
import { served, type Value } from "../read/support.ts"

const files = {
  "src/price.ts":
    "/** What it costs. */\nexport const price = (n: number) => n * 2\n\nexport const other = 1\n",
  "src/cart.ts":
    'import { price } from "./price.ts"\n\nexport function total(items: number[]) {\n  return items.map((n) => price(n))\n}\n',
  "crlf.txt": "one\r\ntwo\r\nthree\r\n",
  "many.txt": "a\nb\na\nb\na\n"
}
const text = (folder: { at: (path: string) => string }, path: string) => readFileSync(folder.at(path), "utf8")

describe("an edit of a file", () => {
  it.scoped("is shown by a dry run, made, and known to the index before it is answered", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const call = {
        target: { file: "src/price.ts" },
        match: "export const other = 1",
        replacement: "export const another = 1"
      }
      const dry = yield* at.call("edit", { ...call, dry_run: true }, "s")
      assert.deepInclude(dry, {
        path: "src/price.ts",
        status: "would_apply",
        match_count: 1,
        match_ranges: [{ occurrence: 1, start_line: 4, end_line: 4 }],
        would_change: true
      })
      assert.include(dry["diff"], "-export const other = 1\n+export const another = 1\n")
      assert.strictEqual(text(at.folder, "src/price.ts"), files["src/price.ts"])
      const done = yield* at.call("edit", call, "s")
      assert.hasAllKeys(done, ["path", "status", "replacements", "new_sha", "read_revision", "receipt"])
      assert.strictEqual(done["new_sha"], dry["new_sha"])
      assert.strictEqual(text(at.folder, "src/price.ts"), files["src/price.ts"].replace("other", "another"))
      const found = yield* at.call("search", { operation: "symbols", query: "another" }, "s")
      assert.deepStrictEqual(
        found["results"].map((row: Value) => row["id"]),
        ["src/price.ts::another"]
      )
      const known = yield* at.call(
        "change",
        { operation: "receipt", options: { receipt: done["receipt"] } },
        "s"
      )
      assert.deepInclude(known, {
        found: true,
        disk_status: "committed",
        graph_status: "fresh",
        retry_safe: false
      })
    })
  )

  it.scoped("tells which lines of a long file were looked at for new syntax errors", () =>
    Effect.gen(function* () {
      const one = (i: number) => `export function f${i}(a: string) {\n  const b = a + "${i}"\n  return b\n}\n`
      const at = yield* served({ "src/long.ts": Array.from({ length: 80 }, (_, i) => one(i)).join("\n") })
      yield* at.call("search", { operation: "symbols", query: "f40" })
      const call = { target: { file: "src/long.ts" }, match: 'a + "40"', dry_run: true }
      const dry = yield* at.call("edit", { ...call, replacement: "a" })
      assert.deepStrictEqual(dry["parse_gate"], { status: "none_added", start_line: 201, end_line: 205 })
      const refused = yield* at.refused("edit", { ...call, replacement: "a +" })
      assert.strictEqual(refused.reason_code, "parse_gate")
    })
  )

  it.scoped("takes LF text for a CRLF file and leaves every other byte alone", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      yield* at.call("edit", { target: { file: "crlf.txt" }, match: "one\ntwo\n", replacement: "1\n2\n" })
      assert.strictEqual(text(at.folder, "crlf.txt"), "1\r\n2\r\nthree\r\n")
    })
  )

  it.scoped("refuses several matches with their places and a call that chooses one", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const refused = yield* at.refused(
        "edit",
        { target: { file: "many.txt" }, match: "a", replacement: "x" },
        "s"
      )
      assert.deepStrictEqual(
        [refused.code, refused.reason_code, refused.field, refused.state_changed],
        ["edit_conflict", "multiple_matches", "match", false]
      )
      assert.deepStrictEqual((refused.data as Value)["conflict_recovery"]["candidate_ranges"], [
        { occurrence: 1, start_line: 1, end_line: 1 },
        { occurrence: 2, start_line: 3, end_line: 3 },
        { occurrence: 3, start_line: 5, end_line: 5 }
      ])
      assert.strictEqual(refused.recovery?.follow_up_kind, "fallback_recovery")
      const retry = refused.recovery!.arguments as Value
      yield* at.call("edit", { ...retry, options: { occurrence: 2 } }, "s")
      assert.strictEqual(text(at.folder, "many.txt"), "a\nb\nx\nb\na\n")
    })
  )

  it.scoped("replaces as many as were expected under a guard, and none when there are more", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const read = yield* at.call("read", { target: { file: "many.txt" } }, "s")
      const guard = { read_revision: read["read_revision"] }
      const call = { target: { file: "many.txt" }, match: "a", replacement: "x", guard }
      const without = yield* at.refused(
        "edit",
        { ...call, guard: {}, options: { expected_match_count: 3 } },
        "s"
      )
      assert.strictEqual(without.reason_code, "guard_required")
      const mismatch = yield* at.refused("edit", { ...call, options: { expected_match_count: 2 } }, "s")
      assert.deepStrictEqual(
        [mismatch.reason_code, (mismatch.data as Value)["match_count"]],
        ["match_count_mismatch", 3]
      )
      const done = yield* at.call("edit", { ...call, options: { expected_match_count: 3 } }, "s")
      assert.strictEqual(text(at.folder, "many.txt"), "x\nb\nx\nb\nx\n")
      yield* at.call(
        "edit",
        {
          target: { file: "many.txt" },
          match: "x\nb\nx",
          replacement: "y",
          guard: { read_revision: done["read_revision"] },
          options: { occurrence: 1 }
        },
        "s"
      )
      assert.strictEqual(text(at.folder, "many.txt"), "y\nb\nx\n")
    })
  )

  it.scoped("refuses a stale guard with the read that mends it: three calls, no loop", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const read = yield* at.call("read", { target: { file: "many.txt" } }, "s")
      at.write("many.txt", "a\nsomebody was here\n")
      const stale = yield* at.refused(
        "edit",
        { target: { file: "many.txt" }, match: "a", replacement: "x", guard: { base_sha: read["sha"] } },
        "s"
      )
      assert.deepStrictEqual([stale.code, stale.state_changed], ["stale_revision", false])
      assert.strictEqual(stale.recovery?.follow_up_kind, "mechanically_followable")
      const again = yield* at.call(stale.recovery!.tool, stale.recovery!.arguments, "s")
      assert.strictEqual(again["content"], "a\nsomebody was here\n")
      yield* at.call(
        "edit",
        {
          target: { file: "many.txt" },
          match: "a\ns",
          replacement: "x\ns",
          guard: { base_sha: again["sha"] }
        },
        "s"
      )
      assert.strictEqual(text(at.folder, "many.txt"), "x\nsomebody was here\n")
    })
  )

  it.scoped("names the nearest text when nothing matches, and applies nothing", () =>
    Effect.gen(function* () {
      const at = yield* served({ "a.ts": "const\u00a0x = 1\nconst y = 2\n" })
      const refused = yield* at.refused("edit", {
        target: { file: "a.ts" },
        match: "const x = 1",
        replacement: "z"
      })
      assert.strictEqual(refused.reason_code, "match_not_found")
      assert.strictEqual((refused.data as Value)["nearest"][0]["start_line"], 1)
      assert.deepInclude(refused.recovery, { follow_up_kind: "mechanically_followable", tool: "read" })
    })
  )

  it.scoped("keeps broken syntax out unless it is asked for", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const call = { target: { file: "src/cart.ts" }, match: "price(n))", replacement: "price(n)" }
      assert.strictEqual((yield* at.refused("edit", call)).code, "parse_gate")
      assert.strictEqual(text(at.folder, "src/cart.ts"), files["src/cart.ts"])
      yield* at.call("edit", { ...call, options: { allow_parse_errors: true } })
      assert.notStrictEqual(text(at.folder, "src/cart.ts"), files["src/cart.ts"])
    })
  )

  it.scoped("is refused where the session reads an overlay, and outside the root", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      yield* at.overlay("s", { path: "many.txt", content: "a\n", deleted: false })
      const call = { target: { file: "many.txt" }, match: "a\nb\na\nb\na", replacement: "x" }
      const overlaid = yield* at.refused("edit", call, "s")
      assert.deepStrictEqual([overlaid.reason_code, overlaid.state_changed], ["overlaid", false])
      yield* at.call("edit", call, "t")
      const outside = yield* at.refused("edit", { ...call, target: { file: "../many.txt" } }, "t")
      assert.deepStrictEqual([outside.code, outside.field], ["path_outside_root", "target.file"])
    })
  )

  it.scoped("applies once under a mutation id, however often it is sent", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const call = {
        target: { file: "many.txt" },
        match: "b\na\nb",
        replacement: "b\na\nb\na\nb",
        options: { mutation_id: "once" }
      }
      const first = yield* at.call("edit", call, "s")
      const second = yield* at.call("edit", call, "s")
      assert.strictEqual(second["new_sha"], first["new_sha"])
      assert.strictEqual(second["replayed"], true)
      assert.strictEqual(text(at.folder, "many.txt"), "a\nb\na\nb\na\nb\na\n")
      const other = yield* at.refused("edit", { ...call, replacement: "c" }, "s")
      assert.strictEqual(other.code, "idempotency_conflict")
    })
  )
})

describe("a write of a whole file", () => {
  it.scoped("creates with folders, overwrites under a guard, and says which", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const call = { target: { file: "deep/er/new.ts" }, content: "export const fresh = 1\n" }
      assert.deepInclude(yield* at.call("edit", { ...call, dry_run: true }), { status: "would_create" })
      assert.isFalse(existsSync(at.folder.at("deep")))
      const made = yield* at.call("edit", call)
      assert.deepInclude(made, { path: "deep/er/new.ts", status: "created", bytes_written: 23 })
      const over = yield* at.call("edit", {
        ...call,
        content: "export const fresh = 2\n",
        guard: { base_sha: made["new_sha"] }
      })
      assert.strictEqual(over["status"], "overwritten")
      const stale = yield* at.refused("edit", { ...call, guard: { base_sha: made["new_sha"] } })
      assert.strictEqual(stale.code, "stale_revision")
      assert.strictEqual(
        (yield* at.call("search", { operation: "symbols", query: "fresh" }))["results"].length,
        1
      )
    })
  )
})

describe("an edit of a symbol", () => {
  it.scoped("stays inside it, comments above included", () =>
    Effect.gen(function* () {
      const at = yield* served({ ...files, "b.ts": "export const a = 1\n// note\nexport const b = 1\n" })
      const done = yield* at.call("edit", {
        target: { symbol: "b.ts::b" },
        match: "// note\nexport const b = 1",
        replacement: "// said\nexport const b = 2"
      })
      assert.deepInclude(done, { symbol: "b.ts::b", path: "b.ts" })
      const outside = yield* at.refused("edit", {
        target: { symbol: "b.ts::b" },
        match: "const a",
        replacement: "const c"
      })
      assert.strictEqual(outside.reason_code, "match_not_found")
      yield* at.call("edit", { target: { symbol: "b.ts::b" }, match: "export", replacement: "export /**/" })
      assert.strictEqual(text(at.folder, "b.ts"), "export const a = 1\n// said\nexport /**/ const b = 2\n")
    })
  )
})

describe("a batch", () => {
  const changes = [
    { op: "edit_symbol", id: "src/cart.ts::total", match: "price(n)", replacement: "price(n) + 1" },
    { path: "src/price.ts", match: "n * 2", replacement: "n * 3" },
    { op: "move_file", source: "crlf.txt", destination: "moved/crlf.txt" },
    { op: "delete_file", path: "many.txt" },
    { op: "write_file", path: "new.txt", content: "new\n" }
  ]
  it.scoped("is planned with states, applied whole, and replayed by its id", () =>
    Effect.gen(function* () {
      const at = yield* served(files, { git: true })
      const dry = yield* at.call("edit", { operation: "batch", changes, dry_run: true }, "s")
      assert.deepStrictEqual([dry["total"], dry["conflicts"]], [5, 0])
      const move = dry["plan"].find((row: Value) => row["op"] === "move_file")
      assert.deepInclude(move, {
        resolved_path: "crlf.txt",
        resolved_destination: "moved/crlf.txt",
        status: "planned"
      })
      assert.deepInclude(move["source_state"], { exists: true, kind: "file", git: "tracked", ignored: false })
      assert.strictEqual(move["destination_state"]["exists"], false)
      assert.isFalse(existsSync(at.folder.at("new.txt")))
      const call = { operation: "batch", changes, options: { transaction_id: "t-1" } }
      const done = yield* at.call("edit", call, "s")
      assert.deepInclude(done, {
        transaction_id: "t-1",
        status: "committed",
        disk_status: "committed",
        graph_status: "fresh"
      })
      assert.strictEqual(done["results"].length, 5)
      assert.include(text(at.folder, "src/cart.ts"), "price(n) + 1")
      assert.include(text(at.folder, "src/price.ts"), "n * 3")
      assert.strictEqual(text(at.folder, "moved/crlf.txt"), files["crlf.txt"])
      assert.isFalse(existsSync(at.folder.at("many.txt")))
      const again = yield* at.call("edit", call, "s")
      assert.strictEqual(again["replayed"], true)
      const asked = yield* at.call(
        "edit",
        { operation: "batch", options: { transaction_id: "t-1", status_only: true } },
        "s"
      )
      assert.deepInclude(asked, { found: true, status: "committed" })
      const other = yield* at.refused("edit", { ...call, changes: changes.slice(0, 1) }, "s")
      assert.strictEqual(other.code, "idempotency_conflict")
    })
  )
  it.scoped("writes nothing when one item does not fit, and says which", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const wrong = [...changes.slice(0, 4), { path: "src/price.ts", match: "not there", replacement: "x" }]
      const refused = yield* at.refused("edit", { operation: "batch", changes: wrong }, "s")
      assert.deepStrictEqual(
        [refused.reason_code, (refused.data as Value)["change_index"], refused.state_changed],
        ["match_not_found", 4, false]
      )
      assert.strictEqual(text(at.folder, "src/price.ts"), files["src/price.ts"])
      const dry = yield* at.call("edit", { operation: "batch", changes: wrong, dry_run: true }, "s")
      assert.strictEqual(dry["conflicts"], 1)
      assert.match(dry["plan"].find((row: Value) => row["index"] === 4)["status"], /^(?:conflict|failed): /)
    })
  )
  it.scoped("knows nothing of an id nobody used", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const asked = yield* at.call("change", { operation: "receipt", options: { mutation_id: "never" } }, "s")
      assert.deepStrictEqual(asked, {
        found: false,
        receipt: "never",
        disk_status: "unrecorded",
        retry_safe: false
      })
    })
  )
})
