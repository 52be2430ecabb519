/** The ledger with its segments: what goes where, what shows, and what is left when a process ends in the middle. */
import { describe, it } from "@effect/vitest"
import { createClient } from "@libsql/client"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { spawn } from "node:child_process"
import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import { assert } from "vitest"
import { layerStore, segmentsOf } from "../../../src/engine/store/layer.ts"
import { hashOf } from "../../../src/engine/store/LedgerChain.ts"
import type { LedgerLimits } from "../../../src/engine/store/LedgerRotation.ts"
import { AuditLedger, type LedgerVerdict } from "../../../src/services/AuditLedger.ts"
import { TempFolder } from "../git/TempRepo.ts"
import { program } from "../../program.ts"
import { entry } from "./entry.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => new TempFolder()),
  (made) => Effect.sync(() => made[Symbol.dispose]())
)

/** About ten rows in a segment. */
const small: LedgerLimits = { segmentBytes: 5_000, segmentMs: Infinity }

const opened = (file: string, limits?: LedgerLimits) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const context = yield* Layer.buildWithScope(
      layerStore(file, undefined, () => limits),
      scope
    )
    return { ledger: Context.get(context, AuditLedger), end: Scope.close(scope, Exit.void) }
  })

/** Uses the ledger in a file with a connection of its own, and waits until what it began is done. */
const using = <A, E>(
  file: string,
  use: (ledger: AuditLedger["Type"]) => Effect.Effect<A, E>,
  limits?: LedgerLimits
) =>
  Effect.acquireUseRelease(
    opened(file, limits),
    ({ ledger }) => use(ledger),
    ({ end }) => end
  )

const verdictOf = (file: string) => using(file, (ledger) => ledger.verify)
const numbers = (file: string, after = 0) =>
  using(file, (ledger) => Effect.map(ledger.rows(after, 10_000), (rows) => rows.map(({ seq }) => seq)))
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at)

const raw = <A>(file: string, ...statements: ReadonlyArray<string>) =>
  Effect.promise(async () => {
    const client = createClient({ url: `file:${file}` })
    let rows: ReadonlyArray<unknown> = []
    for (const statement of statements) ({ rows } = await client.execute(statement))
    client.close()
    return rows as ReadonlyArray<A>
  })

/** Adds rows a few at a time, each process long enough to make a segment. */
const fill = (file: string, times: number, limits: LedgerLimits = small, first = 0) =>
  Effect.forEach(
    range(first, first + times - 1),
    (turn) =>
      using(
        file,
        (ledger) =>
          ledger.append(range(0, 11).map((at) => entry(1_700_000_000_000 + 1000 * (12 * turn + at)))),
        limits
      ),
    { discard: true }
  )

const namesIn = (file: string): ReadonlyArray<string> => readdirSync(segmentsOf(file)).sort()
const pathOf = (file: string, at: number): string => join(segmentsOf(file), namesIn(file)[at] as string)
const linesOf = (path: string): Array<string> =>
  gunzipSync(readFileSync(path)).toString("utf8").trimEnd().split("\n")
const write = (path: string, lines: ReadonlyArray<string>): void =>
  writeFileSync(path, gzipSync(lines.map((line) => `${line}\n`).join("")))

describe("a ledger with a bound", () => {
  it.scopedLive("moves its rows into segments, and reads as one chain", () =>
    Effect.gen(function* () {
      const file = (yield* folder).at("records.db")
      yield* fill(file, 5)
      assert.lengthOf(namesIn(file), 5)
      const [left] = yield* raw<{ n: number }>(file, "SELECT count(*) AS n FROM ledger")
      assert.isBelow(left?.n ?? Infinity, 12)
      assert.deepStrictEqual(yield* numbers(file), range(1, 60))
      assert.deepStrictEqual(yield* numbers(file, 17), range(18, 60))
      assert.deepStrictEqual(
        yield* using(file, (ledger) => Effect.map(ledger.rows(10, 5), (rows) => rows.map(({ seq }) => seq))),
        range(11, 15)
      )
      assert.strictEqual(yield* using(file, ({ last }) => last), 60)
      const verdict = yield* verdictOf(file)
      assert.deepInclude(verdict, { ok: true, rows: 60, from: 1, segments: 5, broken: undefined })
      // The first row of a segment is bound to the last one of the segment before.
      const [before, next] = [linesOf(pathOf(file, 1)).at(-1), linesOf(pathOf(file, 2))[0]] as [
        string,
        string
      ]
      assert.strictEqual(JSON.parse(next).previous, JSON.parse(before).hash)
      const { seq, previous, hash, ...rest } = JSON.parse(next)
      assert.strictEqual(hash, hashOf(seq, previous, JSON.stringify(rest)))
      assert.strictEqual(statSync(pathOf(file, 0)).mode & 0o777, 0o600)
      assert.strictEqual(statSync(segmentsOf(file)).mode & 0o777, 0o700)
    })
  )

  it.scopedLive("moves them by age as well, and none before one of the bounds is reached", () =>
    Effect.gen(function* () {
      const file = (yield* folder).at("records.db")
      const year = 365 * 86_400_000
      const rows = { segmentBytes: 1_000_000, segmentMs: year }
      yield* using(file, (ledger) => ledger.append([entry(Date.now())]), rows)
      assert.throws(() => namesIn(file))
      yield* using(file, (ledger) => ledger.append([entry(Date.now())]), { ...rows, segmentMs: 0 })
      assert.lengthOf(namesIn(file), 1)
      const other = (yield* folder).at("records.db")
      yield* using(other, (ledger) => ledger.append([entry(Date.now() - 2 * year), entry(Date.now())]), rows)
      assert.lengthOf(namesIn(other), 1)
      assert.deepInclude(yield* verdictOf(other), { ok: true, rows: 2 })
    })
  )

  it.scopedLive("takes a table that has grown for long in segments of the size that is asked for", () =>
    Effect.gen(function* () {
      const file = (yield* folder).at("records.db")
      yield* using(file, (ledger) => ledger.append(range(1, 9_000).map(entry)))
      for (let turn = 0; turn < 3; turn++)
        yield* using(file, (ledger) => ledger.append([entry(turn)]), { ...small, segmentBytes: 1_000_000 })
      const sizes = namesIn(file).map((_, at) => linesOf(pathOf(file, at)).length)
      assert.isAtLeast(sizes.length, 3)
      for (const size of sizes) assert.isBelow(size, 3_000)
      assert.deepInclude(yield* verdictOf(file), { ok: true, rows: 9_003 })
    })
  )

  it.scopedLive("goes on in one chain while several writers add to it and make segments", () =>
    Effect.gen(function* () {
      const file = (yield* folder).at("records.db")
      const writers = yield* Effect.forEach([1, 3, 7], (size) =>
        Effect.map(opened(file, { ...small, segmentBytes: 20_000 }), (store) => ({ ...store, size }))
      )
      yield* Effect.forEach(
        writers,
        ({ ledger, size }) =>
          Effect.forEach(range(1, 40), (at) => ledger.append(range(1, size).map(() => entry(at)))),
        { concurrency: "unbounded", discard: true }
      )
      yield* Effect.forEach(writers, ({ end }) => end)
      assert.deepInclude(yield* verdictOf(file), { ok: true, rows: 40 * 11 })
      assert.deepStrictEqual(yield* numbers(file), range(1, 440))
      for (let turn = 0; turn < 4; turn++)
        yield* using(file, (ledger) => ledger.append([entry(turn)]), { ...small, segmentBytes: 20_000 })
      assert.deepInclude(yield* verdictOf(file), { ok: true, rows: 444 })
      assert.isAbove(namesIn(file).length, 3)
    })
  )

  it.scopedLive("is read while rows go into segments and are added", () =>
    Effect.gen(function* () {
      const file = (yield* folder).at("records.db")
      const [writer, reader] = [yield* opened(file, small), yield* opened(file)]
      const reading = Effect.gen(function* () {
        const verdict = yield* reader.ledger.verify
        assert.isTrue(verdict.ok, JSON.stringify(verdict))
        const rows = yield* reader.ledger.rows(0, 10_000)
        assert.deepStrictEqual(
          rows.map(({ seq }) => seq),
          range(1, rows.length)
        )
      })
      yield* Effect.raceFirst(
        Effect.forEach(range(1, 40), (at) => writer.ledger.append(range(1, 8).map(() => entry(at)))),
        Effect.forever(reading)
      )
      yield* writer.end
      yield* reading
      yield* reader.end
    })
  )
})

describe("a ledger with segments shows", () => {
  const plant = (
    what: string,
    change: (file: string) => Effect.Effect<unknown, unknown> | void,
    expected: LedgerVerdict["broken"],
    rows: number
  ) =>
    it.scopedLive(what, () =>
      Effect.gen(function* () {
        const file = (yield* folder).at("records.db")
        yield* fill(file, 4)
        // Twelve rows in each of four segments, and two in the table.
        yield* using(file, (ledger) => ledger.append([entry(1), entry(2)]))
        assert.isTrue((yield* verdictOf(file)).ok)
        const done = change(file)
        if (done !== undefined) yield* Effect.orDie(done)
        const verdict = yield* verdictOf(file)
        assert.deepStrictEqual(verdict.broken, expected)
        assert.isFalse(verdict.ok)
        assert.strictEqual(verdict.rows, rows)
      })
    )
  const edit = (at: number, how: (lines: Array<string>) => ReadonlyArray<string>) => (file: string) =>
    write(pathOf(file, at), how(linesOf(pathOf(file, at))))
  const name = (first: number) => `${String(first).padStart(12, "0")}.jsonl.gz`

  plant(
    "an edited row in a segment",
    edit(1, (lines) => lines.map((line, at) => (at === 4 ? line.replace('"ok"', '"no"') : line))),
    { seq: 17, reason: "edited" },
    16
  )
  plant(
    "a row in a segment that was replaced together with its hash",
    edit(1, (lines) =>
      lines.map((line, at) => {
        if (at !== 4) return line
        const { seq, previous, hash: _, ...rest } = JSON.parse(line)
        const entry = { ...rest, outcome: "no" }
        return JSON.stringify({ seq, previous, hash: hashOf(seq, previous, JSON.stringify(entry)), ...entry })
      })
    ),
    { seq: 17, reason: "edited" },
    17
  )
  plant(
    "a removed row in a segment",
    edit(1, (lines) => lines.toSpliced(4, 1)),
    { seq: 17, reason: "removed" },
    16
  )
  plant(
    "the removed first row of a segment",
    edit(1, (lines) => lines.slice(1)),
    { seq: 13, reason: "removed" },
    12
  )
  plant(
    "the removed last row of a segment",
    edit(1, (lines) => lines.slice(0, -1)),
    { seq: 24, reason: "removed" },
    23
  )
  plant(
    "a segment without rows",
    edit(3, () => []),
    { seq: 37, reason: "segment_damaged", segment: name(37) },
    36
  )
  plant(
    "rows of a segment that changed places",
    edit(2, (lines) => lines.with(3, lines[6]!).with(6, lines[3]!)),
    { seq: 28, reason: "reordered" },
    27
  )
  plant(
    "a missing segment in the middle",
    (file) => rmSync(pathOf(file, 1)),
    { seq: 13, reason: "segment_missing", segment: name(13) },
    12
  )
  plant(
    "a missing first segment",
    (file) => rmSync(pathOf(file, 0)),
    { seq: 1, reason: "segment_missing", segment: name(1) },
    0
  )
  plant(
    "a missing last segment",
    (file) => rmSync(pathOf(file, 3)),
    { seq: 37, reason: "segment_missing", segment: name(37) },
    36
  )
  plant(
    "all segments missing",
    (file) => rmSync(segmentsOf(file), { recursive: true }),
    { seq: 1, reason: "segment_missing", segment: name(1) },
    0
  )
  plant(
    "a missing segment that nothing knows of any more",
    (file) => {
      rmSync(pathOf(file, 0))
      return raw(file, "DELETE FROM ledger_segments")
    },
    { seq: 1, reason: "removed" },
    0
  )
  plant(
    "segments that changed places",
    (file) => {
      const [one, two] = [pathOf(file, 1), pathOf(file, 2)]
      renameSync(one, `${one}.x`)
      renameSync(two, one)
      renameSync(`${one}.x`, two)
    },
    { seq: 13, reason: "segment_swapped", segment: name(13) },
    12
  )
  plant(
    "a segment of another ledger, whole in itself",
    (file) =>
      Effect.scoped(
        Effect.gen(function* () {
          const other = (yield* folder).at("records.db")
          yield* fill(other, 4, small, 100)
          writeFileSync(pathOf(file, 0), readFileSync(pathOf(other, 0)))
        })
      ),
    { seq: 1, reason: "segment_swapped", segment: name(1) },
    12
  )
  plant(
    "a later segment of another ledger",
    (file) =>
      Effect.scoped(
        Effect.gen(function* () {
          const other = (yield* folder).at("records.db")
          yield* fill(other, 4, small, 100)
          writeFileSync(pathOf(file, 2), readFileSync(pathOf(other, 2)))
        })
      ),
    { seq: 25, reason: "segment_swapped", segment: name(25) },
    24
  )
  plant(
    "a segment that is there twice",
    (file) => writeFileSync(join(segmentsOf(file), name(20)), readFileSync(pathOf(file, 1))),
    { seq: 20, reason: "segment_swapped", segment: name(20) },
    24
  )
  plant(
    "a segment that cannot be read",
    (file) => writeFileSync(pathOf(file, 2), readFileSync(pathOf(file, 2)).subarray(0, 200)),
    { seq: 25, reason: "segment_damaged", segment: name(25) },
    24
  )
  plant(
    "a line in a segment that is no row",
    edit(2, (lines) => lines.with(5, "{}")),
    { seq: 30, reason: "segment_damaged", segment: name(25) },
    29
  )
  plant(
    "rows of the table that were removed together with their segment",
    (file) => {
      rmSync(pathOf(file, 3))
      return raw(file, "DROP TRIGGER ledger_keeps_unsealed", "DELETE FROM ledger")
    },
    { seq: 37, reason: "segment_missing", segment: name(37) },
    36
  )
  plant(
    "a row of the table that hides behind a segment",
    (file) =>
      raw(file, `INSERT INTO ledger SELECT 7, previous, hash, entry FROM ledger ORDER BY seq LIMIT 1`),
    { seq: 7, reason: "edited" },
    12
  )

  it.scopedLive("a row of the table that is edited, and then makes no segment of it", () =>
    Effect.gen(function* () {
      const file = (yield* folder).at("records.db")
      yield* fill(file, 1)
      yield* using(file, (ledger) => ledger.append(range(1, 30).map(entry)))
      yield* raw(
        file,
        "DROP TRIGGER ledger_stays",
        "UPDATE ledger SET entry = replace(entry, 'ok', 'no') WHERE seq = 20"
      )
      yield* using(file, (ledger) => ledger.append([entry(1)]), small)
      assert.lengthOf(namesIn(file), 1)
      assert.deepStrictEqual((yield* verdictOf(file)).broken, { seq: 20, reason: "edited" })
    })
  )

  it.scopedLive("that rows which are in no segment cannot be taken out of the table", () =>
    Effect.gen(function* () {
      const file = (yield* folder).at("records.db")
      yield* fill(file, 1)
      yield* using(file, (ledger) => ledger.append([entry(1)]))
      const refused = yield* Effect.promise(async () => {
        const client = createClient({ url: `file:${file}` })
        const said = await client.execute("DELETE FROM ledger").then(
          () => "done",
          (cause: unknown) => String(cause)
        )
        client.close()
        return said
      })
      assert.match(refused, /only grows/)
    })
  )
})

describe("a ledger that lets old rows go", () => {
  it.scopedLive("does so only when asked, and says from which row on it is whole", () =>
    Effect.gen(function* () {
      const file = (yield* folder).at("records.db")
      yield* fill(file, 5)
      assert.lengthOf(namesIn(file), 5)
      const bytes = statSync(pathOf(file, 0)).size
      const before = yield* verdictOf(file)
      yield* fill(file, 1, { ...small, retainBytes: Math.floor(2.5 * bytes) }, 5)
      assert.lengthOf(namesIn(file), 2)
      const verdict = yield* verdictOf(file)
      assert.deepInclude(verdict, { ok: true, from: 49, rows: 25, segments: 2, broken: undefined })
      const rows = yield* using(file, (ledger) => ledger.rows(0, 100))
      assert.deepStrictEqual(
        rows.map(({ seq }) => seq),
        range(49, 73)
      )
      assert.deepInclude(rows.at(-1), {
        facade: "audit",
        operation: "retain",
        retained_from: 49,
        retained_previous: rows[0]?.previous
      })
      assert.strictEqual(verdict.previous, rows[0]?.previous)
      assert.notStrictEqual(verdict.head, before.head)
      // Nothing more goes when nothing more is too much.
      yield* using(file, (ledger) => ledger.append([entry(1)]), { ...small, retainBytes: 10 * bytes })
      assert.deepInclude(yield* verdictOf(file), { ok: true, from: 49, rows: 26 })
    })
  )

  it.scopedLive("goes by age, and may let every segment go", () =>
    Effect.gen(function* () {
      const file = (yield* folder).at("records.db")
      yield* fill(file, 3)
      yield* using(file, (ledger) => ledger.append([entry(Date.now())]), { ...small, retainMs: 86_400_000 })
      assert.deepStrictEqual(namesIn(file), [])
      assert.deepInclude(yield* verdictOf(file), { ok: true, from: 37, rows: 2, segments: 0 })
      yield* using(file, (ledger) => ledger.append([entry(Date.now())]))
      assert.deepStrictEqual(yield* numbers(file), [37, 38, 39])
      // And again, from where it was.
      yield* fill(file, 3, small, 10)
      yield* using(file, (ledger) => ledger.append([entry(Date.now())]), { ...small, retainMs: 86_400_000 })
      const verdict = yield* verdictOf(file)
      assert.isTrue(verdict.ok)
      assert.isAbove(verdict.from, 60)
    })
  )

  it.scopedLive("shows rows that went without its having said so", () =>
    Effect.gen(function* () {
      const file = (yield* folder).at("records.db")
      yield* fill(file, 5)
      const bytes = statSync(pathOf(file, 0)).size
      yield* fill(file, 1, { ...small, retainBytes: Math.floor(3.5 * bytes) }, 5)
      assert.deepInclude(yield* verdictOf(file), { ok: true, from: 37 })
      rmSync(pathOf(file, 0))
      assert.deepInclude(yield* verdictOf(file), {
        ok: false,
        broken: { seq: 37, reason: "segment_missing", segment: "000000000037.jsonl.gz" }
      })
      yield* raw(file, "DELETE FROM ledger_segments")
      const verdict = yield* verdictOf(file)
      assert.deepInclude(verdict, { ok: false, rows: 0, broken: { seq: 37, reason: "removed" } })
    })
  )
})

/** Runs a process that adds rows; resolves to how it ended. `kill` ends it so many milliseconds after its first rows. */
const child = (file: string, moment: string, rows: number, kill?: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const started = spawn(process.execPath, [program("ledger-child"), file, moment, String(rows)], {
      cwd: join(import.meta.dirname, "../../.."),
      stdio: ["ignore", "pipe", "pipe"]
    })
    let errors = ""
    started.stderr.on("data", (data: Buffer) => (errors += data.toString()))
    started.stdout.once("data", () => {
      if (kill !== undefined) setTimeout(() => started.kill("SIGKILL"), kill)
    })
    started.on("exit", (code, signal) =>
      signal === "SIGKILL" || code === 0 ? resolve(signal ?? "ended") : reject(new Error(errors))
    )
  })

describe("a ledger whose process was killed", () => {
  for (const [moment, what] of [
    ["open", "before the segment's file was begun"],
    ["write", "with half of the segment's file"],
    ["rename", "before the file was put in place"],
    ["renamed", "when the file was in place and nobody had noted that"],
    ["sealed", "before rows were taken out of the table"],
    ["marked", "when it had said which rows are kept and none had gone"],
    ["removed", "when one of the segments that go had gone"]
  ] as const)
    it.scopedLive(
      `${what} verifies, and the next process goes on`,
      () =>
        Effect.gen(function* () {
          const file = (yield* folder).at("records.db")
          yield* fill(file, 3)
          const before = yield* verdictOf(file)
          const end = yield* Effect.promise(() => child(file, moment, 40))
          assert.strictEqual(end, "SIGKILL")
          const after = yield* verdictOf(file)
          assert.isTrue(after.ok, JSON.stringify(after))
          const rows = yield* using(file, (ledger) => ledger.rows(0, 10_000))
          assert.strictEqual(rows.at(-1)?.hash, after.head)
          assert.isAtLeast(rows.at(-1)?.seq ?? 0, 76)
          // Nothing that was there is lost, but what is let go.
          if (after.from === 1) assert.isTrue(rows.some(({ hash }) => hash === before.head))
          const goes = moment === "marked" || moment === "removed"
          yield* fill(file, 2, goes ? { ...small, retainMs: 86_400_000 } : small, 50)
          const next = yield* verdictOf(file)
          assert.isTrue(next.ok, JSON.stringify(next))
          assert.isFalse(namesIn(file).some((each) => each.endsWith(".part")))
          const [left] = yield* raw<{ n: number }>(file, "SELECT count(*) AS n FROM ledger")
          // Of 64 rows that were in the table at one time or another, what a few segments hold has left it.
          assert.isBelow(left?.n ?? Infinity, 40)
          if (goes) assert.isAbove(next.from, 36)
          else assert.deepInclude(next, { from: 1, rows: rows.length + 24 })
        }),
      120_000
    )

  it.scopedLive(
    "at any time, again and again, verifies",
    () =>
      Effect.gen(function* () {
        const file = (yield* folder).at("records.db")
        let last = 0
        for (const kill of [20, 90, 170]) {
          assert.strictEqual(yield* Effect.promise(() => child(file, "always", 7, kill)), "SIGKILL")
          const verdict = yield* verdictOf(file)
          assert.isTrue(verdict.ok, JSON.stringify(verdict))
          const rows = yield* numbers(file, last)
          assert.isAbove(rows.at(-1) ?? 0, last)
          last = rows.at(-1)!
        }
        assert.isAbove((yield* verdictOf(file)).from, 1)
      }),
    120_000
  )
})
