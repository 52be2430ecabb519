import { Effect, Fiber } from "effect"
import { PassThrough } from "node:stream"
import { describe, expect, it } from "vitest"
import { connect, unknownMethod } from "../../../src/engine/lsp/Connection.ts"
import { encode, FrameReader, type FramingError } from "../../../src/engine/lsp/Framing.ts"
import { ServerGone } from "../../../src/engine/lsp/LspFailure.ts"
import { eventually } from "./support/processes.ts"

interface Message {
  readonly id?: number | string
  readonly method?: string
  readonly params?: unknown
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}

/** A connection whose other side is held by the test. */
const pair = () => {
  const input = new PassThrough()
  const output = new PassThrough()
  const heard: Array<Message> = []
  const notified: Array<readonly [string, unknown]> = []
  const broken: Array<FramingError> = []
  const frames = new FrameReader()
  output.on("data", (chunk: Buffer) => frames.push(chunk, (message) => heard.push(message as Message)))
  const connection = connect({
    server: "it",
    input,
    output,
    answer: (method, params) => {
      if (method === "echo") return params
      if (method === "nothing") return undefined
      if (method === "fall") throw new Error("fell")
      return unknownMethod
    },
    notified: (method, params) => notified.push([method, params]),
    broken: (cause) => broken.push(cause)
  })
  return {
    connection,
    heard,
    notified,
    broken,
    say: (message: Message) => input.write(encode({ jsonrpc: "2.0", ...message })),
    input
  }
}

const gone = new ServerGone({ server: "it", phase: "running", reason: "over", exitCode: 0, stderrTail: "" })

describe("a connection", () => {
  it("gives each request its own answer, in whatever order they come", async () => {
    const { connection, heard, say } = pair()
    const both = Effect.runPromise(
      Effect.all([connection.request("a", { x: 1 }, 5000), connection.request("b", undefined, 5000)], {
        concurrency: 2
      })
    )
    await eventually(() => heard.length === 2)
    expect(heard).toEqual([
      { jsonrpc: "2.0", id: 1, method: "a", params: { x: 1 } },
      { jsonrpc: "2.0", id: 2, method: "b" }
    ])
    say({ id: 2, result: "second" })
    say({ id: 1, result: "first" })
    expect(await both).toEqual(["first", "second"])
    expect(connection.waiting()).toBe(0)
  })

  it("fails with the other side's error and its code", async () => {
    const { connection, say } = pair()
    const asked = Effect.runPromise(Effect.flip(connection.request("a", {}, 5000)))
    await eventually(() => connection.waiting() === 1)
    say({ id: 1, error: { code: -32803, message: "not here" } })
    expect(await asked).toMatchObject({
      _tag: "RequestRefused",
      method: "a",
      code: -32803,
      detail: "not here"
    })
  })

  it("cancels a request whose time is over, and drops its late answer", async () => {
    const { connection, heard, say } = pair()
    const failure = await Effect.runPromise(Effect.flip(connection.request("slow", {}, 30)))
    expect(failure).toMatchObject({ _tag: "RequestTimeout", method: "slow", millis: 30, server: "it" })
    await eventually(() => heard.length === 2)
    expect(heard[1]).toEqual({ jsonrpc: "2.0", method: "$/cancelRequest", params: { id: 1 } })
    say({ id: 1, result: "late" })
    const next = Effect.runPromise(connection.request("next", {}, 5000))
    await eventually(() => connection.waiting() === 1)
    say({ id: 2, result: "own" })
    expect(await next).toBe("own")
  })

  it("cancels a request whose asker was interrupted", async () => {
    const { connection, heard } = pair()
    const fiber = Effect.runFork(connection.request("long", {}, 60_000))
    await eventually(() => heard.length === 1)
    await Effect.runPromise(Fiber.interrupt(fiber))
    await eventually(() => heard.length === 2)
    expect(heard[1]).toEqual({ jsonrpc: "2.0", method: "$/cancelRequest", params: { id: 1 } })
    expect(connection.waiting()).toBe(0)
  })

  it("does not cancel what was answered", async () => {
    const { connection, heard, say } = pair()
    const asked = Effect.runPromise(connection.request("a", {}, 5000))
    await eventually(() => connection.waiting() === 1)
    say({ id: 1, result: 1 })
    await asked
    await Effect.runPromise(connection.notify("end", {}))
    await eventually(() => heard.length === 2)
    expect(heard.map(({ method }) => method)).toEqual(["a", "end"])
  })

  it("answers the other side's requests under their own ids", async () => {
    const { heard, say } = pair()
    say({ id: "ts1", method: "echo", params: [1, 2] })
    say({ id: 7, method: "nothing" })
    say({ id: 8, method: "unheard/of" })
    say({ id: 9, method: "fall" })
    await eventually(() => heard.length === 4)
    expect(heard).toEqual([
      { jsonrpc: "2.0", id: "ts1", result: [1, 2] },
      { jsonrpc: "2.0", id: 7, result: null },
      { jsonrpc: "2.0", id: 8, error: { code: -32601, message: "unknown method unheard/of" } },
      { jsonrpc: "2.0", id: 9, error: { code: -32603, message: "fell" } }
    ])
  })

  it("hands on notifications and answers none of them", async () => {
    const { heard, notified, say } = pair()
    say({ method: "$/progress", params: { token: 1 } })
    await eventually(() => notified.length === 1)
    expect(notified).toEqual([["$/progress", { token: 1 }]])
    expect(heard).toEqual([])
  })

  it("says once that the other side prints no messages", async () => {
    const { broken, input } = pair()
    input.write("Usage: server [OPTIONS]\n")
    input.write("more\n")
    await eventually(() => broken.length > 0)
    expect(broken.map(({ message }) => message)).toEqual([expect.stringContaining("Usage: server")])
  })

  it("fails what waits, and what is asked later, when it is closed", async () => {
    const { connection } = pair()
    const waiting = Effect.runPromise(Effect.flip(connection.request("a", {}, 60_000)))
    await eventually(() => connection.waiting() === 1)
    connection.close(gone)
    expect(await waiting).toBe(gone)
    expect(await Effect.runPromise(Effect.flip(connection.request("b", {}, 60_000)))).toBe(gone)
    await Effect.runPromise(connection.notify("c", {}))
  })
})
