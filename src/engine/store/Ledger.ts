/**
 * The audit ledger: rows in a chain of hashes, the newest in a table and the others in segments, and beside them the head
 * of the chain, so that a shortened one shows.
 */
import { Clock, Duration, Effect, type Scope } from "effect"
import { nextTurn } from "../../registry/Turns.ts"
import { AuditLedger, type LedgerEntry } from "../../services/AuditLedger.ts"
import { ServiceFailure } from "../../services/ServiceFailure.ts"
import type { Database } from "./Database.ts"
import { encode, hashOf, origin, rowOf, type Stored } from "./LedgerChain.ts"
import * as Rotation from "./LedgerRotation.ts"
import { type Contents, readSegment, type Segment, segmentsIn } from "./LedgerSegments.ts"
import { type Run, walk } from "./LedgerWalk.ts"

/** Noted entries that are written at once, few enough that no call waits long for it, and how long they wait for more. */
const batch = 32
const patience = Duration.seconds(1)
/** Entries that are kept while they cannot be written. */
const kept = 4096

/** Rows, and milliseconds, after which it is looked again whether the table has grown too much. */
const often = { rows: 256, ms: 60_000 }

/** How often a reading is begun again because segments came or went meanwhile. */
const attempts = 5

/** Of so many rows, how many are added by one statement: always one of a few numbers, so that the statement is prepared already. */
const rowsAtOnce = (rows: number): number => Math.min(batch, 1 << (31 - Math.clz32(rows)))

/** Adds rows of four values each to a chain whose end is a hash that stands behind them, twice. */
const addingRows = (rows: number): string =>
  `INSERT INTO ledger (seq, previous, hash, entry) SELECT * FROM (VALUES ${"(?,?,?,?),".repeat(rows).slice(0, -1)})
    WHERE coalesce((SELECT hash FROM ledger ORDER BY seq DESC LIMIT 1), (SELECT hash FROM ledger_head), ?) = ? RETURNING seq`

export interface LedgerOptions {
  /** Folder of the segments. */
  readonly folder: string
  /** What the table may hold, asked whenever it was added to; undefined leaves all as it is. */
  readonly limits: () => Rotation.LedgerLimits | undefined
}

const unreadable = (detail: string, cause?: unknown): ServiceFailure =>
  new ServiceFailure({ service: "AuditLedger", reason: "io_error", detail, stateChanged: false, cause })

export const make = (
  database: Database,
  { folder, limits }: LedgerOptions
): Effect.Effect<AuditLedger["Type"], never, Scope.Scope> =>
  Effect.gen(function* () {
    const run: Run = (statement) => database.run("AuditLedger", statement)
    const turn = yield* Effect.makeSemaphore(1)
    let noted: Array<LedgerEntry> = []
    let waiting = false

    const segments = Effect.try({
      try: () => segmentsIn(folder),
      catch: (cause) => unreadable("the folder of the ledger's segments cannot be read", cause)
    })
    const contents = (segment: Segment): Effect.Effect<Contents | undefined, ServiceFailure> =>
      Effect.tryPromise({
        try: () => readSegment(folder, segment.name),
        catch: (cause) => unreadable(`segment ${segment.name} of the ledger cannot be read`, cause)
      })
    /** The segment that was read last: whoever reads rows asks for the next ones. */
    let held: { readonly segment: Segment; readonly contents: Contents } | undefined
    const heldContents = (segment: Segment) =>
      Effect.gen(function* () {
        if (held?.segment.name === segment.name) return held.contents
        const read = yield* contents(segment)
        held = read === undefined ? undefined : { segment, contents: read }
        return read
      })

    /** The end of the chain; undefined while there is none. */
    const tail = Effect.gen(function* () {
      const [last] = yield* run<{ readonly seq: number; readonly hash: string }>(
        (sql) => sql`SELECT * FROM (SELECT seq, hash FROM ledger ORDER BY seq DESC LIMIT 1)
          UNION ALL SELECT seq, hash FROM ledger_head WHERE NOT EXISTS (SELECT 1 FROM ledger)`
      )
      if (last !== undefined) return last
      // Segments without the file that had the rows behind them: the chain goes on from what there is.
      const newest = (yield* segments).at(-1)
      return newest === undefined ? undefined : (yield* contents(newest))?.rows.at(-1)
    })

    /** Where the chain ended when rows were added here last. Whether it still does shows when more are. */
    let end: Pick<Stored, "seq" | "hash"> | undefined

    const write = (entries: ReadonlyArray<LedgerEntry>): Effect.Effect<void, ServiceFailure> =>
      Effect.gen(function* () {
        let texts = entries.map(encode)
        while (texts.length > 0) {
          const last = end ?? (yield* tail)
          const from = last?.hash ?? origin
          let seq = last?.seq ?? 0
          let previous = from
          const some = texts.slice(0, rowsAtOnce(texts.length))
          const values = some.flatMap((entry) => {
            const before = previous
            previous = hashOf(++seq, before, entry)
            return [seq, before, previous, entry]
          })
          // Another process may have added rows since: then the chain ends elsewhere and none of these goes in.
          const added = yield* run((sql) =>
            sql.unsafe<Pick<Stored, "seq">>(addingRows(some.length), [...values, from, from])
          )
          const isAdded = added.length === some.length
          end = isAdded ? { seq, hash: previous } : undefined
          if (isAdded) texts = texts.slice(some.length)
        }
      })

    const flush = turn.withPermits(1)(
      Effect.suspend(() => {
        const entries = noted
        noted = []
        return entries.length === 0
          ? Effect.void
          : Effect.zipLeft(
              Effect.tapError(write(entries), () =>
                Effect.sync(() => {
                  noted = [...entries, ...noted].slice(-kept)
                })
              ),
              wrote(entries.length)
            )
      })
    )
    let closing = false
    yield* Effect.addFinalizer(() =>
      Effect.suspend(() => {
        closing = true
        return Effect.ignore(flush)
      })
    )
    /** Once the answer to the call that filled the batch has left. */
    const soon = Effect.zipRight(nextTurn, flush)
    const later = Effect.zipRight(
      Effect.sleep(patience),
      Effect.ensuring(
        Effect.ignore(flush),
        Effect.sync(() => {
          waiting = false
        })
      )
    )
    const scope = yield* Effect.scope

    const append = (entries: ReadonlyArray<LedgerEntry>) =>
      Effect.zipRight(flush, turn.withPermits(1)(Effect.zipLeft(write(entries), wrote(entries.length))))
    const rotate = Rotation.make(run, folder, append)
    let since = often.rows
    let lookedAt = 0
    let rotating = false
    /** Says that rows were added, and has the table looked after where that is due. */
    const wrote = (rows: number): Effect.Effect<void> =>
      Effect.gen(function* () {
        since += rows
        const now = yield* Clock.currentTimeMillis
        if (closing || rotating || (since < often.rows && now - lookedAt < often.ms)) return
        const bounds = limits()
        if (bounds === undefined) return
        rotating = true
        since = 0
        lookedAt = now
        // Begun in a region that cannot be interrupted, so that it is not ended before it has begun.
        yield* Effect.uninterruptible(
          Effect.forkIn(
            Effect.ensuring(
              // What could not be done now is tried again with the rows that come.
              Effect.ignore(
                Effect.tap(rotate(bounds), (more) =>
                  Effect.sync(() => {
                    if (more) since = often.rows
                  })
                )
              ),
              Effect.sync(() => {
                rotating = false
              })
            ),
            scope
          )
        )
      })

    /** Reads until segments neither came nor went meanwhile. */
    const steadily = <A>(
      what: string,
      read: Effect.Effect<A | undefined, ServiceFailure>
    ): Effect.Effect<A, ServiceFailure> =>
      Effect.gen(function* () {
        const names = Effect.map(segments, (files) => files.map(({ name }) => name).join())
        for (let turn = 0; turn < attempts; turn++) {
          const before = yield* names
          const found = yield* read
          if (found !== undefined && before === (yield* names)) return found
        }
        return yield* Effect.fail(unreadable(`${what} while segments of the ledger come and go`))
      })

    const inTable = (after: number, limit: number) =>
      run<Stored>((sql) => sql`SELECT * FROM ledger WHERE seq > ${after} ORDER BY seq LIMIT ${limit}`)

    const rows = (after: number, limit: number) =>
      Effect.gen(function* () {
        const newest = yield* inTable(after, limit)
        if (newest[0]?.seq === after + 1) return newest
        const files = yield* segments
        const at = Math.max(
          0,
          files.findLastIndex(({ first }) => first <= after + 1)
        )
        const found: Array<Stored> = []
        let last = after
        for (const file of files.slice(at)) {
          const read = yield* heldContents(file)
          if (read === undefined) return undefined
          for (const row of read.rows)
            if (row.seq > last && found.length < limit) {
              found.push(row)
              last = row.seq
            }
          if (found.length === limit) return found
          if (!read.whole)
            return yield* Effect.fail(
              unreadable(`segment ${file.name} of the ledger is damaged behind row ${last}`)
            )
        }
        return [...found, ...(yield* inTable(last, limit - found.length))]
      })

    return AuditLedger.of({
      append,
      note: (entries) =>
        Effect.suspend(() => {
          noted.push(...entries)
          if (noted.length >= batch) return Effect.ignore(Effect.forkIn(soon, scope))
          if (waiting) return Effect.void
          waiting = true
          return Effect.asVoid(Effect.forkIn(later, scope))
        }),
      rows: (after, limit) =>
        Effect.map(Effect.zipRight(flush, steadily("rows cannot be read", rows(after, limit))), (found) =>
          found.map(rowOf)
        ),
      last: Effect.map(Effect.zipRight(flush, tail), (last) => last?.seq ?? 0),
      unread: Effect.map(tail, () => database.unread()),
      verify: Effect.zipRight(
        flush,
        steadily("the chain cannot be walked", walk({ run, segments, contents }))
      )
    })
  })
