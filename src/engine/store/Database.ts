/**
 * The database of what people would miss: one SQLite file per repository, opened when first needed. Every change is one
 * statement, so there is nothing to roll back, and several processes may work on one file.
 */
import { SqlError } from "@effect/sql/SqlError"
import {
  type Constructor,
  make as templates,
  makeCompilerSqlite,
  type Statement
} from "@effect/sql/Statement"
import { Effect, Schedule, type Scope } from "effect"
import { chmodSync, mkdirSync } from "node:fs"
import { dirname } from "node:path"
import { ServiceFailure } from "../../services/ServiceFailure.ts"
import { Checkpoints } from "./Checkpoints.ts"
import { Connection } from "./Connection.ts"
import { type Manner, openToRead, type Readable } from "./Reading.ts"

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
  `CREATE TABLE IF NOT EXISTS call_results (
    id INTEGER PRIMARY KEY, principal_id TEXT NOT NULL, request_id TEXT NOT NULL, write INTEGER NOT NULL,
    state TEXT NOT NULL, ended_at INTEGER NOT NULL, result TEXT NOT NULL)`,
  `CREATE UNIQUE INDEX IF NOT EXISTS call_results_by_call ON call_results (principal_id, request_id)`,
  `CREATE INDEX IF NOT EXISTS call_results_by_age ON call_results (write, id)`,
  `CREATE TRIGGER IF NOT EXISTS call_ends AFTER INSERT ON call_results BEGIN
    UPDATE calls SET state = NEW.state, ended_at = NEW.ended_at
      WHERE principal_id = NEW.principal_id AND request_id = NEW.request_id;
  END`,
  `CREATE TRIGGER IF NOT EXISTS call_goes AFTER DELETE ON calls BEGIN
    DELETE FROM call_results WHERE principal_id = OLD.principal_id AND request_id = OLD.request_id;
  END`,
  // Results were in the rows of their calls once, from where it takes long to let them go.
  `CREATE INDEX IF NOT EXISTS calls_with_result ON calls (write, ended_at) WHERE result IS NOT NULL`,
  `INSERT OR IGNORE INTO call_results (principal_id, request_id, write, state, ended_at, result)
    SELECT principal_id, request_id, write, state, ended_at, result FROM calls
    WHERE result IS NOT NULL AND ended_at IS NOT NULL ORDER BY ended_at`,
  `UPDATE calls SET result = NULL WHERE result IS NOT NULL AND EXISTS (
    SELECT 1 FROM call_results AS kept
    WHERE kept.principal_id = calls.principal_id AND kept.request_id = calls.request_id AND kept.result = calls.result)`,
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

/** Pages of 4 KB that are written beside the file before they are brought into it here, where no other thread did. */
const mostPages = 16_000

const isBusy = (cause: unknown): boolean =>
  cause instanceof SqlError && /SQLITE_BUSY|database is locked/.test(String(cause.cause))

/** Milliseconds between the first two attempts. */
const pauseMs = 5

const again = Schedule.exponential("5 millis", 1.5).pipe(Schedule.jittered, Schedule.upTo(patienceMs))

/** Makes statements out of templates. */
export type Sql = Constructor

/** What every part of the store asks the database through. */
export interface Database {
  /** Runs a statement; fails as `service`, saying that nothing changed. */
  readonly run: <A extends object>(
    service: string,
    statement: (sql: Sql) => Statement<A>
  ) => Effect.Effect<ReadonlyArray<A>, ServiceFailure>
  /** What of the database could not be read, and why; known once a statement ran. */
  readonly unread: () => string | undefined
}

export interface DatabaseOptions {
  /** For those who only read: no file is made where there is none, and one that cannot be written to is read as well. */
  readonly reading?: Manner | undefined
}

/** What went wrong, without paths of this machine: the code, and of SQLite its words. */
const reasonOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  const code = "code" in cause ? String(cause.code) : undefined
  if (code === undefined) return cause.message
  return code.startsWith("SQLITE") ? `${code}: ${cause.message}` : code
}

const failed = (service: string, cause: unknown): ServiceFailure =>
  new ServiceFailure({
    service,
    reason: "io_error",
    detail: `the records cannot be used: ${reasonOf(cause instanceof SqlError ? cause.cause : cause)}`,
    stateChanged: false,
    cause
  })

const sqlError = (cause: unknown): SqlError => new SqlError({ cause, message: "Failed to execute statement" })

/** Templates are only written out here; what they say is run on a connection. */
const sql: Sql = templates(Effect.fail(sqlError("no connection")), makeCompilerSqlite(), [], undefined)

/** Opens a file; rejects with what SQLite or the file system says. */
const open = async (file: string, tables: ReadonlyArray<string>): Promise<Connection> => {
  const { default: Libsql } = await import("libsql")
  const inMemory = file === ":memory:"
  if (!inMemory) mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const connection = new Connection(new Libsql(file))
  try {
    // What is kept here is the user's business alone.
    connection.exec(`PRAGMA busy_timeout = ${waitMs}; PRAGMA journal_mode = WAL`)
    if (!inMemory) chmodSync(file, 0o600)
    // A power cut may take the last moments, never the order.
    connection.exec("PRAGMA synchronous = NORMAL")
    connection.exec(`PRAGMA wal_autocheckpoint = ${mostPages}`)
    for (const table of tables) connection.exec(table)
    return connection
  } catch (cause) {
    connection.close()
    throw cause
  }
}

/** The database in a file, opened by the first statement and closed with the scope. `tables` make what it consists of. */
export const make = (
  file: string,
  tables: ReadonlyArray<string> = recordTables,
  { reading }: DatabaseOptions = {}
): Effect.Effect<Database, never, Scope.Scope> =>
  Effect.gen(function* () {
    const checkpoints = new Checkpoints(file)
    let known: Connection | undefined
    let readable: Readable | undefined
    const connect = async (): Promise<Connection> => {
      if (reading === undefined) return open(file, tables)
      readable?.dispose()
      readable = await openToRead(file, reading, (place) => open(place, tables))
      return readable.connection
    }
    // Closed after whatever was made later, which may still have something to write.
    yield* Effect.addFinalizer(() =>
      Effect.zipRight(
        Effect.promise(() => checkpoints.close()),
        Effect.sync(() => {
          known?.close()
          readable?.dispose()
        })
      )
    )
    const turn = yield* Effect.makeSemaphore(1)
    // Whoever asks first may go away while the file is opened, and what could not be opened may be tried again.
    const opened = turn.withPermits(1)(
      Effect.suspend(() =>
        known !== undefined
          ? Effect.succeed(known)
          : Effect.uninterruptible(
              Effect.map(
                Effect.tryPromise({ try: connect, catch: sqlError }),
                (connection) => (known = connection)
              )
            )
      )
    )
    /**
     * Runs a statement. A connection that was told to wait is given up: it still has that statement under way, for as
     * long as the library holds on to it, and commits nothing meanwhile that is written later.
     */
    const attempt = <A>(connection: Connection, statement: Statement<A>) =>
      Effect.suspend((): Effect.Effect<ReadonlyArray<A>, SqlError> => {
        try {
          const rows = connection.run(statement)
          if (reading === undefined) checkpoints.count()
          return Effect.succeed(rows)
        } catch (thrown) {
          const cause = sqlError(thrown)
          if (isBusy(cause) && known === connection) {
            known = undefined
            connection.close()
          }
          return Effect.fail(cause)
        }
      })
    return {
      unread: () => readable?.unread,
      run: (service, statement) => {
        const made = statement(sql)
        const once = Effect.suspend(() =>
          known === undefined
            ? Effect.flatMap(opened, (connection) => attempt(connection, made))
            : attempt(known, made)
        )
        // Most run at once, and have no use for what another attempt takes.
        return Effect.catchAll(once, (cause) =>
          Effect.mapError(
            isBusy(cause)
              ? Effect.zipRight(Effect.sleep(pauseMs), Effect.retry(once, { schedule: again, while: isBusy }))
              : Effect.fail(cause),
            (last) => failed(service, last)
          )
        )
      }
    }
  })
