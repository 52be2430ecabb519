import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { realDisk } from "../../../src/engine/edits/Disk.ts"
import { generatedLife, givenLife, Journal, type Manifest } from "../../../src/engine/edits/Journal.ts"
import { sha256 } from "../../../src/engine/edits/Plan.ts"
import { EditRefused } from "../../../src/services/EditRefused.ts"
import { TempFolder } from "../git/TempRepo.ts"
import { apply, Bench, edit, outcome, reasonOf } from "./support.ts"

const record = (id: string, more: Partial<Manifest> = {}): Manifest => ({
  version: 1,
  id,
  generated: false,
  fingerprint: "f",
  root: "/r",
  state: "committed",
  diskStatus: "committed",
  createdAt: 0,
  updatedAt: 0,
  directories: [],
  files: [],
  changes: [],
  summary: { requestedChanges: 1, changedFiles: 1, logicalEdits: 1, resolvedMatches: 1, warnings: 0 },
  conflicts: [],
  ...more
})

const ids = (journal: Journal) =>
  Effect.map(journal.all(), ({ manifests }) => manifests.map(({ id }) => id).sort())

describe("the journal", () => {
  it.effect("keeps receipts of generated ids for half an hour and those of given ids for a day", () =>
    Effect.gen(function* () {
      const temp = yield* Effect.acquireRelease(
        Effect.sync(() => new TempFolder()),
        (folder) => Effect.sync(() => folder[Symbol.dispose]())
      )
      const journal = new Journal(realDisk, temp.path)
      yield* journal.open(record("given"), [])
      yield* journal.open(record("generated", { generated: true }), [])
      yield* journal.open(record("half-way", { generated: true, state: "prepared" }), [])
      yield* journal.open(record("in conflict", { generated: true, state: "recovery_conflict" }), [])
      yield* TestClock.adjust(generatedLife)
      expect(yield* journal.sweep()).toBe(0)
      yield* TestClock.adjust(1)
      expect(yield* journal.sweep()).toBe(1)
      expect(yield* ids(journal)).toEqual(["given", "half-way", "in conflict"])
      yield* TestClock.adjust(givenLife)
      expect(yield* journal.sweep()).toBe(1)
      expect(yield* ids(journal)).toEqual(["half-way", "in conflict"])
    }).pipe(Effect.scoped)
  )

  it("keeps so many receipts at most and lets those of generated ids go first, the oldest first", async () => {
    using temp = new TempFolder()
    const journal = new Journal(realDisk, temp.path)
    const now = Date.now()
    for (let i = 0; i < 4; i++) {
      await Effect.runPromise(
        journal.open(record(`g${i}`, { generated: true, updatedAt: now - 1000 + i }), [])
      )
      await Effect.runPromise(journal.open(record(`c${i}`, { updatedAt: now - 2000 + i }), []))
    }
    expect(await Effect.runPromise(journal.sweep(5))).toBe(3)
    expect(await Effect.runPromise(ids(journal))).toEqual(["c0", "c1", "c2", "c3", "g3"])
  })

  it("gives back the old bytes and notices when they are damaged", async () => {
    using temp = new TempFolder()
    const journal = new Journal(realDisk, temp.path)
    const [one, two] = [Buffer.from("one"), Buffer.from([0, 255, 10])]
    const file = (bytes: Buffer, offset: number) => ({
      path: "p",
      absolute: "/r/p",
      temporary: "/r/t",
      restoring: "/r/o",
      before: { sha256: sha256(bytes), mode: 0o644, uid: 0, gid: 0, offset, length: bytes.length },
      after: null
    })
    const manifest = record("t", { state: "prepared", files: [file(one, 0), file(two, 3)] })
    await Effect.runPromise(journal.open(manifest, [one, two]))
    const images = await Effect.runPromise(
      Effect.forEach(manifest.files, (each) => journal.image(manifest, each))
    )
    expect(images.map((bytes) => [...bytes])).toEqual([[...one], [...two]])
    writeFileSync(temp.at("batch-transactions", sha256("t"), "before.bin"), "onE___")
    expect(await Effect.runPromise(Effect.flip(journal.image(manifest, manifest.files[0]!)))).toMatchObject({
      code: "DAMAGED"
    })
  })

  it("knows what is not over, of one root", async () => {
    using temp = new TempFolder()
    const journal = new Journal(realDisk, temp.path)
    await Effect.runPromise(journal.open(record("a", { state: "preparing" }), []))
    await Effect.runPromise(journal.open(record("b", { state: "preparing", root: "/other" }), []))
    await Effect.runPromise(journal.open(record("c"), []))
    const pending = () => Effect.runPromise(journal.pending("/r")).then((all) => all.map(({ id }) => id))
    expect(await pending()).toEqual(["a"])
    await Effect.runPromise(journal.write(record("a", { state: "prepared" }), false))
    expect(await pending()).toEqual(["a"])
    await Effect.runPromise(journal.write(record("a"), true))
    expect(await pending()).toEqual([])
  })
})

describe("a damaged record", () => {
  it("is neither replayed nor written over", async () => {
    using bench = new Bench({ "a.txt": "x\n" })
    const writer = await bench.writer()
    await apply(writer, [edit("a.txt", "x", "y")], {}, { transactionId: "t" })
    writeFileSync(bench.at("state/batch-transactions", sha256("t"), "manifest.json"), '{"version": 1')
    const again = await apply(writer, [edit("a.txt", "y", "z")], {}, { transactionId: "t" })
    expect(again).toMatchObject({ reason: "recovery_conflict", outcomeUnknown: true })
    expect(await outcome(writer.receipt("t"))).toBeInstanceOf(EditRefused)
    expect((await Effect.runPromise(writer.recover)).unreadable).toBe(1)
    expect(bench.text("a.txt")).toBe("y\n")
  })
})

describe("the state directory", () => {
  it("is private, and holds no old bytes once a transaction is over", async () => {
    using bench = new Bench({ "a.txt": "x\n" })
    await apply(await bench.writer(), [edit("a.txt", "x", "y")], {}, { transactionId: "t" })
    expect(readdirSync(bench.at("state/batch-transactions", sha256("t")))).toEqual(["manifest.json"])
    expect(readdirSync(bench.at("state/open-transactions"))).toEqual([])
    expect(readdirSync(bench.at("state/locks"))).toEqual([])
    expect(existsSync(bench.at("tree/.portico"))).toBe(false)
  })

  it("that cannot be made is a failure that changed nothing", async () => {
    using bench = new Bench({ "a.txt": "x\n" })
    const writer = await bench.writer()
    mkdirSync(bench.at("state/batch-transactions"), { recursive: true })
    writeFileSync(bench.at("state/batch-transactions", sha256("t")), "in the way")
    const before = bench.treeHash()
    const refused = await apply(writer, [edit("a.txt", "x", "y")], {}, { transactionId: "t" })
    expect(reasonOf(refused)).toBe("io_error")
    expect(refused).toMatchObject({ stateChanged: false })
    expect(bench.treeHash()).toBe(before)
  })
})
