import { assert, describe, it } from "@effect/vitest"
import { createClient } from "@libsql/client"
import { Effect, Fiber, Schedule } from "effect"
import { statSync, writeFileSync } from "node:fs"
import { make } from "../../../src/engine/store/Database.ts"
import { TempFolder } from "../git/TempRepo.ts"

const clientOf = (file: string) =>
  Effect.acquireRelease(
    Effect.sync(() => createClient({ url: `file:${file}` })),
    (client) => Effect.sync(() => client.close())
  )

describe("a database that another connection writes to", () => {
  it.scopedLive(
    "commits what had to wait, and what comes after it",
    () =>
      Effect.gen(function* () {
        const temp = yield* Effect.acquireRelease(
          Effect.sync(() => new TempFolder()),
          (folder) => Effect.sync(() => folder[Symbol.dispose]())
        )
        const file = temp.at("some.db")
        const database = yield* make(file, ["CREATE TABLE IF NOT EXISTS rows (n INTEGER PRIMARY KEY)"])
        const add = (n: number) =>
          database.run("Test", (sql) => sql`INSERT INTO rows ${sql.insert({ n })} RETURNING n`)
        yield* add(1)
        const other = yield* clientOf(file)
        yield* Effect.promise(() => other.execute("BEGIN IMMEDIATE"))
        const waiting = yield* Effect.fork(add(2))
        yield* Effect.sleep(50)
        yield* Effect.promise(() => other.execute("COMMIT"))
        assert.deepStrictEqual(yield* Fiber.join(waiting), [{ n: 2 }])
        yield* add(3)
        const reader = yield* clientOf(file)
        const { rows } = yield* Effect.promise(() => reader.execute("SELECT n FROM rows ORDER BY n"))
        assert.deepStrictEqual(
          rows.map(({ n }) => n),
          [1, 2, 3]
        )
        // The lock was let go, too.
        yield* Effect.promise(() => reader.execute("INSERT INTO rows VALUES (4)"))
      }),
    30_000
  )
})

describe("a database that is written to", () => {
  const temporary = Effect.acquireRelease(
    Effect.sync(() => new TempFolder()),
    (folder) => Effect.sync(() => folder[Symbol.dispose]())
  )

  it.scopedLive("says why it cannot be used, without its path", () =>
    Effect.gen(function* () {
      const folder = yield* temporary
      writeFileSync(folder.at("file"), "")
      writeFileSync(folder.at("other.db"), "no database at all, ".repeat(100))
      const ask = (file: string) =>
        Effect.flatMap(make(file, []), (database) =>
          Effect.flip(database.run("Test", (sql) => sql`SELECT * FROM absent`))
        )
      const details = yield* Effect.forEach(["file/some.db", "other.db", "new.db"], (name) =>
        Effect.map(ask(folder.at(name)), ({ detail }) => detail)
      )
      const [notFolder, notDatabase, noTable] = details
      assert.match(notFolder!, /^the records cannot be used: (ENOTDIR|EEXIST)$/)
      assert.match(notDatabase!, /SQLITE_NOTADB/)
      assert.match(noTable!, /no such table: absent/)
    })
  )

  it.scopedLive("runs a statement again after it failed, with other values", () =>
    Effect.gen(function* () {
      const file = (yield* temporary).at("some.db")
      const database = yield* make(file, [
        "CREATE TABLE IF NOT EXISTS rows (n INTEGER PRIMARY KEY, yes INTEGER)"
      ])
      const add = (n: number, yes: boolean) =>
        database.run("Test", (sql) => sql`INSERT INTO rows (n, yes) VALUES (${n}, ${yes})`)
      assert.deepStrictEqual(yield* add(1, true), [])
      const { reason, service } = yield* Effect.flip(add(1, false))
      assert.deepStrictEqual([service, reason], ["Test", "io_error"])
      yield* add(2, false)
      assert.deepStrictEqual(yield* database.run("Test", (sql) => sql`SELECT * FROM rows ORDER BY n`), [
        { n: 1, yes: 1 },
        { n: 2, yes: 0 }
      ])
    })
  )

  it.scopedLive("has what was written brought into its file while it stays open", () =>
    Effect.gen(function* () {
      const file = (yield* temporary).at("some.db")
      const database = yield* make(file, [
        "CREATE TABLE IF NOT EXISTS texts (n INTEGER PRIMARY KEY, text TEXT)"
      ])
      const bytes = 600 * 4000
      for (let n = 0; n < 600; n++)
        yield* database.run("Test", (sql) => sql`INSERT INTO texts VALUES (${n}, ${"x".repeat(4000)})`)
      yield* Effect.repeat(
        Effect.sync(() => statSync(file).size),
        {
          until: (size) => size > bytes / 2,
          schedule: Schedule.spaced("10 millis").pipe(Schedule.upTo("5 seconds"))
        }
      )
      assert.isAbove(statSync(file).size, bytes / 2)
      assert.deepStrictEqual(yield* database.run("Test", (sql) => sql`SELECT count(*) AS n FROM texts`), [
        { n: 600 }
      ])
    })
  )
})
