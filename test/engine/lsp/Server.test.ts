import { Cause, Effect, Exit, Fiber } from "effect"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { acquire } from "../../../src/engine/lsp/Child.ts"
import { type Server, start } from "../../../src/engine/lsp/Server.ts"
import { alive, eventually, folder, logged, type Plan, scripted } from "./support/processes.ts"

const root = folder()
let logs = 0
const withLog = (plan: Plan): Plan & { readonly log: string } => ({
  ...plan,
  log: join(root, `log-${++logs}`)
})

const serve = (plan: Plan, initializeMillis = 20_000) =>
  start({ id: "scripted", root, launch: scripted(plan), settings: { a: { b: 1 }, c: 2 }, initializeMillis })

const everything = { referencesProvider: true, renameProvider: true, typeHierarchyProvider: true }

describe("the process of a server", () => {
  it("is gone after success", async () => {
    const plan = withLog({})
    const pid = await Effect.runPromise(Effect.scoped(Effect.map(serve(plan), (server) => server.pid)))
    expect(alive(pid)).toBe(false)
    expect(logged(plan.log).map(({ method }) => method)).toEqual([
      undefined,
      "initialize",
      "initialized",
      "workspace/didChangeConfiguration",
      "shutdown",
      "exit"
    ])
  })

  it("is gone after a failure in its scope", async () => {
    let pid = 0
    const exit = await Effect.runPromiseExit(
      Effect.scoped(
        Effect.flatMap(serve({}), (server) => {
          pid = server.pid
          return Effect.fail("elsewhere")
        })
      )
    )
    expect(exit).toEqual(Exit.fail("elsewhere"))
    expect(alive(pid)).toBe(false)
  })

  it("is gone after a time-out, and was told to cancel first", async () => {
    const plan = withLog({ capabilities: everything, silentOn: ["textDocument/references"] })
    let pid = 0
    const failure = await Effect.runPromise(
      Effect.flip(
        Effect.scoped(
          Effect.flatMap(serve(plan), (server) => {
            pid = server.pid
            return server.call("textDocument/references", {}, 50)
          })
        )
      )
    )
    expect(failure).toMatchObject({
      _tag: "RequestTimeout",
      server: "scripted",
      method: "textDocument/references"
    })
    expect(alive(pid)).toBe(false)
    const heard = logged(plan.log).map(({ method }) => method)
    expect(heard.slice(-3)).toEqual(["$/cancelRequest", "shutdown", "exit"])
  })

  it("is gone after an interruption, and was told to cancel first", async () => {
    const plan = withLog({ capabilities: everything, silentOn: ["textDocument/references"] })
    let pid = 0
    const fiber = Effect.runFork(
      Effect.scoped(
        Effect.flatMap(serve(plan), (server) => {
          pid = server.pid
          return server.call("textDocument/references", {}, 60_000)
        })
      )
    )
    expect(
      await eventually(() => logged(plan.log).some(({ method }) => method === "textDocument/references"))
    ).toBe(true)
    const exit = await Effect.runPromise(Fiber.interrupt(fiber))
    expect(Exit.isFailure(exit) && Cause.isInterruptedOnly(exit.cause)).toBe(true)
    expect(alive(pid)).toBe(false)
    expect(logged(plan.log).map(({ method }) => method)).toContain("$/cancelRequest")
  })

  it("is gone when its start was interrupted", async () => {
    const plan = withLog({ silentOn: ["initialize"] })
    const fiber = Effect.runFork(Effect.scoped(serve(plan)))
    expect(await eventually(() => logged(plan.log).length === 2)).toBe(true)
    await Effect.runPromise(Fiber.interrupt(fiber))
    expect(alive(Number(logged(plan.log)[0]?.["started"]))).toBe(false)
  })

  it("is gone with its children", async () => {
    const plan = withLog({ child: true })
    await Effect.runPromise(Effect.scoped(serve(plan)))
    const child = Number(logged(plan.log)[1]?.["child"])
    expect(child).toBeGreaterThan(1)
    expect(await eventually(() => !alive(child))).toBe(true)
  })

  it("is killed when it ignores SIGTERM, shutdown and exit", async () => {
    const plan = withLog({ deaf: true, child: true })
    const pid = await Effect.runPromise(Effect.scoped(Effect.map(serve(plan), (server) => server.pid)))
    expect(alive(pid)).toBe(false)
    expect(await eventually(() => !alive(Number(logged(plan.log)[1]?.["child"])))).toBe(true)
    expect(logged(plan.log).map(({ method }) => method)).toEqual(expect.arrayContaining(["shutdown", "exit"]))
  })
})

describe("a server that does not start", () => {
  it("fails with what it printed when it dies", async () => {
    const failure = await Effect.runPromise(Effect.flip(Effect.scoped(serve({ diesAtStart: true }))))
    expect(failure).toMatchObject({
      _tag: "ServerGone",
      server: "scripted",
      phase: "start",
      exitCode: 3,
      reason: "it exited with code 3",
      stderrTail: "cannot read the moon\n"
    })
    expect(failure.message).toContain("cannot read the moon")
  })

  it("fails when there is no such program", async () => {
    const failure = await Effect.runPromise(
      Effect.flip(
        Effect.scoped(
          start({ id: "none", root, launch: { command: join(root, "no-such-program"), args: [] } })
        )
      )
    )
    expect(failure).toMatchObject({
      _tag: "ServerGone",
      phase: "start",
      reason: "it could not be started (ENOENT)"
    })
  })

  it("fails with what it said when it speaks no protocol", async () => {
    const failure = await Effect.runPromise(
      Effect.flip(Effect.scoped(serve({ prints: "Welcome to the server!\n", silentOn: ["initialize"] })))
    )
    expect(failure).toMatchObject({ _tag: "ServerGone", phase: "start" })
    expect(failure.message).toContain("Welcome to the server!")
  })

  it("fails when it does not answer in time, and is gone", async () => {
    const plan = withLog({ silentOn: ["initialize"] })
    const failure = await Effect.runPromise(Effect.flip(Effect.scoped(serve(plan, 300))))
    expect(failure).toMatchObject({ _tag: "RequestTimeout", method: "initialize", millis: 300 })
    const started = logged(plan.log)[0]?.["started"]
    if (typeof started === "number") expect(alive(started)).toBe(false)
  })

  it("fails when it refuses to", async () => {
    const failure = await Effect.runPromise(
      Effect.flip(Effect.scoped(serve({ refuses: { initialize: -32002 } })))
    )
    expect(failure).toMatchObject({ _tag: "ServerGone", phase: "start", reason: "no" })
  })
})

describe("a running server", () => {
  const using = <A, E>(plan: Plan, body: (server: Server) => Effect.Effect<A, E>) =>
    Effect.runPromise(Effect.scoped(Effect.flatMap(serve(plan), body)))

  it("fails what waits when it dies, and is not asked again", async () => {
    const [first, second] = await using(
      { capabilities: everything, diesOn: ["textDocument/rename"] },
      (server) =>
        Effect.all([
          Effect.flip(server.call("textDocument/rename", {}, 10_000)),
          Effect.flip(server.call("textDocument/references", {}, 10_000))
        ])
    )
    expect(first).toMatchObject({
      _tag: "ServerGone",
      phase: "running",
      exitCode: 7,
      stderrTail: "fell over textDocument/rename\n"
    })
    expect(second).toBe(first)
  })

  it("is told the settings it asks for, its folder, and that its edits are not applied", async () => {
    const plan = withLog({
      asks: [
        {
          method: "workspace/configuration",
          params: { items: [{ section: "a" }, { section: "a.b" }, { section: "z" }, {}] }
        },
        { method: "workspace/workspaceFolders" },
        { method: "window/workDoneProgress/create", params: { token: 1 } },
        {
          method: "window/showMessageRequest",
          params: { type: 1, message: "Shall I?", actions: [{ title: "Yes" }] }
        },
        { method: "workspace/applyEdit", params: { edit: { changes: {} } } },
        { method: "window/unheard" }
      ]
    })
    const log = await using(plan, (server) =>
      Effect.as(
        Effect.promise(() =>
          eventually(() => logged(plan.log).filter(({ id }) => String(id).startsWith("ask")).length === 6)
        ),
        server
      ).pipe(Effect.map((s) => s.log()))
    )
    const answers = Object.fromEntries(
      logged(plan.log).flatMap((m) =>
        String(m["id"]).startsWith("ask") ? [[m["id"], "error" in m ? m["error"] : m["result"]]] : []
      )
    )
    expect(answers).toMatchObject({
      "ask-1": [{ b: 1 }, 1, null, { a: { b: 1 }, c: 2 }],
      "ask-2": [{ uri: `file://${root}` }],
      "ask-3": null,
      "ask-4": null,
      "ask-5": { applied: false },
      "ask-6": { code: -32601 }
    })
    expect(log).toContain("Shall I?")
  })

  it("is not asked for what it does not offer", async () => {
    const plan = withLog({ capabilities: {} })
    const failure = await using(plan, (server) =>
      Effect.flip(server.call("textDocument/references", {}, 1000))
    )
    expect(failure).toMatchObject({
      _tag: "Unsupported",
      server: "scripted",
      method: "textDocument/references"
    })
    expect(logged(plan.log).map(({ method }) => method)).not.toContain("textDocument/references")
  })

  it.each([-32601, -32600])("is not asked again for what it offered and answered with %i", async (code) => {
    const plan = withLog({ capabilities: everything, refuses: { "textDocument/prepareTypeHierarchy": code } })
    const [first, second, broken] = await using(plan, (server) =>
      Effect.all([
        Effect.flip(server.call("textDocument/prepareTypeHierarchy", {}, 5000)),
        Effect.flip(server.call("textDocument/prepareTypeHierarchy", {}, 5000)),
        Effect.sync(() => server.capabilities.broken)
      ])
    )
    expect(first._tag).toBe("Unsupported")
    expect(second._tag).toBe("Unsupported")
    expect(broken).toEqual(["textDocument/prepareTypeHierarchy"])
    expect(
      logged(plan.log).filter(({ method }) => method === "textDocument/prepareTypeHierarchy")
    ).toHaveLength(1)
  })

  it("is asked for what it registers, until it takes that back", async () => {
    const plan = withLog({
      answers: { "textDocument/references": [] },
      asks: [
        {
          method: "client/registerCapability",
          params: { registrations: [{ id: "r", method: "textDocument/references", registerOptions: {} }] }
        }
      ]
    })
    const answer = await using(plan, (server) =>
      Effect.gen(function* () {
        yield* Effect.promise(() => eventually(() => server.capabilities.offers("textDocument/references")))
        const given = yield* server.call("textDocument/references", {}, 5000)
        server.capabilities.unregister({ unregisterations: [{ id: "r", method: "textDocument/references" }] })
        return [given, yield* Effect.flip(server.call("textDocument/references", {}, 5000))] as const
      })
    )
    expect(answer[0]).toEqual([])
    expect(answer[1]).toMatchObject({ _tag: "Unsupported" })
  })

  it("has its edits taken while something runs, and only then", async () => {
    const edit = { changes: { "file:///a": [] } }
    const ask = { id: "e", method: "workspace/applyEdit", params: { edit } }
    const plan = withLog({ saysAfter: { "do/it": [ask] } })
    const answered = (times: number) =>
      Effect.promise(() => eventually(() => logged(plan.log).filter(({ id }) => id === "e").length === times))
    const [within, after] = await using(plan, (server) =>
      Effect.gen(function* () {
        yield* server.notify("do/it", {})
        yield* answered(1)
        const [, taken] = yield* server.capturing(Effect.zipRight(server.notify("do/it", {}), answered(2)))
        yield* server.notify("do/it", {})
        yield* answered(3)
        return [taken, yield* server.capturing(Effect.void)] as const
      })
    )
    expect(within).toEqual([edit])
    expect(after[1]).toEqual([])
  })

  it("is killed when it answers nothing three times in a row, but not for one burst", async () => {
    const plan = {
      capabilities: { ...everything, definitionProvider: true },
      silentOn: ["textDocument/references"],
      answers: { "textDocument/definition": [] }
    }
    const result = await using(plan, (server) =>
      Effect.gen(function* () {
        const ask = Effect.flip(server.call("textDocument/references", {}, 60))
        const burst = yield* Effect.all([ask, ask, ask, ask], { concurrency: "unbounded" })
        yield* ask
        yield* server.call("textDocument/definition", {}, 10_000)
        const lives = server.goneWith() === undefined
        const last = [yield* ask, yield* Effect.delay(ask, 5), yield* Effect.delay(ask, 5)]
        return { burst, lives, last, gone: yield* server.gone }
      })
    )
    expect([...result.burst, ...result.last].map(({ _tag }) => _tag)).toEqual(Array(7).fill("RequestTimeout"))
    expect(result.lives).toBe(true)
    expect(result.gone.reason).toBe("it did not answer 3 times in a row")
  })

  it("ends with the reason it is killed for", async () => {
    const failure = await using(
      { capabilities: everything, silentOn: ["textDocument/references"] },
      (server) =>
        Effect.flip(
          Effect.all([server.call("textDocument/references", {}, 60_000), server.kill("it grew too large")], {
            concurrency: 2
          })
        )
    )
    expect(failure).toMatchObject({ _tag: "ServerGone", reason: "it grew too large" })
  })
})

describe("a child", () => {
  it("ends at once when nothing holds it", async () => {
    const pid = await Effect.runPromise(
      Effect.scoped(
        Effect.map(
          acquire(
            { command: process.execPath, args: ["-e", "process.stdin.resume()"] },
            root,
            () => Effect.void,
            2000
          ),
          (child) => child.pid ?? 0
        )
      )
    )
    expect(pid).toBeGreaterThan(1)
    expect(alive(pid)).toBe(false)
  })
})
