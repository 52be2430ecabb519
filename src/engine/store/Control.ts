/**
 * Control state in two databases: one of the user, for what holds everywhere, and one for each work tree. A table that is
 * written as a whole is written under a new run's number first; what readers look at changes with the one statement that
 * names the run.
 */
import { Clock, Effect, type Scope } from "effect"
import { randomInt } from "node:crypto"
import { existsSync } from "node:fs"
import { ControlStore } from "../../services/ControlStore.ts"
import type {
  ControlTable,
  ControlTables,
  Run,
  SavedScope,
  Stored,
  TrackedRepository
} from "../../services/ControlTables.ts"
import { ControlView } from "../../services/ControlView.ts"
import type { ServiceFailure } from "../../services/ServiceFailure.ts"
import * as Database from "./Database.ts"

/** Form of the records. Those of another form are not read: whoever stamped them has to do it again. */
const format = 1

const tables: ReadonlyArray<string> = [
  `CREATE TABLE IF NOT EXISTS control (
    kind TEXT NOT NULL, run INTEGER NOT NULL, key TEXT NOT NULL, at INTEGER NOT NULL, value TEXT NOT NULL,
    version INTEGER NOT NULL DEFAULT 1, PRIMARY KEY (kind, run, key)) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS control_runs (
    kind TEXT PRIMARY KEY, run INTEGER NOT NULL, at INTEGER NOT NULL, about TEXT NOT NULL) WITHOUT ROWID`
]

interface Row {
  readonly key: string
  readonly at: number
  readonly value: string
}

interface RunRow {
  readonly run: number
  readonly at: number
  readonly about: string
}

/** Records that go into one statement at most, and characters of them. */
const batchRows = 500
const batchCharacters = 4 << 20

/** Numbers of runs in a millisecond. */
const spread = 4096

const kindOf = (table: string): string => `${table}/${format}`

const storedOf = <A>({ at, key, value }: Row): Stored<A> => ({ key, at, value: JSON.parse(value) as A })

const runOf = ({ about, at, run }: RunRow): Run => ({
  id: run,
  at,
  about: JSON.parse(about) as Run["about"]
})

/** One database of records by kind and key. */
class Cabinet {
  readonly #database: Database.Database
  readonly #file: string
  #opened = false
  readonly #lists = new Map<string, { readonly run: number; readonly rows: ReadonlyArray<Stored<unknown>> }>()

  constructor(database: Database.Database, file: string) {
    this.#database = database
    this.#file = file
  }

  #write<A extends object>(statement: Parameters<Database.Database["run"]>[1]) {
    this.#opened = true
    return this.#database.run<A>("ControlStore", statement as never)
  }

  /** A file that is not there is not made for a look into it. */
  #read<A extends object>(statement: Parameters<Database.Database["run"]>[1]) {
    return Effect.suspend((): Effect.Effect<ReadonlyArray<A>, ServiceFailure> => {
      if (!this.#opened && !existsSync(this.#file)) return Effect.succeed([])
      this.#opened = true
      return this.#database.run<A>("ControlView", statement as never)
    })
  }

  /** Whether it took the place of another. */
  readonly put = (table: string, key: string, value: unknown): Effect.Effect<boolean, ServiceFailure> =>
    Effect.flatMap(Clock.currentTimeMillis, (at) => {
      const row = { kind: kindOf(table), run: 0, key, at, value: JSON.stringify(value) }
      return Effect.map(
        this.#write<{ readonly version: number }>(
          (sql) => sql`INSERT INTO control ${sql.insert(row)}
            ON CONFLICT (kind, run, key) DO UPDATE SET at = excluded.at, value = excluded.value, version = version + 1
            RETURNING version`
        ),
        ([one]) => one !== undefined && one.version > 1
      )
    })

  readonly remove = (table: string, key: string): Effect.Effect<boolean, ServiceFailure> =>
    Effect.map(
      this.#write(
        (sql) => sql`DELETE FROM control WHERE kind = ${kindOf(table)} AND key = ${key} AND run =
          coalesce((SELECT run FROM control_runs WHERE kind = ${kindOf(table)}), 0) RETURNING key`
      ),
      (rows) => {
        this.#lists.delete(table)
        return rows.length > 0
      }
    )

  readonly replace = (
    table: string,
    records: Iterable<readonly [string, unknown]>,
    about: Run["about"]
  ): Effect.Effect<Run, ServiceFailure> => {
    const kind = kindOf(table)
    const write = this.#write.bind(this)
    const before = this.run(table)
    return Effect.gen(function* () {
      const at = yield* Clock.currentTimeMillis
      // Later than the last whatever the clock says, and not that of another process.
      const run = Math.max(at * spread, (yield* before)?.id ?? 0) + 1 + randomInt(spread)
      let rows: Array<{ kind: string; run: number; key: string; at: number; value: string }> = []
      let characters = 0
      const flush = Effect.suspend(() => {
        const full = rows
        rows = []
        characters = 0
        return full.length === 0
          ? Effect.void
          : write((sql) => sql`INSERT OR REPLACE INTO control ${sql.insert(full)}`)
      })
      for (const [key, value] of records) {
        const text = JSON.stringify(value)
        rows.push({ kind, run, key, at, value: text })
        characters += text.length
        if (rows.length >= batchRows || characters >= batchCharacters) yield* flush
      }
      yield* flush
      yield* write(
        (sql) => sql`INSERT INTO control_runs ${sql.insert({ kind, run, at, about: JSON.stringify(about) })}
          ON CONFLICT (kind) DO UPDATE SET run = excluded.run, at = excluded.at, about = excluded.about
          WHERE excluded.run > run`
      )
      // Those before it, and its own when a later one is there already.
      yield* write(
        (sql) => sql`DELETE FROM control WHERE kind = ${kind} AND run <= ${run}
          AND run <> (SELECT run FROM control_runs WHERE kind = ${kind})`
      )
      return { id: run, at, about }
    })
  }

  readonly run = (table: string): Effect.Effect<Run | undefined, ServiceFailure> =>
    Effect.map(
      this.#read<RunRow>((sql) => sql`SELECT run, at, about FROM control_runs WHERE kind = ${kindOf(table)}`),
      ([row]) => (row === undefined ? undefined : runOf(row))
    )

  readonly get = <A>(table: string, key: string): Effect.Effect<Stored<A> | undefined, ServiceFailure> =>
    Effect.map(
      this.#read<Row>(
        (sql) => sql`SELECT key, at, value FROM control WHERE kind = ${kindOf(table)} AND key = ${key}
          AND run = coalesce((SELECT run FROM control_runs WHERE kind = ${kindOf(table)}), 0)`
      ),
      ([row]) => (row === undefined ? undefined : storedOf<A>(row))
    )

  readonly list = <A>(table: string): Effect.Effect<ReadonlyArray<Stored<A>>, ServiceFailure> =>
    Effect.flatMap(this.run(table), (head) => {
      const known = this.#lists.get(table)
      if (head !== undefined && known?.run === head.id)
        return Effect.succeed(known.rows as ReadonlyArray<Stored<A>>)
      return Effect.map(
        // The run is looked up by the same statement: another one may have come since.
        this.#read<Row & { readonly run: number }>(
          (sql) => sql`SELECT run, key, at, value FROM control WHERE kind = ${kindOf(table)}
            AND run = coalesce((SELECT run FROM control_runs WHERE kind = ${kindOf(table)}), 0) ORDER BY key`
        ),
        (found) => {
          const rows = found.map(storedOf<A>)
          const run = found[0]?.run ?? 0
          if (run !== 0) this.#lists.set(table, { run, rows })
          return rows
        }
      )
    })
}

const cabinet = (file: string): Effect.Effect<Cabinet, never, Scope.Scope> =>
  Effect.map(Database.make(file, tables), (database) => new Cabinet(database, file))

/** Both sides over the two files. */
export const make = (files: {
  readonly user: string
  readonly workspace: string
}): Effect.Effect<
  { readonly store: ControlStore["Type"]; readonly view: ControlView["Type"] },
  never,
  Scope.Scope
> =>
  Effect.gen(function* () {
    const user = yield* cabinet(files.user)
    const workspace = yield* cabinet(files.workspace)
    const values = <A>(table: string) =>
      Effect.map(user.list<A>(table), (rows) => rows.map(({ value }) => value))
    return {
      store: ControlStore.of({
        track: (repository) => Effect.asVoid(user.put("repositories", repository.name, repository)),
        untrack: (name) => user.remove("repositories", name),
        setActiveProject: (workspace, project) => Effect.asVoid(user.put("project", workspace, project)),
        saveScope: (scope) => user.put("scopes", scope.name, scope),
        deleteScope: (name) => user.remove("scopes", name),
        put: (table, key, value) => Effect.asVoid(workspace.put(table, key, value)),
        remove: workspace.remove,
        replace: workspace.replace
      }),
      view: ControlView.of({
        repositories: values<TrackedRepository>("repositories"),
        scopes: values<SavedScope>("scopes"),
        activeProject: (name) => Effect.map(user.get<string>("project", name), (found) => found?.value),
        get: <T extends ControlTable>(table: T, key: string) => workspace.get<ControlTables[T]>(table, key),
        list: <T extends ControlTable>(table: T) => workspace.list<ControlTables[T]>(table),
        run: workspace.run
      })
    }
  })
