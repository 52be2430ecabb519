import type { ChangeItem } from "../../../src/services/LocalWriter.ts"
import {
  chmodSync,
  linkSync,
  lstatSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { type Disk, DiskError, realDisk } from "../../../src/engine/edits/Disk.ts"
import { EditRefused } from "../../../src/services/EditRefused.ts"
import { apply, Bench, edit, outcome, reasonOf, refusedOf, shaOf } from "./support.ts"

const four: ReadonlyArray<ChangeItem> = [
  edit("a.txt", "one", "ONE"),
  { op: "write", path: "made/in/here.txt", content: "new\n" },
  { op: "move", source: "src.sh", destination: "moved/dst.sh" },
  { op: "delete", path: "gone.txt" }
]

const stage = (): Bench => {
  const bench = new Bench({ "a.txt": "one\ntwo\n", "src.sh": "#!/bin/sh\n", "gone.txt": "bye\n" })
  chmodSync(bench.at("tree/src.sh"), 0o755)
  chmodSync(bench.at("tree/a.txt"), 0o640)
  return bench
}

describe("a commit", () => {
  it("applies edits, writes, moves and deletions together and keeps modes", async () => {
    using bench = stage()
    const writer = await bench.writer()
    const receipt = await apply(writer, four)
    if (receipt instanceof EditRefused) throw receipt
    expect(receipt.state).toBe("committed")
    expect(receipt.diskStatus).toBe("committed")
    expect(receipt.summary).toEqual({
      requestedChanges: 4,
      changedFiles: 4,
      logicalEdits: 4,
      resolvedMatches: 1,
      warnings: 0
    })
    expect(receipt.changes.map(({ sha }) => sha)).toEqual([
      shaOf("ONE\ntwo\n"),
      shaOf("new\n"),
      shaOf("#!/bin/sh\n"),
      null
    ])
    expect(bench.names()).toEqual(["a.txt", "made", "made/in", "made/in/here.txt", "moved", "moved/dst.sh"])
    expect(bench.text("a.txt")).toBe("ONE\ntwo\n")
    expect(statSync(bench.at("tree/a.txt")).mode & 0o7777).toBe(0o640)
    expect(statSync(bench.at("tree/moved/dst.sh")).mode & 0o7777).toBe(0o755)
    expect(statSync(bench.at("tree/made/in/here.txt")).mode & 0o7777).toBe(0o666 & ~process.umask())
    // The receipt repeats no text of the edit.
    expect(JSON.stringify(receipt)).not.toContain("ONE")
  })

  it("leaves a link in place and writes its target", async () => {
    using bench = new Bench({ "real.txt": "one\n" })
    symlinkSync("real.txt", bench.at("tree/link.txt"))
    const receipt = await apply(await bench.writer(), [edit("link.txt", "one", "two")])
    if (receipt instanceof EditRefused) throw receipt
    expect(receipt.changes[0]!.path).toBe("real.txt")
    expect(readlinkSync(bench.at("tree/link.txt"))).toBe("real.txt")
    expect(lstatSync(bench.at("tree/link.txt")).isSymbolicLink()).toBe(true)
    expect(bench.text("real.txt")).toBe("two\n")
  })

  it("keeps the identity of a moved file", async () => {
    using bench = stage()
    const before = statSync(bench.at("tree/src.sh")).ino
    await apply(await bench.writer(), [{ op: "move", source: "src.sh", destination: "b/c.sh" }])
    expect(statSync(bench.at("tree/b/c.sh")).ino).toBe(before)
  })

  it("does not write through a second name of the file", async () => {
    using bench = new Bench({ "a.txt": "one\n" })
    writeFileSync(bench.at("store.txt"), "one\n")
    linkSync(bench.at("store.txt"), bench.at("tree/b.txt"))
    await apply(await bench.writer(), [edit("b.txt", "one", "two")])
    expect(bench.text("b.txt")).toBe("two\n")
    expect(statSync(bench.at("store.txt")).size).toBe(4)
  })

  it("changes nothing on disk for an edit that changes nothing, and says so", async () => {
    using bench = new Bench({ "a.txt": "one\n" })
    const before = statSync(bench.at("tree/a.txt"))
    const receipt = await apply(await bench.writer(), [edit("a.txt", "one", "one")])
    if (receipt instanceof EditRefused) throw receipt
    expect(receipt.changes[0]!.changed).toBe(false)
    expect(receipt.diskStatus).toBe("unchanged")
    expect(statSync(bench.at("tree/a.txt")).ino).toBe(before.ino)
  })

  it("writes nothing when one item of several is refused", async () => {
    using bench = stage()
    const before = bench.treeHash()
    const refused = refusedOf(await apply(await bench.writer(), [...four, edit("nowhere.txt", "x", "y")]))
    expect(refused.reason).toBe("not_found")
    expect(refused.changeIndex).toBe(4)
    expect(refused.stateChanged).toBe(false)
    expect(bench.treeHash()).toBe(before)
  })

  it("finds matches again when it commits: a dry run is no licence", async () => {
    using bench = new Bench({ "a.txt": "one\n" })
    const writer = await bench.writer()
    const plan = await Effect.runPromise(
      writer.plan([
        {
          op: "edit",
          path: "a.txt",
          edits: [{ match: "one", replacement: "two" }],
          guard: { baseSha: shaOf("one\n") }
        }
      ])
    )
    expect(plan.problems).toEqual([])
    writeFileSync(bench.at("tree/a.txt"), "one more\n")
    const refused = refusedOf(await outcome(writer.commit(plan)))
    expect(refused.reason).toBe("base_sha_mismatch")
    expect(refused.code).toBe("stale_revision")
    expect(bench.text("a.txt")).toBe("one more\n")
  })

  it("takes content, not time stamps, for a change", async () => {
    using bench = new Bench({ "a.txt": "one\n" })
    const guard = { baseSha: shaOf("one\n").toUpperCase() }
    utimesSync(bench.at("tree/a.txt"), 1, 1)
    const item: ChangeItem = {
      op: "edit",
      path: "a.txt",
      edits: [{ match: "one", replacement: "two" }],
      guard
    }
    expect(reasonOf(await apply(await bench.writer(), [item]))).toBe("succeeded")
  })
})

describe("a transaction id", () => {
  it("applies once and replays its receipt, also through another writer", async () => {
    using bench = new Bench({ "a.txt": "x\n" })
    const items = [edit("a.txt", "x", "xx")]
    const first = await apply(await bench.writer(), items, {}, { transactionId: "t1" })
    const second = await apply(await bench.writer(), items, {}, { transactionId: "t1" })
    if (first instanceof EditRefused) throw first
    if (second instanceof EditRefused) throw second
    expect(bench.text("a.txt")).toBe("xx\n")
    expect([first.replayed, second.replayed]).toEqual([false, true])
    expect(second.changes).toEqual(first.changes)
  })

  it("refuses other edits under the same id", async () => {
    using bench = new Bench({ "a.txt": "x\n" })
    const writer = await bench.writer()
    await apply(writer, [edit("a.txt", "x", "y")], {}, { transactionId: "t1" })
    const refused = refusedOf(await apply(writer, [edit("a.txt", "y", "z")], {}, { transactionId: "t1" }))
    expect([refused.reason, refused.code]).toEqual(["transaction_mismatch", "idempotency_conflict"])
    expect(bench.text("a.txt")).toBe("y\n")
  })

  it.each([
    ["", "invalid"],
    [" ", "invalid"],
    ["a\nb", "invalid"],
    ["x".repeat(201), "invalid"],
    ["x".repeat(200), "fine"]
  ])("of %j is %s", async (transactionId, verdict) => {
    using bench = new Bench({ "a.txt": "x\n" })
    const reason = reasonOf(
      await apply(await bench.writer(), [edit("a.txt", "x", "y")], {}, { transactionId })
    )
    expect(reason).toBe(verdict === "fine" ? "succeeded" : "invalid_transaction_id")
  })

  it("is free again after a refusal that started nothing", async () => {
    using bench = new Bench({ "a.txt": "x\n" })
    const writer = await bench.writer()
    expect(reasonOf(await apply(writer, [edit("a.txt", "q", "y")], {}, { transactionId: "t1" }))).toBe(
      "match_not_found"
    )
    expect(await outcome(writer.receipt("t1"))).toBe(null)
    expect(reasonOf(await apply(writer, [edit("a.txt", "x", "y")], {}, { transactionId: "t1" }))).toBe(
      "succeeded"
    )
  })

  it("answers for a generated id too, and null for a strange one", async () => {
    using bench = new Bench({ "a.txt": "x\n" })
    const writer = await bench.writer()
    const done = await apply(writer, [edit("a.txt", "x", "y")])
    if (done instanceof EditRefused) throw done
    expect(await outcome(writer.receipt(done.transactionId))).toMatchObject({
      state: "committed",
      replayed: true
    })
    expect(await outcome(writer.receipt("never"))).toBe(null)
  })
})

/** Fails the k-th operation (from 1): before it is done, after it, or from then on. */
const failing = (
  k: number,
  when: "before" | "after" | "ever"
): { readonly disk: Disk; readonly count: () => number; readonly arm: () => void } => {
  let n = 0
  let armed = false
  const wrap =
    (step: keyof Disk) =>
    (...args: ReadonlyArray<unknown>): Effect.Effect<unknown, DiskError> =>
      Effect.suspend(() => {
        const run = (realDisk[step] as (...all: ReadonlyArray<unknown>) => Effect.Effect<unknown, DiskError>)(
          ...args
        )
        const path = String(args[0])
        // Locks have a test of their own.
        if (!armed || path.includes("/locks/")) return run
        n++
        const error = new DiskError({ step, path, code: "EIO" })
        if (n === k && when !== "after") return error
        if (n > k && when === "ever") return error
        return n === k ? Effect.zipRight(Effect.ignore(run), error) : run
      })
  const steps = Object.keys(realDisk) as ReadonlyArray<keyof Disk>
  return {
    disk: Object.fromEntries(steps.map((step) => [step, wrap(step)])) as unknown as Disk,
    count: () => n,
    arm: () => (armed = true)
  }
}

const total = async (): Promise<number> => {
  using bench = stage()
  const { disk, count, arm } = failing(Infinity, "before")
  const writer = await bench.writer({ disk })
  arm()
  expect(reasonOf(await apply(writer, four))).toBe("succeeded")
  return count()
}

describe("a failing disk", () => {
  it.each(["before", "after"] as const)(
    "leaves the tree as it was when any one step fails (%s it is done)",
    async (when) => {
      const steps = await total()
      expect(steps).toBeGreaterThan(25)
      let failures = 0
      for (let k = 1; k <= steps; k++) {
        using bench = stage()
        const before = bench.treeHash()
        const { disk, arm } = failing(k, when)
        const writer = await bench.writer({ disk })
        arm()
        const result = await apply(writer, four)
        if (!(result instanceof EditRefused)) {
          expect(bench.text("a.txt"), `step ${k}`).toBe("ONE\ntwo\n")
          continue
        }
        failures++
        expect(result.stateChanged, `step ${k}`).toBe(false)
        expect(result.outcomeUnknown, `step ${k}`).toBe(undefined)
        expect(bench.treeHash(), `step ${k}`).toBe(before)
      }
      // Only what follows the commit, or makes way for it, may fail unnoticed.
      expect(failures).toBeGreaterThan(steps * 0.7)
    }
  )

  it("is not left with work under way: whoever is interrupted waits for what began", async () => {
    using bench = stage()
    const path = bench.at("tree/large.txt")
    await Effect.runPromise(
      Effect.gen(function* () {
        const writing = yield* Effect.fork(
          realDisk.create(path, Buffer.alloc(4_000_000, "x"), { mode: 0o644 })
        )
        yield* Effect.sleep("1 millis")
        yield* Fiber.interrupt(writing)
      })
    )
    // What was begun is done, and nothing comes after it.
    expect(statSync(path).size).toBe(4_000_000)
  })

  it("that fails for good yields the old tree or an unknown outcome, and recovery makes it whole", async () => {
    const steps = await total()
    let unknown = 0
    for (let k = 1; k <= steps; k++) {
      using bench = stage()
      const before = bench.treeHash()
      const { disk, arm } = failing(k, "ever")
      const writer = await bench.writer({ disk })
      arm()
      const result = await apply(writer, four, {}, { transactionId: "t" })
      const after = await (async () => {
        using whole = stage()
        await apply(await whole.writer(), four)
        return whole.treeHash()
      })()
      if (result instanceof EditRefused) {
        if (result.outcomeUnknown === true) {
          unknown++
          expect(result.stateChanged).toBe(undefined)
        } else {
          expect(result.stateChanged, `step ${k}`).toBe(false)
          const left = bench.names().filter((name) => !/\.portico-new-[0-9a-f]{16}$/.test(name))
          expect(
            left.filter((name) => !["made", "made/in", "moved"].includes(name)),
            `step ${k}`
          ).toEqual(["a.txt", "gone.txt", "src.sh"])
        }
      }
      const report = await Effect.runPromise((await bench.writer()).recover)
      expect(report.conflicts, `step ${k}`).toEqual([])
      expect(report.failed, `step ${k}`).toEqual([])
      const now = bench.treeHash()
      expect(now === before || now === after, `step ${k}`).toBe(true)
      if (!(result instanceof EditRefused)) expect(now, `step ${k}`).toBe(after)
    }
    expect(unknown).toBeGreaterThan(3)
  })

  it("stops and touches nothing more when somebody wrote a file that was just replaced", async () => {
    using bench = new Bench({ "a.txt": "one\n", "b.txt": "one\n" })
    const disk: Disk = {
      ...realDisk,
      rename: (from, to) =>
        to.endsWith("b.txt")
          ? Effect.suspend(() => {
              writeFileSync(bench.at("tree/a.txt"), "theirs\n")
              return new DiskError({ step: "rename", path: to, code: "EIO" })
            })
          : realDisk.rename(from, to)
    }
    const writer = await bench.writer({ disk })
    const refused = refusedOf(
      await apply(
        writer,
        [edit("a.txt", "one", "two"), edit("b.txt", "one", "two")],
        {},
        { transactionId: "t" }
      )
    )
    expect([refused.reason, refused.outcomeUnknown]).toEqual(["recovery_conflict", true])
    expect(refused.data).toMatchObject({
      transaction_id: "t",
      paths: ["a.txt"],
      files: [
        { path: "a.txt", state: "unknown" },
        { path: "b.txt", state: "before" }
      ]
    })
    expect(bench.text("a.txt")).toBe("theirs\n")
    expect(await outcome(writer.receipt("t"))).toMatchObject({
      state: "recovery_conflict",
      diskStatus: "conflict"
    })
  })

  it("notices a file changed by somebody else at the last moment and puts the others back", async () => {
    using bench = new Bench({ "a.txt": "one\n", "b.txt": "one\n" })
    const disk: Disk = {
      ...realDisk,
      rename: (from, to) =>
        Effect.tap(realDisk.rename(from, to), () =>
          Effect.sync(() => {
            if (to.endsWith("tree/a.txt")) writeFileSync(bench.at("tree/b.txt"), "theirs\n")
          })
        )
    }
    const refused = refusedOf(
      await apply(await bench.writer({ disk }), [edit("a.txt", "one", "two"), edit("b.txt", "one", "two")])
    )
    expect([refused.reason, refused.path, refused.stateChanged]).toEqual([
      "changed_during_commit",
      "b.txt",
      false
    ])
    expect([bench.text("a.txt"), bench.text("b.txt")]).toEqual(["one\n", "theirs\n"])
    expect(bench.names()).toEqual(["a.txt", "b.txt"])
  })

  it("does not replace a file that appears where one is to be created, nor remove it", async () => {
    using bench = new Bench({ "a.txt": "one\n" })
    const disk: Disk = {
      ...realDisk,
      link: (from, to) =>
        Effect.suspend(() => {
          if (to.endsWith("new.txt")) writeFileSync(to, "theirs\n")
          return realDisk.link(from, to)
        })
    }
    const refused = refusedOf(
      await apply(await bench.writer({ disk }), [
        edit("a.txt", "one", "two"),
        { op: "write", path: "new.txt", content: "ours\n" }
      ])
    )
    expect(refused.reason).toBe("destination_exists")
    expect([bench.text("a.txt"), bench.text("new.txt")]).toEqual(["one\n", "theirs\n"])
  })
})

describe("cancelling", () => {
  const parked = (bench: Bench, at: (step: string, path: string) => boolean) => {
    let reached: () => void = () => {}
    const arrived = new Promise<void>((resolve) => {
      reached = resolve
    })
    const hold = <A>(step: string, path: string, run: Effect.Effect<A, DiskError>) =>
      at(step, path)
        ? Effect.sync(() => reached()).pipe(Effect.zipRight(Effect.sleep(60)), Effect.zipRight(run))
        : run
    const disk: Disk = {
      ...realDisk,
      create: (path, bytes, options) => hold("create", path, realDisk.create(path, bytes, options)),
      rename: (from, to) => hold("rename", to, realDisk.rename(from, to))
    }
    return { disk, arrived }
  }

  it("before the first rename leaves everything as it was", async () => {
    using bench = stage()
    const before = bench.treeHash()
    const { disk, arrived } = parked(
      bench,
      (step, path) => step === "create" && path.includes(".portico-new-")
    )
    const writer = await bench.writer({ disk })
    const fiber = Effect.runFork(
      Effect.flatMap(writer.plan(four), (plan) => writer.commit(plan, { transactionId: "t" }))
    )
    await arrived
    await Effect.runPromise(fiber.interruptAsFork(fiber.id()))
    const exit = await Effect.runPromise(fiber.await)
    expect(exit._tag).toBe("Failure")
    expect(bench.treeHash()).toBe(before)
    expect(await outcome(writer.receipt("t"))).toMatchObject({ state: "aborted", diskStatus: "unchanged" })
  })

  it("after it runs through to the end", async () => {
    using bench = stage()
    const { disk, arrived } = parked(bench, (step, path) => step === "rename" && path.endsWith("a.txt"))
    const writer = await bench.writer({ disk })
    const fiber = Effect.runFork(
      Effect.flatMap(writer.plan(four), (plan) => writer.commit(plan, { transactionId: "t" }))
    )
    await arrived
    await Effect.runPromise(fiber.interruptAsFork(fiber.id()))
    await Effect.runPromise(fiber.await)
    expect(bench.text("a.txt")).toBe("ONE\ntwo\n")
    expect(await outcome(writer.receipt("t"))).toMatchObject({ state: "committed", diskStatus: "committed" })
    expect(readdirSync(bench.at("state/locks"))).toEqual([])
  })
})
