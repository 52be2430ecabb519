/** A transaction that stopped half-way, as callers see it, and the ways out of it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { type Disk, DiskError, realDisk } from "../../../src/engine/edits/Disk.ts"
import { openGate } from "../../../src/engine/edits/SyntaxGate.ts"
import { makeWriter } from "../../../src/engine/edits/Writer.ts"
import { edit, rootAt } from "../../engine/edits/support.ts"
import { served, type Folder, type Value } from "../read/support.ts"

const files = { "a.txt": "one\n", "b.txt": "one\n", "c.txt": "one\n" }
const text = (at: Folder, path: string) => readFileSync(at.folder.at(path), "utf8")
const about = (rest: Value) => ({ operation: "batch", options: { transaction_id: "t", ...rest } })

/** Somebody writes a file that was replaced already, and the next one cannot be. */
const conflicted = Effect.gen(function* () {
  const at = yield* served(files)
  const disk: Disk = {
    ...realDisk,
    rename: (from, to) =>
      to.endsWith("b.txt")
        ? Effect.suspend(() => {
            writeFileSync(at.folder.at("a.txt"), "theirs\n")
            return new DiskError({ step: "rename", path: to, code: "EIO" })
          })
        : realDisk.rename(from, to)
  }
  const writer = yield* Effect.orDie(
    makeWriter({
      root: rootAt(at.folder.path),
      state: `${at.folder.path}-state`,
      gate: openGate,
      facts: () => Effect.succeed(new Map()),
      disk
    })
  )
  const plan = yield* Effect.orDie(
    writer.plan(["a.txt", "b.txt", "c.txt"].map((path) => edit(path, "one", "two")))
  )
  const refused = yield* Effect.flip(writer.commit(plan, { transactionId: "t" }))
  assert.strictEqual(refused.reason, "recovery_conflict")
  return at
})

describe("a transaction in conflict", () => {
  it.scoped("is told with all that is known: by its id, among the receipts, and by whoever meets it", () =>
    Effect.gen(function* () {
      const at = yield* conflicted
      const status = yield* at.call("edit", about({ status_only: true }))
      assert.deepStrictEqual(
        [status["status"], status["disk_status"], status["conflicts"]],
        ["recovery_conflict", "conflict", ["a.txt"]]
      )
      assert.deepStrictEqual(
        status["files"].map(({ path, state }: Value) => [path, state]),
        [
          ["a.txt", "unknown"],
          ["b.txt", "before"],
          ["c.txt", "before"]
        ]
      )
      assert.isTrue(status["results"].every((row: Value) => row["new_sha"] === undefined))
      // Named below the home of the server, so that no path of this machine is told.
      const home = dirname(`${at.folder.path}-state`)
      assert.strictEqual(status["kept_in"].split("/")[0], basename(`${at.folder.path}-state`))
      for (const row of status["files"]) {
        assert.strictEqual(readFileSync(join(home, status["kept_in"], row.before), "utf8"), "one\n")
        if (row.after !== undefined)
          assert.strictEqual(readFileSync(join(home, status["kept_in"], row.after), "utf8"), "two\n")
      }
      assert.deepStrictEqual(
        readdirSync(at.folder.path).filter((name) => name.startsWith(".portico")),
        []
      )
      const listed = yield* at.call("change", { operation: "receipt" })
      assert.deepStrictEqual(
        listed["receipts"].map(({ disk_status, receipt, retry_safe }: Value) => [
          receipt,
          disk_status,
          retry_safe
        ]),
        [["t", "failed", false]]
      )
      const met = yield* at.refused("edit", {
        operation: "file",
        target: { file: "b.txt" },
        match: "one",
        replacement: "two"
      })
      assert.deepStrictEqual(
        [met.code, met.field, met.data?.["transaction_id"], met.state_changed, met.recovery?.arguments],
        ["recovery_conflict", "target.file", "t", false, { operation: "receipt", options: { receipt: "t" } }]
      )
      const next = yield* at.call(met.recovery!.tool, met.recovery!.arguments)
      assert.deepStrictEqual([next["disk_status"], next["conflicts"]], ["failed", ["a.txt"]])
    })
  )

  it.scoped("is closed by restoring, which keeps what it replaces", () =>
    Effect.gen(function* () {
      const at = yield* conflicted
      const closed = yield* at.call("edit", about({ recover: "restore" }))
      assert.deepStrictEqual(
        [closed["status"], closed["disk_status"], closed["closed"]],
        ["aborted", "rolled_back", "restored"]
      )
      for (const [path, content] of Object.entries(files)) assert.strictEqual(text(at, path), content)
      const [found] = closed["replaced"]
      assert.strictEqual(found.path, "a.txt")
      assert.strictEqual(
        readFileSync(join(dirname(`${at.folder.path}-state`), closed["kept_in"], found.copy), "utf8"),
        "theirs\n"
      )
      const after = yield* at.call("edit", {
        operation: "file",
        target: { file: "b.txt" },
        match: "one",
        replacement: "two"
      })
      assert.strictEqual(after["status"], "applied")
    })
  )

  it.scoped("is closed by accepting the files as they are", () =>
    Effect.gen(function* () {
      const at = yield* conflicted
      const closed = yield* at.call("edit", about({ recover: "accept" }))
      assert.deepStrictEqual([closed["status"], closed["closed"]], ["aborted", "accepted"])
      assert.deepStrictEqual([text(at, "a.txt"), text(at, "b.txt")], ["theirs\n", "one\n"])
      assert.deepStrictEqual((yield* at.call("change", { operation: "receipt" }))["receipts"], [])
      const told = yield* at.call("change", { operation: "receipt", options: { receipt: "t" } })
      assert.deepStrictEqual([told["disk_status"], told["retry_safe"]], ["failed", false])
    })
  )

  it.scoped("is closed by nothing else", () =>
    Effect.gen(function* () {
      const at = yield* conflicted
      for (const [args, field] of [
        [
          {
            operation: "batch",
            changes: [{ path: "a.txt", match: "x", replacement: "y" }],
            options: { recover: "accept" }
          },
          "options.transaction_id"
        ],
        [
          { ...about({ recover: "accept" }), changes: [{ path: "a.txt", match: "x", replacement: "y" }] },
          "changes"
        ],
        [{ ...about({ recover: "accept" }), dry_run: true }, "dry_run"],
        [about({ recover: "forget" }), "options.recover"]
      ] as const) {
        const refused = yield* at.refused("edit", args)
        assert.deepStrictEqual([refused.code, refused.field], ["invalid_argument", field])
      }
      const status = yield* at.call("edit", about({ status_only: true }))
      assert.strictEqual(status["status"], "recovery_conflict")
    })
  )
})
