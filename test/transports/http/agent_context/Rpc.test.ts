import { describe, expect, it } from "vitest"
import { answer, read } from "../../../../src/transports/http/agent_context/Rpc.ts"
import type { Tools } from "../../../../src/transports/http/agent_context/Tools.ts"
import { turnedAway, worded } from "../../../../src/transports/http/agent_context/Gate.ts"
import { keyFault } from "../../../../src/transports/http/agent_context/SemanticTools.ts"

const base = { jsonrpc: "2.0", method: "ping" }

describe("a message", () => {
  const bad: ReadonlyArray<unknown> = [
    [],
    [{ ...base, id: 1 }],
    null,
    "text",
    { ...base, id: null },
    { ...base, id: "x".repeat(201) },
    { ...base, id: {} },
    { ...base, jsonrpc: "1.0", id: 1 },
    { jsonrpc: "2.0", id: 1 },
    { jsonrpc: "2.0", id: 1, method: "" },
    { jsonrpc: "2.0", id: 1, method: "m".repeat(121) },
    { jsonrpc: "2.0", result: {} }
  ]
  for (const message of bad)
    it(`is none: ${JSON.stringify(message).slice(0, 60)}`, () => {
      expect(read(message).tag).toBe("bad")
    })

  it("is a request, or something that gets no answer", () => {
    expect(read({ ...base, id: "x".repeat(200) }).tag).toBe("request")
    expect(read({ ...base, id: 1.5 })).toEqual({ tag: "request", id: 1.5, method: "ping", params: undefined })
    expect(read(base)).toEqual({ tag: "silent" })
    expect(read({ jsonrpc: "2.0", id: 1, result: {} })).toEqual({ tag: "silent" })
    expect(read({ jsonrpc: "2.0", method: "tools/call", params: { name: "x" } })).toEqual({ tag: "silent" })
  })
})

describe("a method", () => {
  const tools: Tools = {
    list: () => [],
    call: async (name) => (name === "known" ? { content: [] } : undefined)
  }
  const code = async (method: string, params?: unknown) => {
    const reply = await answer(method, params, { tools, version: "1" })
    return "error" in reply ? reply.error.code : "ok"
  }
  const client = { name: "x", version: "1" }
  const initialize = (more: object) =>
    code("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: client, ...more })

  it("is served within its bounds, and refused by name beyond them", async () => {
    expect(await code("ping")).toBe("ok")
    expect(await code("tools/list")).toBe("ok")
    expect(await code("tools/list", {})).toBe("ok")
    expect(await code("tools/list", { cursor: "x" })).toBe(-32602)
    expect(await code("resources/list")).toBe(-32601)
    expect(await code("ping", [])).toBe(-32602)
    expect(await code("tools/call", { name: "known", arguments: {} })).toBe("ok")
    expect(await code("tools/call", { name: "known", arguments: [] })).toBe(-32602)
    expect(await code("tools/call", { name: "n".repeat(121) })).toBe(-32602)
    expect(await code("tools/call", { name: "other" })).toBe(-32602)
    expect(await code("tools/call")).toBe(-32602)
    expect(await initialize({})).toBe("ok")
    expect(await initialize({ clientInfo: { ...client, name: "n".repeat(121) } })).toBe(-32602)
    expect(await initialize({ clientInfo: { ...client, version: "v".repeat(81) } })).toBe(-32602)
    expect(await initialize({ capabilities: undefined })).toBe(-32602)
  })

  it("initialize speaks a revision it knows, and offers the newest for another", async () => {
    for (const [asked, spoken] of [
      ["2025-03-26", "2025-03-26"],
      ["2024-11-05", "2025-11-25"],
      ["2099-01-01", "2025-11-25"]
    ] as const) {
      const reply = await answer(
        "initialize",
        { protocolVersion: asked, capabilities: {}, clientInfo: client },
        { tools, version: "1" }
      )
      expect(reply).toMatchObject({
        result: { protocolVersion: spoken, capabilities: { tools: { listChanged: false } } }
      })
    }
  })
})

describe("the gate", () => {
  it("believes the other end of the connection and nothing else", () => {
    const code = (peer: string | undefined, origin?: string) => turnedAway({ peer, origin })?.code ?? "in"
    for (const peer of ["127.0.0.1", "127.9.8.7", "::1", "::ffff:127.0.0.1"]) expect(code(peer)).toBe("in")
    for (const peer of ["10.0.0.1", "192.168.1.1", "::ffff:10.0.0.1", "fe80::1", undefined])
      expect(code(peer)).toBe("AGENT_CONTEXT_LOCAL_ONLY")
    for (const origin of ["http://localhost", "http://127.0.0.1:8080", "https://[::1]:1"])
      expect(code("::1", origin)).toBe("in")
    for (const origin of [
      "null",
      "",
      "https://evil.example",
      "http://localhost.evil.example",
      "file:///x",
      "x"
    ])
      expect(code("::1", origin)).toBe("AGENT_CONTEXT_ORIGIN_REJECTED")
  })

  it("says a refusal of the guard in its own words", () => {
    const refused = { status: 403, code: "CROSS_ORIGIN_BLOCKED", message: "no" } as const
    expect(worded("/api/agent-context/mcp", refused).code).toBe("AGENT_CONTEXT_ORIGIN_REJECTED")
    expect(worded("/mcp", refused).code).toBe("CROSS_ORIGIN_BLOCKED")
  })
})

it("an idempotency key leaves room for its prefix", () => {
  expect(keyFault("a".repeat(190))).toBeUndefined()
  expect(keyFault("a".repeat(191))).toContain("190")
  expect(keyFault("a b")).toContain("letters")
  expect(keyFault("")).toContain("190")
})
