import type { ChangeItem } from "../../../src/services/LocalWriter.ts"
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Receipt, Writer } from "../../../src/engine/edits/Writer.ts"
import { EditRefused } from "../../../src/services/EditRefused.ts"
import { abandoned, apply, Bench, edit, outcome, reasonOf, refusedOf } from "./support.ts"

const items: ReadonlyArray<ChangeItem> = [
  edit("a.txt", "one", "ONE"),
  edit("b.txt", "one", "ONE"),
  edit("c.txt", "one", "ONE"),
  { op: "write", path: "made/new.txt", content: "new\n" },
  { op: "delete", path: "gone.txt" }
]

const stage = () =>
  new Bench({ "a.txt": "one\n", "b.txt": "one\n", "c.txt": "one\n", "gone.txt": "bye\n", "other.txt": "x\n" })

/** A transaction whose process died before its third file, and a file of it that somebody wrote afterwards. */
const conflict = async (bench: Bench): Promise<Writer> => {
  await abandoned(bench, items, (step, path) => step === "rename" && path.endsWith("tree/c.txt"))
  writeFileSync(bench.at("tree/b.txt"), "theirs\n")
  const writer = await bench.writer()
  const report = await Effect.runPromise(writer.recover)
  expect(report.conflicts).toEqual([{ transactionId: "t", paths: ["b.txt"] }])
  return writer
}

const receiptOf = async (writer: Writer): Promise<Receipt> => {
  const receipt = await Effect.runPromise(writer.receipt("t"))
  if (receipt === null) throw new Error("there is no receipt")
  return receipt
}

const kept = (bench: Bench, receipt: Receipt, name: string | null): string | null =>
  name === null ? null : readFileSync(join(bench.path, receipt.conflict!.keptIn, name), "utf8")

describe("a conflict", () => {
  it("is told with the state of every file and copies of both sides, and leaves no temporary file", async () => {
    using bench = stage()
    const writer = await conflict(bench)
    expect(bench.names()).toEqual(["a.txt", "b.txt", "c.txt", "gone.txt", "other.txt"])
    const receipt = await receiptOf(writer)
    expect([receipt.state, receipt.diskStatus, receipt.conflicts]).toEqual([
      "recovery_conflict",
      "conflict",
      ["b.txt"]
    ])
    expect(
      receipt.conflict!.files.map(({ after, before, path, state }) => [
        path,
        state,
        kept(bench, receipt, before),
        kept(bench, receipt, after)
      ])
    ).toEqual([
      ["a.txt", "after", "one\n", "ONE\n"],
      // Its new bytes were renamed into place and overwritten there.
      ["b.txt", "unknown", "one\n", null],
      ["c.txt", "before", "one\n", "ONE\n"],
      ["gone.txt", "before", "bye\n", null],
      ["made/new.txt", "before", null, "new\n"]
    ])
    expect(receipt.changes.map(({ changed, sha }) => [changed, sha])).toEqual(items.map(() => [false, null]))
    expect(receipt.readRevisions).toEqual({})
    expect(await Effect.runPromise(writer.conflicts)).toEqual([receipt])
  })

  it("is restored on request: old bytes everywhere, and a copy of what nobody knew", async () => {
    using bench = stage()
    const before = bench.treeHash()
    const writer = await conflict(bench)
    const closed = await outcome(writer.resolve("t", "restore"))
    expect(bench.treeHash()).toBe(before)
    expect(closed).toMatchObject({
      state: "aborted",
      diskStatus: "rolled_back",
      conflicts: [],
      conflict: { closed: "restored", found: [{ path: "b.txt" }] }
    })
    const receipt = closed as Receipt
    expect(kept(bench, receipt, receipt.conflict!.found[0]!.copy)).toBe("theirs\n")
    expect(await Effect.runPromise(writer.conflicts)).toEqual([])
    expect((await Effect.runPromise(writer.recover)).conflicts).toEqual([])
  })

  it("is accepted on request, with every file left as it is", async () => {
    using bench = stage()
    const writer = await conflict(bench)
    const before = bench.treeHash()
    expect(await outcome(writer.resolve("t", "accept"))).toMatchObject({
      state: "aborted",
      diskStatus: "conflict",
      conflict: { closed: "accepted", found: [] }
    })
    expect(bench.treeHash()).toBe(before)
    expect(await Effect.runPromise(writer.conflicts)).toEqual([])
    // Saying it again tells the same and does nothing.
    expect(await outcome(writer.resolve("t", "restore"))).toMatchObject({
      replayed: true,
      conflict: { closed: "accepted" }
    })
    expect(bench.treeHash()).toBe(before)
  })

  it("closes by itself once all its files are known again", async () => {
    using bench = stage()
    const before = bench.treeHash()
    await conflict(bench)
    writeFileSync(bench.at("tree/b.txt"), "one\n")
    const writer = await bench.writer()
    expect(await Effect.runPromise(writer.recover)).toMatchObject({ aborted: ["t"], conflicts: [] })
    expect(bench.treeHash()).toBe(before)
  })

  it("holds up other commits to its files, and no others, until it is closed", async () => {
    using bench = stage()
    const writer = await conflict(bench)
    expect(reasonOf(await apply(writer, [edit("other.txt", "x", "y")]))).toBe("succeeded")
    const before = bench.treeHash()
    const refused = refusedOf(await apply(writer, [edit("a.txt", "ONE", "two")]))
    expect([refused.reason, refused.path, refused.stateChanged, refused.data?.["transaction_id"]]).toEqual([
      "recovery_conflict",
      "a.txt",
      false,
      "t"
    ])
    expect(bench.treeHash()).toBe(before)
    await outcome(writer.resolve("t", "accept"))
    expect(reasonOf(await apply(writer, [edit("a.txt", "ONE", "two")]))).toBe("succeeded")
  })

  it("stays open where something that is no file stands in a file's place", async () => {
    using bench = stage()
    const writer = await conflict(bench)
    rmSync(bench.at("tree/b.txt"))
    bench.write("tree/b.txt/inside", "x")
    const before = bench.treeHash()
    const refused = refusedOf(await outcome(writer.resolve("t", "restore")))
    expect([refused.reason, refused.path]).toEqual(["not_file", "b.txt"])
    expect(bench.treeHash()).toBe(before)
    expect((await receiptOf(writer)).state).toBe("recovery_conflict")
  })

  it("of an id nobody knows is refused, and a transaction without one is only told of", async () => {
    using bench = stage()
    const writer = await bench.writer()
    expect(reasonOf(await outcome(writer.resolve("never", "accept")))).toBe("unknown_transaction")
    await apply(writer, [edit("a.txt", "one", "two")], {}, { transactionId: "fine" })
    expect(await outcome(writer.resolve("fine", "restore"))).toMatchObject({ state: "committed" })
    expect(bench.text("a.txt")).toBe("two\n")
  })

  it("keeps its record until it is closed, however many receipts come after it", async () => {
    using bench = stage()
    const writer = await conflict(bench)
    const folder = (await receiptOf(writer)).conflict!.keptIn
    expect(readdirSync(bench.at(folder)).length).toBeGreaterThan(5)
    for (let n = 0; n < 3; n++) await apply(writer, [edit("other.txt", "x", "x")])
    expect((await receiptOf(writer)).conflict!.files).toHaveLength(5)
  })
})

describe("a receipt of what was not committed", () => {
  it("shows no new content", async () => {
    using bench = stage()
    await abandoned(bench, items, (step, path) => step === "rename" && path.endsWith("tree/c.txt"))
    const receipt = await apply(await bench.writer(), items, { owner: "s" }, { transactionId: "t" })
    if (receipt instanceof EditRefused) throw receipt
    expect([receipt.state, receipt.summary.changedFiles]).toEqual(["aborted", 0])
    expect(receipt.changes.map(({ changed, sha }) => [changed, sha])).toEqual(items.map(() => [false, null]))
    expect(receipt.readRevisions).toEqual({})
  })
})
