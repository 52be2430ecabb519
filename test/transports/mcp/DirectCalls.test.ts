import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js"
import { CallToolRequestSchema, CallToolResultSchema } from "@modelcontextprotocol/sdk/types.js"
import { assert, describe, it } from "vitest"
import { failed, succeeded } from "../../../src/pipeline/CallResult.ts"
import { serialize } from "../../../src/pipeline/ResultText.ts"
import { failure } from "../../../src/registry/Failure.ts"
import {
  type Answer,
  DirectCalls,
  type LineTransport,
  plainCall
} from "../../../src/transports/mcp/DirectCalls.ts"

const message = (params: unknown, more: object = {}) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params,
  ...more
})

describe("a plain call", () => {
  const plain: ReadonlyArray<object> = [
    message({ name: "read" }),
    message({ name: "read", arguments: {} }, { id: "a" }),
    message({ name: "read", arguments: { target: { file: "a.ts" } }, _meta: {} }),
    message({ name: "read", _meta: { progressToken: 0 } }),
    message({ name: "read", _meta: { progressToken: "p" } })
  ]
  const others: ReadonlyArray<object> = [
    { jsonrpc: "2.0", method: "tools/call", params: { name: "read" } },
    message({ name: "read" }, { method: "tools/list" }),
    message({ name: "read" }, { id: 1.5 }),
    message({ name: "read" }, { extra: 1 }),
    message(undefined),
    message([]),
    message({ name: 1 }),
    message({ name: "read", arguments: [] }),
    message({ name: "read", arguments: null }),
    message({ name: "read", arguments: JSON.parse(`{"__proto__":{}}`) }),
    message({ name: "read", task: { ttl: 1 } }),
    message({ name: "read", _meta: { progressToken: true } }),
    message({ name: "read", _meta: { other: 1 } }),
    message({ name: "read", _meta: null })
  ]

  it("is one the protocol's schema has nothing to say about", () => {
    for (const each of plain) {
      assert.isDefined(plainCall(each), JSON.stringify(each))
      assert.isTrue(CallToolRequestSchema.safeParse(each).success, JSON.stringify(each))
    }
    assert.deepStrictEqual(plainCall(plain[1]!), { id: "a", ask: { name: "read", arguments: {} } })
  })

  it("has nothing that it need not have", () => {
    for (const each of others) assert.isUndefined(plainCall(each), JSON.stringify(each))
  })
})

describe("a result as text", () => {
  const routing = { facade: "read", operation: "file", canonical_tool: "read_file" }
  it("is what the protocol's schema makes of the result", () => {
    const value = { text: `a "quoted" – line\n`, rows: [1, null, { deep: true }], gone: undefined }
    for (const result of [
      succeeded(routing, value),
      succeeded(routing, value, "as text"),
      succeeded(routing, { one: 1 }, "as text", `{"one":1}`),
      failed(routing, failure("not_found", "no such file", { field: "target.file" }))
    ])
      assert.strictEqual(serialize(result), JSON.stringify(CallToolResultSchema.parse(result)))
  })
})

/** A connection whose messages are kept, and what the library would have been given. */
const connection = (answer: Answer, ready = true) => {
  const sent: Array<unknown> = []
  const passed: Array<JSONRPCMessage> = []
  let closed = 0
  const transport: LineTransport = {
    start: async () => {},
    close: async () => transport.onclose?.(),
    send: async (each) => void sent.push(each),
    reply: async (id, result) => void sent.push({ id, result: JSON.parse(result) }),
    onmessage: (each) => void passed.push(each),
    onclose: () => void closed++
  }
  new DirectCalls(transport, answer).attach(() => ready)
  const receive = (each: object) => transport.onmessage!(each as JSONRPCMessage)
  return { sent, passed, receive, transport, closed: () => closed }
}
const settled = () => new Promise((next) => setImmediate(next))

describe("direct calls", () => {
  it("are answered, and everything else is passed on", async () => {
    const { passed, receive, sent } = connection(async ({ name, arguments: args }) =>
      JSON.stringify({ name, args })
    )
    receive(message({ name: "read", arguments: { a: 1 } }))
    receive(message({ name: "read", task: {} }, { id: 2 }))
    receive({ jsonrpc: "2.0", id: 3, method: "ping" })
    await settled()
    assert.deepStrictEqual(sent, [{ id: 1, result: { name: "read", args: { a: 1 } } }])
    assert.deepStrictEqual(
      passed.map((each) => "id" in each && each.id),
      [2, 3]
    )
  })

  it("are passed on before the handshake", async () => {
    const { passed, receive, sent } = connection(async () => "{}", false)
    receive(message({ name: "read" }))
    await settled()
    assert.deepStrictEqual(sent, [])
    assert.lengthOf(passed, 1)
  })

  it("turn what was thrown into an error of the protocol", async () => {
    const thrown: Array<unknown> = [
      Object.assign(new Error("no such tool"), { code: -32602, data: { tool: "x" } }),
      new Error("broken"),
      "text"
    ]
    const { receive, sent } = connection(async () => {
      throw thrown.shift()
    })
    for (const id of [1, 2, 3]) receive(message({ name: "x" }, { id }))
    await settled()
    assert.deepStrictEqual(sent, [
      { jsonrpc: "2.0", id: 1, error: { code: -32602, message: "no such tool", data: { tool: "x" } } },
      { jsonrpc: "2.0", id: 2, error: { code: -32603, message: "broken" } },
      { jsonrpc: "2.0", id: 3, error: { code: -32603, message: "Internal error" } }
    ])
  })

  it("that were cancelled are stopped and get no answer, those with another id do", async () => {
    let stopped = 0
    const ends: Array<() => void> = []
    const { passed, receive, sent } = connection(
      (_, signal) =>
        new Promise((answered, failed) => {
          ends.push(() => answered(`"done"`))
          signal.addEventListener("abort", () => {
            stopped++
            failed(new Error("stopped"))
          })
        })
    )
    receive(message({ name: "x" }, { id: "one" }))
    receive(message({ name: "x" }, { id: 0 }))
    receive({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: "one", reason: "enough" }
    })
    ends[1]!()
    await settled()
    assert.strictEqual(stopped, 1)
    assert.deepStrictEqual(sent, [{ id: 0, result: "done" }])
    // The library keeps its own calls.
    assert.lengthOf(passed, 1)
  })

  it("end with the connection", async () => {
    let aborted = false
    const { closed, receive, sent, transport } = connection(
      (_, signal) =>
        new Promise((_, failed) =>
          signal.addEventListener("abort", () => {
            aborted = true
            failed(new Error("closed"))
          })
        )
    )
    receive(message({ name: "x" }))
    await transport.close()
    await settled()
    assert.isTrue(aborted)
    assert.strictEqual(closed(), 1)
    assert.deepStrictEqual(sent, [])
  })

  it("notify until they are cancelled", async () => {
    const { receive, sent } = connection(async (_, signal, notify) => {
      const step = (progress: number) =>
        notify({ method: "notifications/progress", params: { progressToken: "p", progress } })
      step(1)
      await new Promise<void>((next) => signal.addEventListener("abort", next))
      step(2)
      return "{}"
    })
    receive(message({ name: "x", _meta: { progressToken: "p" } }))
    receive({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } })
    await settled()
    assert.deepStrictEqual(sent, [
      { method: "notifications/progress", params: { progressToken: "p", progress: 1 }, jsonrpc: "2.0" }
    ])
  })
})
