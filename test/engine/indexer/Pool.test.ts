import { assert, beforeAll, describe, it } from "@effect/vitest"
import { Chunk, Deferred, Effect, Fiber, Stream } from "effect"
import { BroadcastChannel } from "node:worker_threads"
import { workerEntry } from "../../../src/engine/indexer/Entry.ts"
import { Inline } from "../../../src/engine/indexer/Inline.ts"
import type { Job } from "../../../src/engine/indexer/Job.ts"
import { makePool } from "../../../src/engine/indexer/Pool.ts"
import { languages as ownLanguages } from "../../../src/engine/languages/index.ts"
import { D } from "../../../src/engine/languages/Facts.ts"
import { Interner } from "../../../src/engine/languages/Interner.ts"
import { languages } from "./languages.ts"
import { bundleWordWorker, describeGroups, inPool, namesOf, wordEntry } from "./support.ts"
import { TempTree } from "./TempTree.ts"

beforeAll(bundleWordWorker)

const jobOf = (tree: TempTree, paths: ReadonlyArray<string>, more: Partial<Job> = {}): Job => ({
  root: tree.root,
  paths,
  wantTrigrams: true,
  ...more
})

describe("the pool", () => {
  it.live("delivers the facts that are read inline, file by file", () =>
    Effect.gen(function* () {
      const paths = Array.from({ length: 120 }, (_, i) => `d${i % 7}/f${i}.${i % 3 === 0 ? "wt" : "wb"}`)
      using tree = new TempTree(
        Object.fromEntries(
          paths.map((path, i) => [
            path,
            `${path}\nshared alpha_${"x".repeat(i)} SHARED\n${"padding words here\n".repeat(i % 9)}`
          ])
        )
      )
      const sizes = paths.map((_, i) => i * 400)
      const job = jobOf(tree, paths, { sizes })
      const names = new Interner()
      const pooled = yield* inPool(job, names, { size: 2 })
      const alone = new Interner()
      const inline = describeGroups(job, [yield* new Inline(alone, languages).run(job)], alone)
      assert.strictEqual(pooled.size, 120)
      for (const path of paths) assert.deepStrictEqual(pooled.get(path), inline.get(path))
      assert.strictEqual(inline.get("d1/f1.wb")?.status, "facts")
      assert.deepStrictEqual(namesOf(inline.get("d1/f1.wb")), [
        "d",
        "f",
        "wb",
        "shared",
        "alpha_x",
        "padding",
        "words",
        "here"
      ])
    })
  )

  it.live("starts a thread ahead of the first job when asked, and reads with it", () =>
    Effect.gen(function* () {
      using tree = new TempTree({ "a.wb": "alpha beta", "b.wb": "beta gamma" })
      const job = jobOf(tree, ["a.wb", "b.wb"])
      const threads = (eager: boolean) =>
        Effect.scoped(
          Effect.gen(function* () {
            const pool = yield* makePool({
              names: new Interner(),
              languages,
              entry: wordEntry,
              size: 2,
              eager
            })
            const before = yield* pool.threads
            const groups = Chunk.toReadonlyArray(yield* Stream.runCollect(pool.run(job)))
            const files = groups.reduce((n, { indices }) => n + indices.length, 0)
            return [before, files, yield* pool.threads]
          })
        )
      assert.deepStrictEqual(yield* threads(true), [1, 2, 1])
      assert.deepStrictEqual(yield* threads(false), [0, 2, 1])
    })
  )

  it.live("numbers a name the same whichever thread met it", () =>
    Effect.gen(function* () {
      const paths = Array.from({ length: 40 }, (_, i) => `f${i}.wb`)
      // Every file is a group of its own, and meets the shared name after a different number of others.
      const own = (i: number) =>
        Array.from({ length: 50 }, (_, k) => `own_${"a".repeat(i)}_${"b".repeat(k)}`).join("\n")
      using tree = new TempTree(Object.fromEntries(paths.map((path, i) => [path, `${own(i)} shared`])))
      const job = jobOf(tree, paths, { sizes: paths.map(() => 380_000), wantTrigrams: false })
      const names = new Interner()
      const groups = yield* Effect.scoped(
        Effect.gen(function* () {
          const pool = yield* makePool({ names, languages, entry: wordEntry, size: 2 })
          const groups = yield* Stream.runCollect(pool.run(job))
          assert.strictEqual(yield* pool.threads, 2)
          return Chunk.toReadonlyArray(groups)
        })
      )
      assert.strictEqual(groups.length, 40)
      const last = groups.map(({ views }) => views[0]!.def(views[0]!.definitionCount - 1, D.name))
      assert.deepStrictEqual([...new Set(last)], [names.string("shared")])
      assert.strictEqual(names.size, 1 + 1 + 40 * 50)
      assert.isUndefined(groups[0]!.trigrams)
    })
  )

  it.live("counts progress up to the whole job", () =>
    Effect.gen(function* () {
      using tree = new TempTree({ "a.wb": "a", "b.wb": "THROW", "c.txt": "c" })
      const job = jobOf(tree, ["a.wb", "b.wb", "c.txt", "gone.wb"], { sizes: [400_000, 400_000, 1, 1] })
      const groups = yield* Effect.scoped(
        Effect.flatMap(makePool({ names: new Interner(), languages, entry: wordEntry, size: 1 }), (pool) =>
          Stream.runCollect(pool.run(job))
        )
      )
      const last = Chunk.toReadonlyArray(groups).at(-1)!
      assert.deepStrictEqual(last.progress, { files: 4, totalFiles: 4, failed: 1 })
      const files = Chunk.toReadonlyArray(groups).map(({ progress }) => progress.files)
      assert.deepStrictEqual(
        files,
        [...files].sort((a, b) => a - b)
      )
    })
  )

  it.live("answers an empty job with nothing, and starts no thread for it", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const pool = yield* makePool({ names: new Interner(), languages, entry: wordEntry })
        assert.strictEqual(yield* Stream.runCount(pool.run({ root: "/", paths: [], wantTrigrams: true })), 0)
        assert.strictEqual(yield* pool.threads, 0)
      })
    )
  )

  it.live("runs the languages of this build in its own worker", () =>
    Effect.gen(function* () {
      using tree = new TempTree({
        "main.go": "package main\n\nfunc main() { helper() }\n\nfunc helper() {}\n"
      })
      const job = jobOf(tree, ["main.go"])
      const names = new Interner()
      const groups = yield* Effect.scoped(
        Effect.flatMap(makePool({ names, languages: ownLanguages, size: 1 }), (pool) =>
          Stream.runCollect(pool.run(job))
        )
      )
      const file = describeGroups(job, groups, names).get("main.go")
      assert.strictEqual(file?.status, "facts")
      assert.deepStrictEqual(namesOf(file), ["main", "helper"])
      assert.strictEqual(file?.facts?.package, "main")
    })
  )
})

describe("a file that does harm", () => {
  const harmless = { "a.wb": "first", "b.wb": "second SHARED", "c.wt": "third", "d.wt": "fourth" }
  const spoiled = (content: string, options = {}) =>
    Effect.gen(function* () {
      using tree = new TempTree({ ...harmless, "bad.wb": content })
      const job = jobOf(tree, ["a.wb", "b.wb", "bad.wb", "c.wt", "d.wt"])
      const files = yield* inPool(job, new Interner(), options)
      assert.deepStrictEqual(
        ["a.wb", "b.wb", "c.wt", "d.wt"].map((path) => namesOf(files.get(path))),
        [["first"], ["second"], ["third"], ["fourth"]]
      )
      return files.get("bad.wb")!
    })

  it.live("by never ending is given up, and stays searchable", () =>
    Effect.gen(function* () {
      const bad = yield* spoiled("before HANG after")
      assert.strictEqual(bad.status, "failed")
      assert.strictEqual(bad.reason, "timeout")
      assert.strictEqual(bad.remark, "not read within 3000 ms")
      assert.isUndefined(bad.facts)
      assert.strictEqual(bad.size, 17)
      assert.isAbove(bad.mtimeMs, 0)
      assert.match(bad.blob!, /^[0-9a-f]{40}$/)
      assert.isAbove(bad.buckets!.length, 10)
    })
  )

  it.live("is not one that got no processor time for as long as another may take", () =>
    Effect.gen(function* () {
      const late = yield* spoiled("before WAIT after", { fileTimeoutMs: 400 })
      assert.deepStrictEqual(namesOf(late), ["before", "after"])
    })
  )

  it.live("by ending its thread costs only its own facts", () =>
    Effect.gen(function* () {
      const bad = yield* spoiled("before EXIT after")
      assert.deepStrictEqual([bad.status, bad.reason], ["failed", "crashed"])
      assert.match(bad.remark!, /exit code 7/)
      assert.match(bad.blob!, /^[0-9a-f]{40}$/)
    })
  )

  it.live("by using up the memory of its thread costs only its own facts", () =>
    Effect.gen(function* () {
      const bad = yield* spoiled("before MEMORY after", { heapMb: 48, fileTimeoutMs: 15_000 })
      assert.deepStrictEqual([bad.status, bad.reason], ["failed", "crashed"])
      assert.match(bad.remark!, /memory/i)
    })
  )

  it.live("does so among others of its kind in other groups and threads", () =>
    Effect.gen(function* () {
      const paths = Array.from({ length: 60 }, (_, i) => `f${i}.wb`)
      const bad = new Map([
        [3, "EXIT"],
        [17, "HANG"],
        [18, "EXIT"],
        [40, "THROW"]
      ])
      using tree = new TempTree(
        Object.fromEntries(paths.map((path, i) => [path, `word ${bad.get(i) ?? ""} more`]))
      )
      const job = jobOf(tree, paths, { sizes: paths.map(() => 40_000) })
      const files = yield* inPool(job, new Interner(), { size: 2 })
      assert.strictEqual(files.size, 60)
      const failed = paths.filter((path) => files.get(path)!.status === "failed")
      assert.deepStrictEqual(
        failed.map((path) => [path, files.get(path)!.reason]),
        [
          ["f3.wb", "crashed"],
          ["f17.wb", "timeout"],
          ["f18.wb", "crashed"],
          ["f40.wb", "extractor_failed"]
        ]
      )
      for (const path of paths)
        if (!failed.includes(path)) assert.deepStrictEqual(namesOf(files.get(path)), ["word", "more"])
    })
  )
})

describe("what a parser prints", () => {
  it.live("never reaches standard output, which may carry a protocol", () =>
    Effect.gen(function* () {
      using tree = new TempTree({ "a.wb": "PRINT word" })
      const write = process.stdout.write
      const printed: Array<string> = []
      process.stdout.write = (text: string | Uint8Array) => printed.push(String(text)) > 0
      const files = yield* inPool(jobOf(tree, ["a.wb"]), new Interner()).pipe(
        Effect.ensuring(
          Effect.sync(() => {
            process.stdout.write = write
          })
        )
      )
      assert.deepStrictEqual(namesOf(files.get("a.wb")), ["word"])
      assert.notInclude(printed.join(""), "printed by a parser")
    })
  )
})

describe("the life of a pool", () => {
  it.live("ends its threads when what uses it is interrupted, even in the middle of a file", () =>
    Effect.gen(function* () {
      using tree = new TempTree({ "a.wb": "HANG", "b.wb": "HANG" })
      const heard = new BroadcastChannel("words")
      const hanging = new Promise<void>((resolve) => {
        let count = 0
        heard.onmessage = () => (++count === 2 ? resolve() : undefined)
      })
      const started = yield* Deferred.make<Effect.Effect<number>>()
      const fiber = yield* Effect.fork(
        Effect.scoped(
          Effect.gen(function* () {
            const pool = yield* makePool({
              names: new Interner(),
              languages,
              entry: wordEntry,
              size: 2,
              fileTimeoutMs: 60_000
            })
            yield* Deferred.succeed(started, pool.threads)
            yield* Stream.runDrain(pool.run(jobOf(tree, ["a.wb", "b.wb"], { sizes: [400_000, 400_000] })))
          })
        )
      )
      const threads = yield* Deferred.await(started)
      yield* Effect.promise(() => hanging)
      heard.close()
      assert.strictEqual(yield* threads, 2)
      const exit = yield* Fiber.interrupt(fiber)
      assert.strictEqual(exit._tag, "Failure")
      assert.strictEqual(yield* threads, 0)
    })
  )

  it.live("goes on after a stream was left early", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const paths = Array.from({ length: 12 }, (_, i) => `f${i}.wb`)
        using tree = new TempTree(
          Object.fromEntries(paths.map((path, i) => [path, `name_${"abcdefghijkl"[i]}`]))
        )
        const names = new Interner()
        const job = jobOf(tree, paths, { sizes: paths.map(() => 400_000) })
        const pool = yield* makePool({ names, languages, entry: wordEntry, size: 1 })
        assert.strictEqual(yield* Stream.runCount(Stream.take(pool.run(job), 2)), 2)
        const files = describeGroups(job, yield* Stream.runCollect(pool.run(job)), names)
        assert.deepStrictEqual(
          paths.map((path) => namesOf(files.get(path))),
          paths.map((_, i) => [`name_${"abcdefghijkl"[i]}`])
        )
      })
    )
  )

  it.live("reads no further than a few groups ahead of its consumer", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const paths = Array.from({ length: 60 }, (_, i) => `f${i}.wb`)
        const letter = (i: number) => `${"abcdefghij"[i % 10]}${"klmnopqrst"[Math.floor(i / 10)]}`
        using tree = new TempTree(Object.fromEntries(paths.map((path, i) => [path, `${letter(i)}_name`])))
        const names = new Interner()
        const pool = yield* makePool({ names, languages, entry: wordEntry, size: 1 })
        const first = yield* Deferred.make<number>()
        yield* Stream.runForEach(pool.run(jobOf(tree, paths, { sizes: paths.map(() => 400_000) })), () =>
          Effect.gen(function* () {
            if (yield* Deferred.isDone(first)) return
            yield* Effect.sleep(1_000)
            yield* Deferred.succeed(first, names.size)
          })
        )
        // Each file brings one name: those met while the first group was being consumed.
        assert.isBelow(yield* Deferred.await(first), 20)
        assert.strictEqual(names.size, 61)
      })
    )
  )

  it.live("says that no thread could be had", () =>
    Effect.gen(function* () {
      using tree = new TempTree({ "a.wb": "a", "broken.mjs": "throw new Error('not today')" })
      const run = (options: object) =>
        Effect.flip(
          Effect.scoped(
            Effect.flatMap(
              makePool({ names: new Interner(), languages, size: 1, entry: wordEntry, ...options }),
              (pool) => Stream.runDrain(pool.run(jobOf(tree, ["a.wb"])))
            )
          )
        )
      const broken = yield* run({ entry: workerEntry(new URL(`file://${tree.at("broken.mjs")}`)) })
      assert.strictEqual(broken.reason, "worker_failed")
      assert.match(broken.detail, /not today/)
      const absent = yield* run({ entry: workerEntry(new URL(`file://${tree.at("absent.mjs")}`)) })
      assert.strictEqual(absent.reason, "worker_failed")
      const other = yield* run({ languages: languages.slice(1) })
      assert.strictEqual(other.reason, "languages_differ")
    })
  )
})
