/**
 * A connection to one SQLite file. Statements are kept once they were prepared, since a few are run for every call, and
 * run at once, on the thread that asks.
 */
import type { Statement as Text } from "@effect/sql/Statement"
import type Libsql from "libsql"

/** Statements that are kept, and characters of one: those with lists in them are hardly ever the same again. */
const mostKept = 64
const longestKept = 2_000

interface Prepared {
  readonly statement: Libsql.Statement<Array<unknown>>
  /** Whether it answers with rows. */
  readonly answers: boolean
}

const valueOf = (value: unknown): unknown => (typeof value === "boolean" ? Number(value) : value)

export class Connection {
  readonly #database: Libsql.Database
  readonly #kept = new Map<string, Prepared>()

  constructor(database: Libsql.Database) {
    this.#database = database
  }

  /** Runs a statement; throws what SQLite says. */
  run<A>(text: Text<A>): ReadonlyArray<A> {
    const [sql, values] = text.compile()
    const { answers, statement } = this.#prepared(sql)
    const bound = values.map(valueOf)
    if (answers) return statement.all(bound) as Array<A>
    statement.run(bound)
    return []
  }

  /** Runs statements that need no values, separated by semicolons, and drops what they answer. */
  exec(sql: string): void {
    this.#database.exec(sql)
  }

  close(): void {
    this.#kept.clear()
    this.#database.close()
  }

  #prepared(sql: string): Prepared {
    const known = this.#kept.get(sql)
    if (known !== undefined) return known
    const statement = this.#database.prepare(sql)
    const made = { statement, answers: statement.reader }
    if (sql.length > longestKept) return made
    if (this.#kept.size >= mostKept) this.#kept.delete(this.#kept.keys().next().value as string)
    this.#kept.set(sql, made)
    return made
  }
}
