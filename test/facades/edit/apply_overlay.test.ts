import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { folded } from "../../../src/facades/edit/Merge.ts"
import { type Folder, served, type Value } from "../read/support.ts"

const shaOf = (text: string): string =>
  createHash("sha1")
    .update(`blob ${Buffer.byteLength(text)}\0${text}`)
    .digest("hex")

const one = "export const a = 1\n\n\n\n\nexport const z = 1\n"
const files = {
  "src/one.ts": one,
  "src/two.ts": "export const two = 2\n",
  "src/old.ts": "export const old = 0\n"
}

const treeHash = (at: Folder): string => {
  const hash = createHash("sha256")
  const walk = (folder: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true }).sort((a, b) =>
      a.name < b.name ? -1 : 1
    )) {
      if (entry.name === ".git") continue
      hash.update(`${entry.name}\0`)
      if (entry.isDirectory()) walk(join(folder, entry.name))
      else hash.update(readFileSync(join(folder, entry.name)))
    }
  }
  walk(at.folder.path)
  return hash.digest("hex")
}
const text = (at: Folder, path: string) => readFileSync(at.folder.at(path), "utf8")

const push = (at: Folder, path: string, content: string | undefined, base?: string) =>
  at.call(
    "overlay",
    {
      operation: "push",
      arguments: {
        path,
        ...(content === undefined ? { deleted: true } : { content }),
        ...(base === undefined ? {} : { base_sha: shaOf(base) })
      }
    },
    "s"
  )
const fork = (at: Folder, name: string) =>
  at.call("overlay", { operation: "fork", arguments: { name, activate: true } }, "s")
const apply = { operation: "apply_overlay", options: { from: "try" } }
const forced = { operation: "apply_overlay", options: { from: "try", force: true } }
const branches = (at: Folder) =>
  Effect.map(at.call("change", { operation: "overlay_branches" }, "s"), (answer) =>
    answer["branches"].map(({ active, file_count, name }: Value) => [name, active, file_count])
  )

describe("a branch put on disk", () => {
  it.scoped("is written whole, and spent", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      yield* fork(at, "try")
      yield* push(at, "src/one.ts", one.replace("a = 1", "a = 2"), one)
      yield* push(at, "src/old.ts", undefined, files["src/old.ts"])
      yield* push(at, "lib/new.ts", "export const fresh = 1\n")
      const answer = yield* at.call("edit", apply, "s")
      assert.deepStrictEqual(
        answer["merged"].map(({ deleted, new_sha, path }: Value) => [path, deleted ?? new_sha]),
        [
          ["lib/new.ts", shaOf("export const fresh = 1\n")],
          ["src/old.ts", true],
          ["src/one.ts", shaOf(one.replace("a = 1", "a = 2"))]
        ]
      )
      assert.deepStrictEqual(
        [answer["from"], answer["to_disk"], answer["dropped_branch"]],
        ["try", true, "try"]
      )
      assert.strictEqual(text(at, "src/one.ts"), one.replace("a = 1", "a = 2"))
      assert.strictEqual(text(at, "lib/new.ts"), "export const fresh = 1\n")
      assert.isFalse(existsSync(at.folder.at("src/old.ts")))
      assert.deepStrictEqual(yield* branches(at), [["main", true, 0]])
      // The graph has it without a session.
      const found = yield* at.call("search", { operation: "symbols", query: "fresh" })
      assert.deepStrictEqual(
        found["results"].map((row: Value) => row["id"]),
        ["lib/new.ts::fresh"]
      )
      const again = yield* at.refused("edit", apply, "s")
      assert.deepStrictEqual([again.code, again.field], ["not_found", "options.from"])
    })
  )

  it.scoped("is refused whole when one file is another by now, and stays", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      yield* fork(at, "try")
      yield* push(at, "src/one.ts", one.replace("a = 1", "a = 2"), one)
      yield* push(at, "src/two.ts", "export const two = 3\n", files["src/two.ts"])
      yield* push(at, "src/old.ts", undefined, files["src/old.ts"])
      at.write("src/two.ts", "export const two = 22\n")
      at.remove("src/old.ts")
      const before = treeHash(at)
      const refused = yield* at.refused("edit", apply, "s")
      assert.deepStrictEqual(
        [refused.code, refused.state_changed, refused.data?.["drifted"]],
        [
          "overlay_drift",
          false,
          [
            {
              path: "src/two.ts",
              base_sha: shaOf(files["src/two.ts"]),
              current_sha: shaOf("export const two = 22\n")
            }
          ]
        ]
      )
      const merge = yield* at.refused("edit", forced, "s")
      assert.deepStrictEqual(
        [merge.code, merge.field, merge.data?.["conflicts"]],
        ["edit_conflict", "options.from", [{ path: "src/two.ts", reason: "content" }]]
      )
      assert.strictEqual(treeHash(at), before)
      assert.deepStrictEqual(yield* branches(at), [
        ["main", false, 0],
        ["try", true, 3]
      ])
    })
  )

  it.scoped("is merged by hunks with what moved on, if that is asked for", () =>
    Effect.gen(function* () {
      const at = yield* served(files, { git: true })
      yield* fork(at, "try")
      yield* push(at, "src/one.ts", one.replace("a = 1", "a = 2"), one)
      at.write("src/one.ts", one.replace("z = 1", "z = 2"))
      assert.strictEqual((yield* at.refused("edit", apply, "s")).code, "overlay_drift")
      const answer = yield* at.call("edit", forced, "s")
      assert.deepStrictEqual(answer["merged_with_disk"], ["src/one.ts"])
      assert.strictEqual(text(at, "src/one.ts"), one.replace("a = 1", "a = 2").replace("z = 1", "z = 2"))
      assert.deepStrictEqual(yield* branches(at), [["main", true, 0]])

      yield* fork(at, "try")
      const now = text(at, "src/one.ts")
      at.folder.commit("", "second")
      yield* push(at, "src/one.ts", now.replace("a = 2", "a = 3"), now)
      yield* push(at, "src/two.ts", "export const two = 3\n", files["src/two.ts"])
      at.write("src/one.ts", now.replace("a = 2", "a = 4"))
      const before = treeHash(at)
      const refused = yield* at.refused("edit", forced, "s")
      assert.deepStrictEqual(refused.data?.["conflicts"], [{ path: "src/one.ts", reason: "content" }])
      assert.strictEqual(treeHash(at), before)
    })
  )

  it.scoped("is held to what was on disk when it was pushed, though its caller named no base", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      yield* fork(at, "try")
      yield* push(at, "src/one.ts", one.replace("a = 1", "a = 2"))
      yield* push(at, "src/two.ts", "export const two = 3\n")
      yield* push(at, "src/old.ts", undefined)
      yield* push(at, "src/fresh.ts", "export const fresh = 1\n")
      at.write("src/one.ts", one.replace("z = 1", "z = 2"))
      at.write("src/old.ts", "export const old = 1\n")
      at.write("src/fresh.ts", "export const other = 1\n")
      // Pushed once more: made from what the branch shows, so it still rests on what was on disk before.
      yield* push(at, "src/one.ts", one.replace("a = 1", "a = 3"))
      const before = treeHash(at)
      const refused = yield* at.refused("edit", apply, "s")
      assert.deepStrictEqual(
        [refused.code, refused.state_changed, refused.data?.["drifted"]],
        [
          "overlay_drift",
          false,
          [
            { path: "src/fresh.ts", base_sha: null, current_sha: shaOf("export const other = 1\n") },
            {
              path: "src/old.ts",
              base_sha: shaOf(files["src/old.ts"]),
              current_sha: shaOf("export const old = 1\n")
            },
            {
              path: "src/one.ts",
              base_sha: shaOf(one),
              current_sha: shaOf(one.replace("z = 1", "z = 2"))
            }
          ]
        ]
      )
      const merge = yield* at.refused("edit", forced, "s")
      assert.deepStrictEqual(merge.data?.["conflicts"], [
        { path: "src/fresh.ts", reason: "base_unknown" },
        { path: "src/old.ts", reason: "deleted" }
      ])
      assert.strictEqual(treeHash(at), before)

      // The folder is no repository, so what both come from was kept with the branch.
      at.write("src/old.ts", files["src/old.ts"])
      at.remove("src/fresh.ts")
      const answer = yield* at.call("edit", forced, "s")
      assert.deepStrictEqual(answer["merged_with_disk"], ["src/one.ts"])
      assert.strictEqual(text(at, "src/one.ts"), one.replace("a = 1", "a = 3").replace("z = 1", "z = 2"))
      assert.strictEqual(text(at, "src/two.ts"), "export const two = 3\n")
      assert.isFalse(existsSync(at.folder.at("src/old.ts")))
    })
  )

  it.scoped("cannot be merged when nobody has what it says it was made from", () =>
    Effect.gen(function* () {
      const at = yield* served(files, { git: true })
      yield* fork(at, "try")
      yield* push(at, "src/two.ts", "export const two = 3\n", "never on disk\n")
      const refused = yield* at.refused("edit", forced, "s")
      assert.deepStrictEqual(refused.data?.["conflicts"], [{ path: "src/two.ts", reason: "base_unknown" }])
    })
  )

  it.scoped("takes what is on disk already for done", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      yield* push(at, "src/two.ts", "export const two = 3\n", files["src/two.ts"])
      at.write("src/two.ts", "export const two = 3\n")
      const answer = yield* at.call("edit", { operation: "apply_overlay", options: { from: "main" } }, "s")
      assert.deepStrictEqual(
        answer["merged"].map(({ changed, path }: Value) => [path, changed]),
        [["src/two.ts", false]]
      )
      assert.strictEqual(answer["emptied_branch"], "main")
      assert.deepStrictEqual(yield* branches(at), [["main", true, 0]])
    })
  )

  it.scoped("writes nothing that breaks the syntax, and needs a session", () =>
    Effect.gen(function* () {
      const at = yield* served(files)
      const before = treeHash(at)
      yield* push(at, "src/two.ts", "export const two = (\n", files["src/two.ts"])
      yield* push(at, "src/one.ts", one.replace("a = 1", "a = 2"), one)
      const refused = yield* at.refused(
        "edit",
        { operation: "apply_overlay", options: { from: "main" } },
        "s"
      )
      assert.strictEqual(refused.code, "parse_gate")
      assert.strictEqual(treeHash(at), before)
      const nobody = yield* at.refused("edit", { operation: "apply_overlay", options: { from: "main" } })
      assert.deepStrictEqual([nobody.code, nobody.reason_code], ["capability_unavailable", "session_unknown"])
    })
  )
})

describe("a merge", () => {
  it("keeps both changes, and refuses two of one place", () => {
    assert.strictEqual(folded("a\nb\nc\nd\n", "A\nb\nc\nd\n", "a\nb\nc\nD\n"), "A\nb\nc\nD\n")
    assert.strictEqual(folded("a\nb\n", "x\nb\n", "x\nb\n"), "x\nb\n")
    assert.isUndefined(folded("a\nb\n", "x\nb\n", "y\nb\n"))
    assert.strictEqual(
      folded("a\r\nb\r\nc\r\nd", "a\r\nb\r\nc\r\nd!", "A\r\nb\r\nc\r\nd"),
      "A\r\nb\r\nc\r\nd!"
    )
  })
})
