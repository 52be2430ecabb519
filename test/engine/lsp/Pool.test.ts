import { Effect, Exit, Fiber, Scope } from "effect"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { openRootSync, type Root } from "../../../src/engine/files/Confine.ts"
import { disk } from "../../../src/engine/lsp/Documents.ts"
import { make, type Pool, type PoolOptions } from "../../../src/engine/lsp/Pool.ts"
import { alive, eventually, folder, logged } from "./support/processes.ts"
import { toy } from "./support/rows.ts"

const root = folder({ "a.toy": "one\n" })
const opened = openRootSync(root) as Root
let logs = 0
const log = (): string => join(root, `log-${++logs}`)
const starts = (path: string): ReadonlyArray<number> =>
  logged(path).flatMap(({ started }) => (typeof started === "number" ? [started] : []))

const withPool = <A, E>(
  options: Omit<PoolOptions, "root">,
  body: (pool: Pool) => Effect.Effect<A, E>
): Promise<A> => Effect.runPromise(Effect.scoped(Effect.flatMap(make({ root: opened, ...options }), body)))

const until = (holds: () => boolean) => Effect.promise(() => eventually(holds))
const untilState = (pool: Pool, state: string) =>
  Effect.repeat(Effect.delay(pool.status, 10), {
    until: (all) => all.every((s) => s.state === state),
    times: 500
  })

const offers = { referencesProvider: true }
const fast = { delays: [10, 20, 30], windowMillis: 60_000 }

describe("a pool", () => {
  it("starts nothing by itself, and one process for all who ask at once", async () => {
    const path = log()
    const found = toy({ log: path })
    const [before, pids] = await withPool({}, (pool) =>
      Effect.gen(function* () {
        const none = yield* pool.status
        const asked = yield* Effect.all(
          Array.from({ length: 8 }, () => pool.use(found, root, ({ server }) => Effect.succeed(server.pid))),
          { concurrency: "unbounded" }
        )
        return [none, asked] as const
      })
    )
    expect(before).toEqual([])
    expect(new Set(pids)).toEqual(new Set(starts(path)))
    expect(starts(path)).toHaveLength(1)
    expect(alive(pids[0] ?? 0)).toBe(false)
  })

  it("has a process for each folder", async () => {
    const path = log()
    const found = toy({ log: path })
    const other = folder()
    await withPool({}, (pool) =>
      Effect.all([pool.use(found, root, () => Effect.void), pool.use(found, other, () => Effect.void)])
    )
    expect(starts(path)).toHaveLength(2)
    expect(starts(path).filter(alive)).toEqual([])
  })

  it("goes on starting for the others when the first who asked gives up", async () => {
    const path = log()
    const found = toy({ log: path })
    await withPool({}, (pool) =>
      Effect.gen(function* () {
        yield* Effect.timeoutOption(
          pool.use(found, root, () => Effect.void),
          1
        )
        yield* pool.use(found, root, () => Effect.void)
      })
    )
    expect(starts(path)).toHaveLength(1)
  })

  it("leaves no process when it is closed during a start", async () => {
    const path = log()
    const scope = Effect.runSync(Scope.make())
    const pool = await Effect.runPromise(make({ root: opened }).pipe(Scope.extend(scope)))
    const asked = Effect.runPromise(
      Effect.flip(pool.use(toy({ log: path, silentOn: ["initialize"] }), root, () => Effect.void))
    )
    expect(await eventually(() => logged(path).length === 2)).toBe(true)
    await Effect.runPromise(Scope.close(scope, Exit.void))
    expect(await asked).toMatchObject({ _tag: "ServerGone", reason: "the pool was closed" })
    expect(starts(path).filter(alive)).toEqual([])
  })

  it("starts a server again that died, and tells so", async () => {
    const path = log()
    const found = toy({ log: path, capabilities: offers, diesOn: ["textDocument/references"] })
    const result = await withPool({ restarts: fast }, (pool) =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(
          pool.use(found, root, ({ server }) => server.call("textDocument/references", {}, 5000))
        )
        yield* untilState(pool, "failing")
        const [failing] = yield* pool.status
        yield* pool.use(found, root, () => Effect.void)
        const [running] = yield* pool.status
        return { failure, failing, running }
      })
    )
    expect(result.failure).toMatchObject({ _tag: "ServerGone", phase: "running", exitCode: 7 })
    expect(result.failing).toMatchObject({ state: "failing", starts: 1 })
    expect(result.failing?.last).toContain("fell over textDocument/references")
    expect(result.running).toMatchObject({ state: "running", starts: 2 })
    expect(starts(path)).toHaveLength(2)
  })

  it("leaves a server alone that died after three restarts, and starts it no more", async () => {
    const path = log()
    const found = toy({ log: path, diesAtStart: true })
    const failures = await withPool({ restarts: fast }, (pool) =>
      Effect.gen(function* () {
        const told = []
        for (let i = 0; i < 6; i++) told.push(yield* Effect.flip(pool.use(found, root, () => Effect.void)))
        const [status] = yield* pool.status
        expect(status?.state).toBe("broken")
        return told
      })
    )
    expect(failures.map(({ _tag }) => _tag)).toEqual([
      "ServerGone",
      "ServerGone",
      "ServerGone",
      "ServerGone",
      "BreakerOpen",
      "BreakerOpen"
    ])
    expect(failures[4]).toMatchObject({ failures: 4, server: "toy" })
    expect(failures[4]?.message).toContain("cannot read the moon")
    expect(starts(path)).toHaveLength(4)
  })

  it("tries again when the failures are old", async () => {
    const path = log()
    const found = toy({ log: path, diesAtStart: true })
    await withPool({ restarts: { delays: [], windowMillis: 300 } }, (pool) =>
      Effect.gen(function* () {
        yield* Effect.flip(pool.use(found, root, () => Effect.void))
        expect((yield* Effect.flip(pool.use(found, root, () => Effect.void)))._tag).toBe("BreakerOpen")
        yield* Effect.sleep(400)
        expect((yield* Effect.flip(pool.use(found, root, () => Effect.void)))._tag).toBe("ServerGone")
      })
    )
    expect(starts(path)).toHaveLength(2)
  })

  it("stops a server that nobody asks, but not one that works", async () => {
    const path = log()
    const found = toy({ log: path })
    await withPool({ everyMillis: 20, idleMillis: 50 }, (pool) =>
      Effect.gen(function* () {
        const pid = yield* pool.use(found, root, ({ server }) =>
          Effect.as(Effect.sleep(300), server.pid).pipe(
            Effect.tap((p) => Effect.sync(() => expect(alive(p)).toBe(true)))
          )
        )
        yield* untilState(pool, "stopped")
        yield* until(() => !alive(pid))
        expect(alive(pid)).toBe(false)
        yield* pool.use(found, root, () => Effect.void)
      })
    )
    expect(starts(path)).toHaveLength(2)
  })

  it("kills a server above its hard limit, and what it was asked fails", async () => {
    const path = log()
    const found = toy(
      { log: path, capabilities: offers, silentOn: ["textDocument/references"], ballastMiB: 200 },
      { memory: { hardBytes: 150 * 2 ** 20 } }
    )
    const failure = await withPool({ everyMillis: 20, restarts: fast }, (pool) =>
      Effect.flip(pool.use(found, root, ({ server }) => server.call("textDocument/references", {}, 30_000)))
    )
    expect(failure).toMatchObject({ _tag: "ServerGone", phase: "running" })
    expect(failure.message).toMatch(/it used \d+ MiB, more than 150/)
    expect(starts(path).filter(alive)).toEqual([])
  })

  it("stops a server above its soft limit once nobody asks, without counting that as a failure", async () => {
    const found = toy({ ballastMiB: 200 }, { memory: { softBytes: 150 * 2 ** 20, hardBytes: 2 ** 34 } })
    await withPool({ everyMillis: 20 }, (pool) =>
      Effect.gen(function* () {
        yield* pool.use(found, root, () => Effect.void)
        yield* untilState(pool, "stopped")
        const [status] = yield* pool.status
        expect(status).toMatchObject({ state: "stopped", last: undefined })
      })
    )
  })

  it("stops the one that was asked longest ago when all together are too large", async () => {
    const [first, second] = [toy({ ballastMiB: 150 }), toy({ ballastMiB: 150 }, { id: "other" })]
    await withPool({ everyMillis: 20, budgetBytes: 350 * 2 ** 20 }, (pool) =>
      Effect.gen(function* () {
        yield* pool.use(first, root, () => Effect.void)
        yield* Effect.sleep(30)
        yield* pool.use(second, root, () => Effect.void)
        yield* Effect.repeat(Effect.delay(pool.status, 10), {
          until: (all) => all.some(({ state }) => state === "stopped"),
          times: 500
        })
        yield* Effect.sleep(100)
        const states = (yield* pool.status).map(({ id, state }) => [id, state])
        expect(states).toEqual([
          ["toy", "stopped"],
          ["other", "running"]
        ])
      })
    )
  })
})

describe("documents of a server", () => {
  const heard = (path: string) =>
    logged(path).flatMap(({ method, params }) =>
      typeof method === "string" && method.startsWith("textDocument/did")
        ? [
            [
              method.slice(16),
              (params as { textDocument: { version?: number; text?: string } }).textDocument.version ?? null
            ]
          ]
        : []
    )

  it("are opened once, told of with growing versions, and closed when an overlay goes", async () => {
    const path = log()
    const here = folder({ "a.toy": "one\n", "b.toy": "two\n" })
    const place = openRootSync(here) as Root
    await Effect.runPromise(
      Effect.scoped(
        Effect.flatMap(make({ root: place }), (pool) =>
          pool.use(toy({ log: path }), here, ({ seeing, documents }) =>
            Effect.gen(function* () {
              const overlay = (text: string) => ({ key: text, files: new Map([["b.toy", text]]) })
              const text = () => Effect.sync(() => documents.lines("b.toy")?.text)
              expect(yield* seeing(disk, ["a.toy"], text)).toBe("two\n")
              expect(yield* seeing(disk, ["a.toy"], text)).toBe("two\n")
              expect(yield* seeing(overlay("three"), ["a.toy"], text)).toBe("three")
              expect(yield* seeing(overlay("four"), ["a.toy"], text)).toBe("four")
              expect(yield* seeing(disk, ["a.toy"], text)).toBe("two\n")
            })
          )
        )
      )
    )
    expect(heard(path)).toEqual([
      ["Open", 1],
      ["Open", 1],
      ["Change", 2],
      ["Close", null]
    ])
  })

  it("are what the view says, however many questions were given up on the way", async () => {
    const path = log()
    const here = folder({ "a.toy": "one\n", "b.toy": "two\n" })
    const place = openRootSync(here) as Root
    /** The texts a server holds that was told this. */
    const held = () => {
      const texts = new Map<string, string>()
      for (const { method, params } of logged(path)) {
        const { textDocument, contentChanges } = (params ?? {}) as {
          readonly textDocument?: { readonly uri: string; readonly text?: string }
          readonly contentChanges?: ReadonlyArray<{ readonly text: string }>
        }
        const name = textDocument?.uri.slice(-5) ?? ""
        if (method === "textDocument/didOpen") texts.set(name, textDocument?.text ?? "")
        if (method === "textDocument/didChange") texts.set(name, contentChanges?.[0]?.text ?? "")
        if (method === "textDocument/didClose") texts.delete(name)
      }
      return Object.fromEntries(texts)
    }
    await Effect.runPromise(
      Effect.scoped(
        Effect.flatMap(make({ root: place }), (pool) =>
          pool.use(toy({ log: path, slow: true }), here, ({ seeing, server }) =>
            Effect.gen(function* () {
              const filler = "x".repeat(300_000)
              const names = (n: number) => [0, 1, 2, 3].map((i) => `${(n + i * 2) % 9}.toy`)
              const view = (n: number) => ({
                key: String(n),
                files: new Map(names(n).map((name) => [name, `${name} ${n} ${filler}`]))
              })
              const said = (name: string) =>
                Effect.zipRight(
                  server.notify(name, {}),
                  until(() => logged(path).some(({ method }) => method === name))
                )
              for (let n = 0; n < 6; n++) {
                // Given up while the server reads, and asked again.
                const fiber = yield* Effect.fork(seeing(view(n), ["b.toy"], () => Effect.void))
                yield* Effect.sleep(3 + n * 4)
                yield* Fiber.interrupt(fiber)
                yield* seeing(view(n), ["b.toy"], () => Effect.void)
                yield* said(`mark-${n}`)
                expect(held()).toEqual({ "b.toy": "two\n", ...Object.fromEntries(view(n).files) })
              }
              yield* seeing(disk, [], () => Effect.void)
              yield* said("last")
              expect(held()).toEqual({ "b.toy": "two\n" })
            })
          )
        )
      )
    )
  })

  it("that are not there, or are no text, are refused", async () => {
    const here = folder({ "a.toy": "one\n" })
    const { writeFileSync } = await import("node:fs")
    writeFileSync(join(here, "latin.toy"), Buffer.from([0x61, 0xe9, 0x0a]))
    const place = openRootSync(here) as Root
    const [absent, binary, deleted] = await Effect.runPromise(
      Effect.scoped(
        Effect.flatMap(make({ root: place }), (pool) =>
          pool.use(toy({}), here, ({ seeing }) =>
            Effect.all([
              Effect.flip(seeing(disk, ["none.toy"], () => Effect.void)),
              Effect.flip(seeing(disk, ["latin.toy"], () => Effect.void)),
              Effect.flip(
                seeing({ key: "d", files: new Map([["a.toy", null]]) }, ["a.toy"], () => Effect.void)
              )
            ])
          )
        )
      )
    )
    expect(absent).toMatchObject({ _tag: "BadQuestion", reason: "not_found" })
    expect(binary).toMatchObject({ _tag: "BadQuestion", reason: "binary" })
    expect(deleted).toMatchObject({ _tag: "BadQuestion", reason: "not_found" })
  })
})
