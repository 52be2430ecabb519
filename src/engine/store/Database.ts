/**
 * The database of what people would miss: one SQLite file per repository, opened when first needed. Every change is one
 * statement, so there is nothing to roll back, and several processes may work on one file.
 */
import type { SqlClient } from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import { Effect, ExecutionStrategy, Exit, Schedule, Scope } from "effect"
import { chmodSync, mkdirSync } from "node:fs"
import { dirname } from "node:path"
import { pathToFileURL } from "node:url"
import { ServiceFailure } from "../../services/ServiceFailure.ts"

/** Statements that make the tables of the records, in order; each may run on a file that has them. */
const recordTables: ReadonlyArray<string> = [
  `CREATE TABLE IF NOT EXISTS ledger (
    seq INTEGER PRIMARY KEY, previous TEXT NOT NULL, hash TEXT NOT NULL, entry TEXT NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS ledger_head (id INTEGER PRIMARY KEY CHECK (id = 1), seq INTEGER NOT NULL, hash TEXT NOT NULL)`,
  `CREATE TRIGGER IF NOT EXISTS ledger_grows AFTER INSERT ON ledger BEGIN
    INSERT INTO ledger_head (id, seq, hash) VALUES (1, NEW.seq, NEW.hash)
      ON CONFLICT (id) DO UPDATE SET seq = excluded.seq, hash = excluded.hash WHERE excluded.seq > seq;
  END`,
  `CREATE TABLE IF NOT EXISTS ledger_segments (
    first INTEGER PRIMARY KEY, last INTEGER NOT NULL, hash TEXT NOT NULL, until TEXT NOT NULL, bytes INTEGER NOT NULL,
    state TEXT NOT NULL, owner TEXT NOT NULL)`,
  `DROP TRIGGER IF EXISTS ledger_keeps`,
  `CREATE TRIGGER IF NOT EXISTS ledger_keeps_unsealed BEFORE DELETE ON ledger
    WHEN OLD.seq > coalesce((SELECT max(last) FROM ledger_segments WHERE state <> 'sealing'), 0)
    BEGIN SELECT RAISE(ABORT, 'the ledger only grows'); END`,
  `CREATE TRIGGER IF NOT EXISTS ledger_stays BEFORE UPDATE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger only grows'); END`,
  `CREATE TABLE IF NOT EXISTS approvals (
    reference TEXT PRIMARY KEY, principal_kind TEXT NOT NULL, principal_id TEXT NOT NULL, facade TEXT NOT NULL,
    operation TEXT NOT NULL, effect TEXT NOT NULL, digest TEXT NOT NULL, subject TEXT NOT NULL, arguments TEXT,
    state TEXT NOT NULL, created_at INTEGER NOT NULL, expires_at INTEGER NOT NULL, decided_at INTEGER, decided_by TEXT)`,
  `CREATE UNIQUE INDEX IF NOT EXISTS approvals_open ON approvals (principal_id, digest) WHERE state IN ('pending', 'approved', 'denied')`,
  `CREATE TABLE IF NOT EXISTS calls (
    principal_id TEXT NOT NULL, request_id TEXT NOT NULL, operation TEXT NOT NULL, fingerprint TEXT NOT NULL,
    write INTEGER NOT NULL, state TEXT NOT NULL, result TEXT, started_at INTEGER NOT NULL, ended_at INTEGER,
    owner TEXT NOT NULL, PRIMARY KEY (principal_id, request_id)) WITHOUT ROWID`,
  `CREATE INDEX IF NOT EXISTS calls_by_end ON calls (write, ended_at)`,
  `CREATE INDEX IF NOT EXISTS calls_with_result ON calls (write, ended_at) WHERE result IS NOT NULL`,
  `CREATE TABLE IF NOT EXISTS jobs (
    id TEXT PRIMARY KEY, principal_id TEXT NOT NULL, request_id TEXT NOT NULL, operation TEXT NOT NULL,
    created_at INTEGER NOT NULL, owner TEXT NOT NULL) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS job_events (
    job TEXT NOT NULL, sequence INTEGER NOT NULL, at INTEGER NOT NULL, phase TEXT NOT NULL, progress TEXT, message TEXT,
    result TEXT, error TEXT, reason TEXT, PRIMARY KEY (job, sequence)) WITHOUT ROWID`,
  `CREATE INDEX IF NOT EXISTS jobs_by_request ON jobs (principal_id, request_id)`,
  `CREATE TABLE IF NOT EXISTS pending_calls (
    principal_id TEXT NOT NULL, request_id TEXT NOT NULL, principal_kind TEXT NOT NULL, authenticated INTEGER NOT NULL,
    door TEXT NOT NULL, tool TEXT NOT NULL, arguments TEXT NOT NULL, operation TEXT NOT NULL, fingerprint TEXT NOT NULL,
    reference TEXT NOT NULL, expires_at INTEGER NOT NULL, ticket TEXT, decided_by TEXT,
    PRIMARY KEY (principal_id, request_id)) WITHOUT ROWID`
]

/** Milliseconds that a statement waits for other processes to let go of the file, and that it waits holding the thread. */
const patienceMs = 10_000
const waitMs = 1_000

/** Pages of 4 KB that are written beside the file before they are brought into it. */
const checkpointPages = 4_000

const isBusy = (cause: unknown): boolean =>
  cause instanceof SqlError && /SQLITE_BUSY|database is locked/.test(String(cause.cause))

const again = Schedule.exponential("5 millis", 1.5).pipe(Schedule.jittered, Schedule.upTo(patienceMs))

/** What every part of the store asks the database through. */
export interface Database {
  /** Runs a statement; fails as `service`, saying that nothing changed. */
  readonly run: <A extends object>(
    service: string,
    statement: (sql: SqlClient) => Effect.Effect<ReadonlyArray<A>, SqlError>
  ) => Effect.Effect<ReadonlyArray<A>, ServiceFailure>
}

const failed = (service: string, cause: unknown): ServiceFailure =>
  new ServiceFailure({
    service,
    reason: "io_error",
    detail: `the records cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`,
    stateChanged: false,
    cause
  })

interface Connection {
  readonly sql: SqlClient
  readonly close: Effect.Effect<void>
}

const open = (file: string, tables: ReadonlyArray<string>): Effect.Effect<SqlClient, unknown, Scope.Scope> =>
  Effect.gen(function* () {
    const [{ make }, { layer }] = yield* Effect.promise(() =>
      Promise.all([import("@effect/sql-libsql/LibsqlClient"), import("@effect/experimental/Reactivity")])
    )
    yield* Effect.try(() => mkdirSync(dirname(file), { recursive: true, mode: 0o700 }))
    const sql = yield* Effect.provide(make({ url: pathToFileURL(file).href }), layer)
    // What is kept here is the user's business alone.
    yield* sql.unsafe(`PRAGMA busy_timeout = ${waitMs}`)
    yield* sql.unsafe("PRAGMA journal_mode = WAL")
    yield* Effect.try(() => chmodSync(file, 0o600))
    // A power cut may take the last moments, never the order.
    yield* sql.unsafe("PRAGMA synchronous = NORMAL")
    // What was written is brought into the file itself now and then, and that waits for the disk: seldom is better.
    yield* sql.unsafe(`PRAGMA wal_autocheckpoint = ${checkpointPages}`)
    for (const table of tables) yield* sql.unsafe(table)
    return sql
  })

/** The database in a file, opened by the first statement and closed with the scope. `tables` make what it consists of. */
export const make = (
  file: string,
  tables: ReadonlyArray<string> = recordTables
): Effect.Effect<Database, never, Scope.Scope> =>
  Effect.gen(function* () {
    // Closed after whatever was made later, which may still have something to write.
    const scope = yield* Effect.acquireRelease(Scope.make(), Scope.close)
    const turn = yield* Effect.makeSemaphore(1)
    let known: Connection | undefined
    const connect = Effect.gen(function* () {
      const own = yield* Scope.fork(scope, ExecutionStrategy.sequential)
      const sql = yield* Effect.onError(Scope.extend(open(file, tables), own), (cause) =>
        Scope.close(own, Exit.failCause(cause))
      )
      return (known = { sql, close: Scope.close(own, Exit.void) })
    })
    // Whoever asks first may go away while the file is opened, and what could not be opened may be tried again.
    const opened = Effect.suspend(() =>
      known !== undefined
        ? Effect.succeed(known)
        : turn.withPermits(1)(
            Effect.suspend(() =>
              known !== undefined ? Effect.succeed(known) : Effect.uninterruptible(connect)
            )
          )
    )
    /**
     * Gives a connection up. One that was told to wait still has that statement under way, for as long as the library
     * holds on to it, and commits nothing meanwhile that is written later.
     */
    const abandon = (connection: Connection) =>
      Effect.suspend(() => {
        if (known !== connection) return Effect.void
        known = undefined
        return connection.close
      })
    return {
      run: (service, statement) =>
        opened.pipe(
          Effect.flatMap((connection) =>
            Effect.tapError(statement(connection.sql), (cause) =>
              isBusy(cause) ? abandon(connection) : Effect.void
            )
          ),
          Effect.retry({ schedule: again, while: isBusy }),
          Effect.catchAll((cause) => Effect.fail(failed(service, cause))),
          // Nobody reads the spans of statements.
          Effect.withTracerEnabled(false)
        )
    }
  })
