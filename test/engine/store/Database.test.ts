import { assert, describe, it } from "@effect/vitest"
import { createClient } from "@libsql/client"
import { Effect, Fiber } from "effect"
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
