/**
 * Calls that ran or run once. Results are kept for a day and up to a number, reads and writes apart; that a write ran is
 * remembered longer than what came of it, and while that memory is full no further write is begun.
 */
import { Clock, Effect } from "effect"
import { type Begun, type CallRecord, CallRecords, type RecordKey } from "../../services/CallRecords.ts"
import type { Database } from "./Database.ts"
import { hasGone, isElsewhere, owner } from "./Owner.ts"

export interface Bounds {
  /** Results kept, of reads and of writes. */
  readonly results: number
  /** Calls remembered, of reads and of writes. */
  readonly calls: number
  /** Milliseconds after its end that a call is remembered. */
  readonly lifeMs: number
}

export const standard: Bounds = { results: 500, calls: 10_000, lifeMs: 24 * 3_600_000 }

interface Stored {
  readonly principal_id: string
  readonly request_id: string
  readonly operation: string
  readonly fingerprint: string
  readonly write: number
  readonly state: "running" | "completed" | "failed" | "unknown"
  readonly result: string | null
  readonly started_at: number
  readonly ended_at: number | null
  readonly owner: string
}

// Every call runs these, so their text is put together once.
const beginning = `INSERT INTO calls (principal_id, request_id, operation, fingerprint, write, state, started_at, owner)
  VALUES (?, ?, ?, ?, ?, 'running', ?, ?) ON CONFLICT DO NOTHING RETURNING request_id`
/** What a call came to is written with its state, or neither is. */
const ending = `INSERT INTO call_results (principal_id, request_id, write, state, ended_at, result)
  SELECT principal_id, request_id, write, ?, ?, ? FROM calls WHERE principal_id = ? AND request_id = ? AND state = 'running'`

const iso = (ms: number): string => new Date(ms).toISOString()

const recordOf = (row: Stored): CallRecord => ({
  principalId: row.principal_id,
  requestId: row.request_id,
  operation: row.operation,
  fingerprint: row.fingerprint,
  write: row.write === 1,
  state: row.state === "running" && hasGone(row.owner) ? "unknown" : row.state,
  result: row.result ?? undefined,
  startedAt: iso(row.started_at),
  endedAt: row.ended_at === null ? undefined : iso(row.ended_at),
  elsewhere: isElsewhere(row.owner)
})

export const make = (database: Database, bounds: Bounds = standard): CallRecords["Type"] => {
  const run = <A extends object>(statement: Parameters<typeof database.run<A>>[1]) =>
    database.run<A>("CallRecords", statement)

  /** How often old ones are looked for: what that costs is shared by the calls in between, and by so much a bound may be passed. */
  const every = Math.max(1, Math.min(64, Math.floor(Math.min(bounds.results, bounds.calls) / 8)))
  const begun = [0, 0]

  /** Forgets what is old, then the results beyond the number that is kept, oldest first; a call under way is never touched. */
  const prune = (write: 0 | 1, now: number) =>
    Effect.suspend(() => {
      const turn = (begun[write] as number) % every
      begun[write] = turn + 1
      return turn === 0 ? pruned(write, now) : Effect.void
    })
  const pruned = (write: 0 | 1, now: number) =>
    Effect.all([
      run((sql) => sql`DELETE FROM calls WHERE write = ${write} AND ended_at < ${now - bounds.lifeMs}`),
      run(
        (sql) =>
          sql`DELETE FROM call_results WHERE id IN (SELECT id FROM call_results WHERE write = ${write} ORDER BY id DESC LIMIT -1 OFFSET ${bounds.results})`
      ),
      write === 1
        ? Effect.void
        : run(
            (sql) =>
              sql`DELETE FROM calls WHERE (principal_id, request_id) IN (SELECT principal_id, request_id FROM calls WHERE write = 0 AND ended_at IS NOT NULL ORDER BY ended_at DESC, principal_id DESC, request_id DESC LIMIT -1 OFFSET ${bounds.calls - 1})`
          )
    ])
  const find = ({ principalId, requestId }: RecordKey) =>
    Effect.map(
      run<Stored>(
        (sql) =>
          sql`SELECT calls.principal_id, calls.request_id, operation, fingerprint, calls.write, calls.state, coalesce(call_results.result, calls.result) AS result, started_at, calls.ended_at, owner FROM calls LEFT JOIN call_results USING (principal_id, request_id) WHERE calls.principal_id = ${principalId} AND calls.request_id = ${requestId}`
      ),
      ([row]) => (row === undefined ? undefined : recordOf(row))
    )

  return CallRecords.of({
    begin: (draft) =>
      Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const write = draft.write ? 1 : 0
        yield* prune(write, now)
        const { fingerprint, operation, principalId, requestId } = draft
        const added = yield* run((sql) =>
          sql.unsafe(beginning, [principalId, requestId, operation, fingerprint, write, now, owner()])
        )
        // Reads are forgotten to make room for others; of writes there may be too many.
        if (added.length === 1 && !draft.write) return { tag: "started" } as Begun
        if (added.length === 1) {
          const [{ n } = { n: 0 }] = yield* run<{ readonly n: number }>(
            (sql) => sql`SELECT count(*) AS n FROM calls WHERE write = ${write}`
          )
          if (n <= bounds.calls) return { tag: "started" } as Begun
          yield* run(
            (sql) =>
              sql`DELETE FROM calls WHERE principal_id = ${draft.principalId} AND request_id = ${draft.requestId}`
          )
          return { tag: "full" } as Begun
        }
        const record = yield* find(draft)
        // Forgotten between the two statements: it was old, so it may be begun anew by whoever asks again.
        if (record === undefined) return { tag: "full" } as Begun
        if (record.fingerprint !== draft.fingerprint) return { tag: "conflict" } as Begun
        return record.endedAt !== undefined && record.result === undefined
          ? ({ tag: "expired" } as Begun)
          : ({ tag: "known", record } as Begun)
      }),
    end: ({ principalId, requestId }, state, result) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) =>
        Effect.asVoid(run((sql) => sql.unsafe(ending, [state, now, result, principalId, requestId])))
      ),
    forget: ({ principalId, requestId }) =>
      Effect.asVoid(
        run(
          (sql) =>
            sql`DELETE FROM calls WHERE principal_id = ${principalId} AND request_id = ${requestId} AND state = 'running'`
        )
      ),
    find,
    orphans: Effect.map(
      run<Stored>((sql) => sql`SELECT * FROM calls WHERE state = 'running'`),
      (rows) => rows.filter((row) => hasGone(row.owner)).map(recordOf)
    )
  })
}
