/**
 * Keeps the table of the ledger small: its rows go into a segment once they are many or old, and segments go where the
 * user does not want them for ever. Each step leaves a ledger that verifies, whenever the process ends:
 *
 * 1. the plan of a segment is noted, one at a time for all processes;
 * 2. its file is written beside its place, read back, and put in place;
 * 3. it is noted as sealed;
 * 4. its rows are taken out of the table, which allows that for sealed rows alone.
 *
 * Old segments go after a row of the ledger has said which rows are kept, the oldest first.
 */
import { Clock, Effect } from "effect"
import { nextTurn } from "../../registry/Turns.ts"
import type { LedgerEntry } from "../../services/AuditLedger.ts"
import { ServiceFailure } from "../../services/ServiceFailure.ts"
import { follows, origin, type Stored, stride } from "./LedgerChain.ts"
import { removeSegment, segmentName, segmentsIn, SegmentWriter } from "./LedgerSegments.ts"
import type { Run } from "./LedgerWalk.ts"
import { hasGone, owner } from "./Owner.ts"

/** When rows go into a segment, and when segments go. */
export interface LedgerLimits {
  /** Bytes of rows in the table. */
  readonly segmentBytes: number
  /** Age of its oldest row. */
  readonly segmentMs: number
  /** Age of the newest row of a segment that goes; for ever when absent. */
  readonly retainMs?: number | undefined
  /** Bytes of segments that are kept; all when absent. */
  readonly retainBytes?: number | undefined
}

/** What a row takes beside its entry. */
const overhead = 170
/** Rows that are looked at at once. */
const portion = 500
/** Rows that are taken out of the table at once, a third of a millisecond's work: calls wait as long as that takes. */
const swept = 100

/** Rows that are measured at once, and by which a segment may be too large. */
const measure = (segmentBytes: number): number =>
  Math.min(portion, Math.max(8, Math.ceil(segmentBytes / 4000)))

interface Plan {
  readonly first: number
  readonly last: number
}

interface Sealed extends Plan {
  readonly hash: string
  /** When its newest row was written; ISO 8601. */
  readonly until: string
  readonly bytes: number
}

const failed = (cause: unknown): ServiceFailure =>
  new ServiceFailure({
    service: "AuditLedger",
    reason: "io_error",
    detail: `a segment of the ledger cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`,
    cause
  })

const attempt = <A>(run: () => Promise<A>): Effect.Effect<A, ServiceFailure> =>
  Effect.tryPromise({ try: run, catch: failed })

const marker = (at: string, from: number, previous: string): LedgerEntry => ({
  at,
  request_id: `retained-${from}`,
  principal_kind: "server",
  principal_id: "portico",
  door: "server",
  session: undefined,
  layer: "target",
  facade: "audit",
  operation: "retain",
  canonical_tool: "audit.retain",
  effect: undefined,
  decision: "allowed",
  stage: undefined,
  approval: undefined,
  duration_ms: 0,
  outcome: "ok",
  state_changed: true,
  arguments_digest: undefined,
  retained_from: from,
  retained_previous: previous
})

const atOf = (entry: string): string => {
  const { at } = JSON.parse(entry) as Partial<LedgerEntry>
  return typeof at === "string" ? at : ""
}

/** The upkeep of a ledger with its segments in a folder. `append` adds rows to it. */
export const make = (
  run: Run,
  folder: string,
  append: (entries: ReadonlyArray<LedgerEntry>) => Effect.Effect<void, ServiceFailure>
) => {
  /** Bytes of rows behind the last segment, up to a row. */
  let measured = { from: 0, seq: 0, bytes: 0 }
  /** The first row of the segment this one has planned. */
  let planned: number | undefined
  /** The first row of a segment that cannot be made, because its rows are not as they were written. */
  let hopeless: number | undefined

  /** The last row of the segment that should be made now; undefined while none should. */
  const due = (limits: LedgerLimits, now: number) =>
    Effect.gen(function* () {
      const [sealed] = yield* run<{ readonly last: number | null }>(
        (sql) => sql`SELECT max(last) AS last FROM ledger_segments WHERE state <> 'sealing'`
      )
      const from = sealed?.last ?? 0
      if (measured.from !== from) measured = { from, seq: from, bytes: 0 }
      while (measured.bytes < limits.segmentBytes) {
        const [more] = yield* run<{
          readonly seq: number | null
          readonly bytes: number | null
          readonly rows: number
        }>(
          (sql) =>
            sql`SELECT max(seq) AS seq, sum(bytes) AS bytes, count(*) AS rows FROM
              (SELECT seq, length(entry) AS bytes FROM ledger WHERE seq > ${measured.seq} ORDER BY seq LIMIT ${measure(limits.segmentBytes)})`
        )
        if (more === undefined || more.seq === null) break
        const bytes = measured.bytes + (more.bytes ?? 0) + overhead * more.rows
        measured = { from, seq: more.seq, bytes }
        yield* nextTurn
      }
      if (measured.seq === from) return undefined
      if (measured.bytes >= limits.segmentBytes) return measured.seq
      const [oldest] = yield* run<Stored>(
        (sql) => sql`SELECT * FROM ledger WHERE seq > ${from} ORDER BY seq LIMIT 1`
      )
      return oldest !== undefined && now - Date.parse(atOf(oldest.entry)) >= limits.segmentMs
        ? measured.seq
        : undefined
    })

  /** The plan of the next segment, or of one whose process is gone; undefined while another process has one. */
  const plan = (last: number | undefined): Effect.Effect<Plan | undefined, ServiceFailure> =>
    Effect.gen(function* () {
      const [open] = yield* run<Plan & { readonly owner: string }>(
        (sql) => sql`SELECT first, last, owner FROM ledger_segments WHERE state = 'sealing'`
      )
      if (open !== undefined) {
        if (planned === open.first) return open
        if (!hasGone(open.owner)) return undefined
        const [taken] = yield* run<Plan>(
          (sql) =>
            sql`UPDATE ledger_segments SET owner = ${owner()}
              WHERE first = ${open.first} AND state = 'sealing' AND owner = ${open.owner} RETURNING first, last`
        )
        return taken
      }
      if (last === undefined) return undefined
      // What has to survive a power cut before the segment does is on disk after this.
      yield* run((sql) => sql`PRAGMA wal_checkpoint(PASSIVE)`)
      const [made] = yield* run<Plan>(
        (sql) =>
          sql`INSERT INTO ledger_segments (first, last, hash, until, bytes, state, owner)
            SELECT (SELECT min(seq) FROM ledger WHERE seq > coalesce((SELECT max(last) FROM ledger_segments), 0)),
              seq, hash, '', 0, 'sealing', ${owner()}
            FROM ledger WHERE seq = ${last} AND seq > coalesce((SELECT max(last) FROM ledger_segments), 0)
              AND NOT EXISTS (SELECT 1 FROM ledger_segments WHERE state = 'sealing')
            RETURNING first, last`
      )
      return made
    })

  /** Writes the rows of a plan into its file. False when they are not as they were written, so that none is made. */
  const write = ({ first, last }: Plan) =>
    Effect.acquireUseRelease(
      attempt(() => SegmentWriter.open(folder, first)),
      (writer) =>
        Effect.gen(function* () {
          const [before] = yield* run<{ readonly hash: string }>(
            (sql) => sql`SELECT hash FROM ledger_segments WHERE last = ${first - 1}`
          )
          let row: Stored | undefined
          let until = ""
          let previous = before?.hash
          for (let seq = first; seq <= last; ) {
            const rows = yield* run<Stored>(
              (sql) =>
                sql`SELECT * FROM ledger WHERE seq BETWEEN ${seq} AND ${last} ORDER BY seq LIMIT ${stride}`
            )
            if (rows.length === 0) return undefined
            for (row of rows) {
              // Without a segment before, the first one begins the chain.
              previous ??= seq === 1 ? origin : row.previous
              if (!follows(row, seq, previous) || row.entry === "{}") return undefined
              previous = row.hash
              seq++
            }
            yield* attempt(() => writer.add(rows))
            until = atOf(row!.entry)
          }
          return { bytes: yield* attempt(() => writer.place()), until }
        }),
      (writer) => Effect.promise(() => writer.abandon())
    )

  /** Takes rows out of the table that a file has. */
  const sweep: Effect.Effect<void, ServiceFailure> = Effect.gen(function* () {
    const sealed = yield* run<Plan>(
      (sql) =>
        sql`SELECT first, last FROM ledger_segments
          WHERE state <> 'sealing' AND last >= (SELECT min(seq) FROM ledger) ORDER BY first`
    )
    if (sealed.length === 0) return
    const files = new Set(
      yield* Effect.try({ try: () => segmentsIn(folder).map(({ first }) => first), catch: failed })
    )
    for (const { first, last } of sealed) {
      if (!files.has(first)) continue
      for (let from = first; from <= last; from += swept) {
        yield* run(
          (sql) => sql`DELETE FROM ledger WHERE seq BETWEEN ${from} AND ${Math.min(last, from + swept - 1)}`
        )
        yield* nextTurn
      }
    }
  })

  const seal = (last: number | undefined) =>
    Effect.gen(function* () {
      const next = yield* plan(last)
      if (next === undefined) return
      planned = next.first
      const written = yield* write(next)
      if (written === undefined) {
        // Another process may have finished it; else its rows stay where a walk over them says what was done to them.
        const given = yield* run(
          (sql) =>
            sql`DELETE FROM ledger_segments
              WHERE first = ${next.first} AND state = 'sealing' AND owner = ${owner()} RETURNING first`
        )
        if (given.length > 0) hopeless = next.first
      } else
        yield* run(
          (sql) =>
            sql`UPDATE ledger_segments SET state = 'sealed', bytes = ${written.bytes}, until = ${written.until}
              WHERE first = ${next.first} AND state = 'sealing'`
        )
      planned = undefined
    })

  /** Lets old segments go. */
  const release = ({ retainBytes, retainMs }: LedgerLimits, now: number) =>
    Effect.gen(function* () {
      if (retainBytes !== undefined || retainMs !== undefined) {
        const sealed = yield* run<Sealed>(
          (sql) =>
            sql`SELECT first, last, hash, until, bytes FROM ledger_segments WHERE state = 'sealed' ORDER BY first DESC`
        )
        let kept = 0
        const newest = sealed.find(({ bytes, until }) => {
          kept += bytes
          return (
            (retainBytes !== undefined && kept > retainBytes) ||
            (retainMs !== undefined && now - Date.parse(until) > retainMs)
          )
        })
        if (newest !== undefined) {
          yield* append([marker(new Date(now).toISOString(), newest.last + 1, newest.hash)])
          yield* run(
            (sql) =>
              sql`UPDATE ledger_segments SET state = 'dropped' WHERE state = 'sealed' AND last <= ${newest.last}`
          )
        }
      }
      const dropped = yield* run<Plan>(
        (sql) => sql`SELECT first, last FROM ledger_segments WHERE state = 'dropped' ORDER BY first`
      )
      if (dropped.length === 0) return
      const files = new Set(
        yield* Effect.try({ try: () => segmentsIn(folder).map(({ first }) => first), catch: failed })
      )
      for (const { first } of dropped)
        if (files.has(first)) yield* attempt(() => removeSegment(folder, segmentName(first)))
    })

  /**
   * Makes at most one segment, and lets go what should go. Whether another segment is due right away. To be run by one at
   * a time, and not to be interrupted.
   */
  return (limits: LedgerLimits): Effect.Effect<boolean, ServiceFailure> =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const next = () =>
        Effect.map(due(limits, now), (last) => (hopeless === measured.from + 1 ? undefined : last))
      const last = yield* next()
      yield* seal(last)
      yield* sweep
      yield* release(limits, now)
      return last !== undefined && (yield* next()) !== undefined
    })
}
