import type { ChangeItem } from "../../../src/services/LocalWriter.ts"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Disk, DiskError, realDisk } from "../../../src/engine/edits/Disk.ts"
import { program } from "../../program.ts"
import { abandoned, apply, Bench, dyingAt, edit, outcome, reasonOf, refusedOf } from "./support.ts"

/** Kills in a row. `PORTICO_KILLS=100` runs all that the design asks for; the default keeps the suite quick. */
const kills = Number(process.env["PORTICO_KILLS"] ?? 25)
const files = 16

const generationOf = (bench: Bench): number => {
  const seen = new Set(
    Array.from(
      { length: files - 1 },
      (_, i) => /^generation (\d+) of f\d+\n/.exec(bench.text(`f${i}.txt`))![1]
    )
  )
  expect([...seen], "one generation in all files").toHaveLength(1)
  const [generation] = seen
  expect(bench.names(), "nothing else in the tree").toEqual(
    [...Array.from({ length: files - 1 }, (_, i) => `f${i}.txt`), `moving-${generation}.txt`].sort()
  )
  return Number(generation)
}

describe("killing the writer", () => {
  it(
    `${kills} times at random moments never leaves a mixture behind`,
    async () => {
      using bench = new Bench()
      for (let i = 0; i < files - 1; i++)
        bench.write(`tree/f${i}.txt`, `generation 0 of f${i}\n${"text\n".repeat(200)}`)
      bench.write("tree/moving-0.txt", "goes with it\n")
      let mixed = 0
      const ends = { committed: 0, aborted: 0, untouched: 0 }
      /** Milliseconds a fresh child took from one word to the next, as last seen. */
      const spans = { ready: 0, writing: 0 }
      const run = async (mark: "ready" | "writing", delay: () => number): Promise<void> => {
        const running = spawn(
          process.execPath,
          [program("batch-child"), bench.at("tree"), bench.at("state"), String(files)],
          {
            stdio: ["ignore", "pipe", "pipe"]
          }
        )
        let errors = ""
        running.stderr.on("data", (data) => (errors += data))
        const gone = once(running, "exit")
        const heard = new Map<string, number>()
        let said = ""
        await new Promise<void>((resolve) => {
          running.stdout.on("data", (data) => {
            said += data
            for (const word of said.split("\n").slice(0, -1)) {
              if (heard.has(word)) continue
              heard.set(word, performance.now())
              if (word === mark) setTimeout(resolve, delay())
              if (word === "writing") spans.ready = heard.get("writing")! - heard.get("ready")!
              if (word === "done") spans.writing = heard.get("done")! - heard.get("writing")!
              if (word === "done") resolve()
            }
          })
          running.on("exit", () => resolve())
        })
        running.kill("SIGKILL")
        await gone
        expect(errors).toBe("")
      }
      await run("ready", () => 60_000)
      await Effect.runPromise((await bench.writer()).recover)
      for (let n = 0; n < kills; n++) {
        if (n % 5 === 0) await run("ready", () => Math.random() * spans.ready)
        else await run("writing", () => Math.random() * spans.writing)
        const before = new Set(
          Array.from({ length: files - 1 }, (_, i) => bench.text(`f${i}.txt`).split(" ")[1])
        )
        if (before.size > 1) mixed++
        const report = await Effect.runPromise((await bench.writer()).recover)
        expect(report.conflicts).toEqual([])
        expect(report.failed).toEqual([])
        expect(report.running).toEqual([])
        expect(report.unreadable).toBe(0)
        ends.committed += report.committed.length
        ends.aborted += report.aborted.length
        if (report.committed.length + report.aborted.length === 0) ends.untouched++
        generationOf(bench)
      }
      // The moments were varied enough to mean something.
      expect(ends.committed + ends.aborted).toBeGreaterThan(kills / 3)
      expect(generationOf(bench)).toBeGreaterThan(0)
      if (kills >= 25) expect(mixed).toBeGreaterThan(0)
      expect(readdirSync(bench.at("state/locks"))).toEqual([])
    },
    Math.max(180_000, kills * 6_000)
  )
})

const items: ReadonlyArray<ChangeItem> = [
  edit("a.txt", "one", "ONE"),
  edit("b.txt", "one", "ONE"),
  { op: "write", path: "new.txt", content: "new\n" },
  { op: "delete", path: "gone.txt" }
]

const stage = () => new Bench({ "a.txt": "one\n", "b.txt": "one\n", "gone.txt": "bye\n" })

describe("recovery", () => {
  it("commits when every file is new", async () => {
    using bench = stage()
    await abandoned(
      bench,
      items,
      (step, path) =>
        step === "syncDirectory" && path.endsWith("tree") && !existsSync(bench.at("tree/gone.txt"))
    )
    const writer = await bench.writer()
    expect(await Effect.runPromise(writer.recover)).toMatchObject({
      committed: ["t"],
      aborted: [],
      conflicts: []
    })
    expect(bench.names()).toEqual(["a.txt", "b.txt", "new.txt"])
    expect([bench.text("a.txt"), bench.text("b.txt"), bench.text("new.txt")]).toEqual([
      "ONE\n",
      "ONE\n",
      "new\n"
    ])
    expect(await outcome(writer.receipt("t"))).toMatchObject({ state: "committed", diskStatus: "committed" })
  })

  it("aborts when every file is old", async () => {
    using bench = stage()
    const before = bench.treeHash()
    await abandoned(bench, items, (step, path) => step === "rename" && path.endsWith("tree/a.txt"))
    const writer = await bench.writer()
    expect(await Effect.runPromise(writer.recover)).toMatchObject({
      committed: [],
      aborted: ["t"],
      conflicts: []
    })
    expect(bench.treeHash()).toBe(before)
    expect(await outcome(writer.receipt("t"))).toMatchObject({ state: "aborted", diskStatus: "unchanged" })
  })

  it("restores a mixture", async () => {
    using bench = stage()
    const before = bench.treeHash()
    await abandoned(bench, items, (step, path) => step === "unlink" && path.endsWith("gone.txt"))
    expect(bench.text("a.txt")).toBe("ONE\n")
    const writer = await bench.writer()
    expect(await Effect.runPromise(writer.recover)).toMatchObject({
      committed: [],
      aborted: ["t"],
      conflicts: []
    })
    expect(bench.treeHash()).toBe(before)
    expect(await outcome(writer.receipt("t"))).toMatchObject({ state: "aborted", diskStatus: "rolled_back" })
  })

  it("touches nothing when a file holds unknown bytes", async () => {
    using bench = stage()
    await abandoned(bench, items, (step, path) => step === "unlink" && path.endsWith("gone.txt"))
    writeFileSync(bench.at("tree/b.txt"), "theirs\n")
    const before = bench.treeHash()
    const writer = await bench.writer()
    expect(await Effect.runPromise(writer.recover)).toMatchObject({
      committed: [],
      aborted: [],
      conflicts: [{ transactionId: "t", paths: ["b.txt"] }]
    })
    expect(bench.treeHash()).toBe(before)
    expect(await outcome(writer.receipt("t"))).toMatchObject({
      state: "recovery_conflict",
      diskStatus: "conflict",
      conflicts: ["b.txt"]
    })
    // Asking again says the same and changes nothing.
    expect(await Effect.runPromise(writer.recover)).toMatchObject({
      committed: [],
      aborted: [],
      conflicts: [{ transactionId: "t", paths: ["b.txt"] }]
    })
    expect(bench.treeHash()).toBe(before)
  })

  it("leaves a file alone that somebody changed before anything was replaced", async () => {
    using bench = stage()
    await abandoned(bench, items, (step, path) => step === "create" && path.includes(".portico-new-"))
    writeFileSync(bench.at("tree/b.txt"), "theirs\n")
    expect(await Effect.runPromise((await bench.writer()).recover)).toMatchObject({
      aborted: ["t"],
      conflicts: []
    })
    expect(bench.names()).toEqual(["a.txt", "b.txt", "gone.txt"])
    expect([bench.text("a.txt"), bench.text("b.txt")]).toEqual(["one\n", "theirs\n"])
  })

  it("does not disturb a transaction that is being worked on", async () => {
    using bench = stage()
    const { disk, died } = dyingAt((step, path) => step === "rename" && path.endsWith("tree/b.txt"))
    const writer = await bench.writer({ disk })
    Effect.runFork(Effect.flatMap(writer.plan(items), (plan) => writer.commit(plan, { transactionId: "t" })))
    await died
    const before = bench.treeHash()
    expect(await Effect.runPromise((await bench.writer()).recover)).toMatchObject({
      running: ["t"],
      aborted: []
    })
    expect(bench.treeHash()).toBe(before)
  })

  it("is done on the way when the same transaction is sent again", async () => {
    using bench = stage()
    await abandoned(bench, items, (step, path) => step === "unlink" && path.endsWith("gone.txt"))
    const receipt = await apply(await bench.writer(), items, {}, { transactionId: "t" })
    expect(receipt).toMatchObject({ replayed: true, state: "aborted", diskStatus: "rolled_back" })
    expect(bench.names()).toEqual(["a.txt", "b.txt", "gone.txt"])
  })

  it("comes first when another commit is about the same files, and only then", async () => {
    using bench = stage()
    bench.write("tree/other.txt", "other\n")
    await abandoned(bench, items, (step, path) => step === "unlink" && path.endsWith("gone.txt"))
    const writer = await bench.writer()
    expect(reasonOf(await apply(writer, [edit("other.txt", "other", "more")]))).toBe("succeeded")
    expect(bench.text("a.txt")).toBe("ONE\n")
    // "one" is not in the half-way state, but in the one that recovery restores.
    expect(reasonOf(await apply(writer, [edit("a.txt", "one", "uno")]))).toBe("succeeded")
    expect([bench.text("a.txt"), bench.text("b.txt")]).toEqual(["uno\n", "one\n"])
    expect(await outcome(writer.receipt("t"))).toMatchObject({ state: "aborted", diskStatus: "rolled_back" })
  })

  it("of what could not be put back is done by the next commit", async () => {
    using bench = stage()
    let broken = false
    const disk: Disk = {
      ...realDisk,
      create: (path, bytes, options) =>
        broken && path.includes(".portico-old-")
          ? new DiskError({ step: "create", path, code: "ENOSPC" })
          : realDisk.create(path, bytes, options),
      rename: (from, to) =>
        broken && to.endsWith("tree/b.txt")
          ? new DiskError({ step: "rename", path: to, code: "EIO" })
          : realDisk.rename(from, to)
    }
    const writer = await bench.writer({ disk })
    broken = true
    const refused = refusedOf(await apply(writer, items, {}, { transactionId: "t" }))
    expect([refused.reason, refused.outcomeUnknown, refused.stateChanged]).toEqual([
      "outcome_unknown",
      true,
      undefined
    ])
    expect([bench.text("a.txt"), bench.text("b.txt")]).toEqual(["ONE\n", "one\n"])
    broken = false
    expect(reasonOf(await apply(writer, [edit("a.txt", "one", "uno")]))).toBe("succeeded")
    expect([bench.text("a.txt"), bench.text("b.txt")]).toEqual(["uno\n", "one\n"])
    expect(bench.names()).toEqual(["a.txt", "b.txt", "gone.txt"])
  })

  it("leaves another root's transactions to that root", async () => {
    using bench = stage()
    await abandoned(bench, items, (step, path) => step === "unlink" && path.endsWith("gone.txt"))
    using other = new Bench({ "a.txt": "x\n" })
    mkdirSync(join(other.path, "unused"))
    expect((await Effect.runPromise((await other.writer()).recover)).aborted).toEqual([])
  })
})
