/** Jobs and their events. A job's state is the phase of its last event, so the two cannot disagree. */
import { Clock, Effect } from "effect"
import { randomBytes } from "node:crypto"
import { type Job, type JobEvent, type JobState, JobStore } from "../../services/JobStore.ts"
import type { Database } from "./Database.ts"
import { hasGone, isElsewhere, owner } from "./Owner.ts"

interface Stored {
  readonly id: string
  readonly principal_id: string
  readonly request_id: string
  readonly operation: string
  readonly created_at: number
  readonly owner: string
  readonly phase: JobState
  readonly last_at: number
  readonly reason: string | null
  readonly progress: string | null
  readonly message: string | null
  readonly error: string | null
}

interface StoredEvent {
  readonly sequence: number
  readonly at: number
  readonly phase: JobState
  readonly progress: string | null
  readonly message: string | null
  readonly result: string | null
  readonly error: string | null
}

/** Phases that end a job. */
export const terminal: ReadonlySet<JobState> = new Set(["completed", "failed", "cancelled"])

const iso = (ms: number): string => new Date(ms).toISOString()

const progressOf = (text: string | null): JobEvent["progress"] =>
  text === null ? undefined : (JSON.parse(text) as JobEvent["progress"])
const errorOf = (text: string | null): JobEvent["error"] =>
  text === null ? undefined : (JSON.parse(text) as JobEvent["error"])

const jobOf = (row: Stored): Job => ({
  id: row.id,
  principalId: row.principal_id,
  requestId: row.request_id,
  operation: row.operation,
  state: row.phase,
  createdAt: iso(row.created_at),
  updatedAt: iso(row.last_at),
  progress: progressOf(row.progress),
  message: row.message ?? errorOf(row.error)?.message,
  endedAt: terminal.has(row.phase) ? iso(row.last_at) : undefined,
  reason: row.reason ?? undefined,
  elsewhere: isElsewhere(row.owner)
})

const eventOf = (row: StoredEvent): JobEvent => ({
  sequence: row.sequence,
  at: iso(row.at),
  phase: row.phase,
  progress: progressOf(row.progress),
  message: row.message ?? undefined,
  ...(row.result === null ? {} : { result: JSON.parse(row.result) as unknown }),
  ...(row.error === null ? {} : { error: errorOf(row.error) })
})

/** Jobs kept of each principal, and milliseconds after their end that they are. A job that runs is never forgotten. */
const standardMost = 1000
const lifeMs = 7 * 24 * 3_600_000

export const make = (database: Database, most: number = standardMost): JobStore["Type"] => {
  const run = <A extends object>(statement: Parameters<typeof database.run<A>>[1]) =>
    database.run<A>("JobStore", statement)

  const add: JobStore["Type"]["add"] = (id, { error, message, phase, progress, result }, reason) =>
    Effect.flatMap(Clock.currentTimeMillis, (at) =>
      Effect.map(
        run(
          (
            sql
          ) => sql`INSERT INTO job_events (job, sequence, at, phase, progress, message, result, error, reason)
            SELECT ${id}, coalesce(max(sequence), 0) + 1, ${at}, ${phase},
              ${progress === undefined ? null : JSON.stringify(progress)}, ${message ?? null},
              ${result === undefined ? null : JSON.stringify(result)},
              ${error === undefined ? null : JSON.stringify(error)}, ${reason ?? null}
            FROM job_events WHERE job = ${id}
            HAVING sum(phase IN ('completed', 'failed', 'cancelled')) IS NOT 1
              AND (SELECT count(*) FROM jobs WHERE id = ${id}) = 1
            RETURNING sequence`
        ),
        (rows) => rows.length === 1
      )
    )
  const joined = `SELECT jobs.*, job_events.phase, job_events.at AS last_at, job_events.reason, job_events.progress,
      job_events.message, job_events.error FROM jobs
    JOIN job_events ON job_events.job = jobs.id
      AND job_events.sequence = (SELECT max(sequence) FROM job_events WHERE job = jobs.id)`
  const get = (id: string) =>
    Effect.map(
      run<Stored>((sql) => sql`${sql.literal(joined)} WHERE jobs.id = ${id}`),
      ([row]) => (row === undefined ? undefined : jobOf(row))
    )

  /** Forgets jobs that ended long ago or are too many; then what events are left without one. */
  const prune = (now: number) =>
    Effect.zipRight(
      run(
        (sql) => sql`DELETE FROM jobs WHERE id IN (
            SELECT job FROM job_events WHERE phase IN ('completed', 'failed', 'cancelled') AND at < ${now - lifeMs}
            UNION SELECT job FROM (SELECT job, row_number() OVER (PARTITION BY principal_id ORDER BY at DESC, job) AS place
              FROM job_events JOIN jobs ON jobs.id = job WHERE phase IN ('completed', 'failed', 'cancelled'))
              WHERE place > ${most})`
      ),
      run((sql) => sql`DELETE FROM job_events WHERE job NOT IN (SELECT id FROM jobs)`)
    )

  return JobStore.of({
    lifeMs,
    create: ({ operation, principalId, requestId }) =>
      Effect.gen(function* () {
        const at = yield* Clock.currentTimeMillis
        yield* prune(at)
        const row = {
          // Nobody guesses one: some callers are told apart by nothing else.
          id: `job_${randomBytes(16).toString("base64url")}`,
          principal_id: principalId,
          request_id: requestId,
          operation,
          created_at: at,
          owner: owner()
        }
        yield* run((sql) => sql`INSERT INTO jobs ${sql.insert(row)}`)
        yield* add(row.id, { phase: "queued", progress: undefined, message: undefined })
        return jobOf({
          ...row,
          phase: "queued",
          last_at: at,
          reason: null,
          progress: null,
          message: null,
          error: null
        })
      }),
    add,
    get,
    of: (principalId, requestId) =>
      Effect.map(
        run<Stored>(
          (sql) =>
            sql`${sql.literal(joined)} WHERE jobs.principal_id = ${principalId} AND jobs.request_id = ${requestId} ORDER BY jobs.created_at DESC, jobs.id LIMIT 1`
        ),
        ([row]) => (row === undefined ? undefined : jobOf(row))
      ),
    events: (id, after) =>
      Effect.map(
        run<StoredEvent>(
          (sql) => sql`SELECT * FROM job_events WHERE job = ${id} AND sequence > ${after} ORDER BY sequence`
        ),
        (rows) => rows.map(eventOf)
      ),
    list: (principalId, { after, limit }) => {
      const before = after === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(after.createdAt)
      return Effect.map(
        run<Stored>(
          (sql) =>
            sql`${sql.literal(joined)} WHERE jobs.principal_id = ${principalId} AND (jobs.created_at < ${before}
              OR (jobs.created_at = ${before} AND jobs.id > ${after?.id ?? ""}))
              ORDER BY jobs.created_at DESC, jobs.id LIMIT ${limit}`
        ),
        (rows) => rows.map(jobOf)
      )
    },
    orphans: Effect.map(
      run<Stored>((sql) => sql`${sql.literal(joined)} WHERE job_events.phase IN ('queued', 'running')`),
      (rows) => rows.filter((row) => hasGone(row.owner)).map(jobOf)
    )
  })
}
