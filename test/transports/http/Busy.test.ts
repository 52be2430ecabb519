import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { busy, goesBy } from "../../../src/transports/http/Busy.ts"
import { type Running, run, tokens } from "./contract/running.ts"

describe("a request that is turned away at the door", () => {
  it("is told so in the form its address speaks", () => {
    const rpc = busy("server", "/mcp")
    expect([rpc.status, rpc.headers["retry-after"]]).toEqual([503, "1"])
    expect(JSON.parse(rpc.body)).toMatchObject({
      jsonrpc: "2.0",
      id: null,
      error: { code: -32000, data: { reason_code: "overloaded", reason: "queue_full", retry_after_ms: 1000 } }
    })
    expect(JSON.parse(busy("caller", "/api/agent-context/mcp").body)).toHaveProperty("error.code", -32000)
    const plain = busy("caller", "/api/cos/tools/call")
    expect([plain.status, plain.headers["retry-after"]]).toEqual([429, "1"])
    expect(JSON.parse(plain.body)).toMatchObject({
      code: "RATE_LIMITED",
      context: {
        retry: "backoff",
        errorCode: "overloaded",
        reason: "session_queue_full",
        retry_after_ms: 1000
      }
    })
    expect(JSON.parse(busy("server", "/federation/call").body)).toHaveProperty("code", "SERVICE_UNAVAILABLE")
  })

  it("is none that listens, ends or stops something, or asks for a sign of life", () => {
    for (const [method, path] of [
      ["GET", "/mcp"],
      ["DELETE", "/mcp"],
      ["GET", "/health"],
      ["OPTIONS", "/api/cos/tools/call"],
      ["POST", "/api/cos/tools/calls/a/cancel"],
      ["GET", "/api/cos/tools/jobs/a/events"]
    ] as const)
      expect([path, goesBy(method, path)]).toEqual([path, true])
    for (const [method, path] of [
      ["POST", "/mcp"],
      ["POST", "/api/cos/tools/call"],
      ["GET", "/api/cos/tools/calls/events-of-mine"],
      ["POST", "/federation/call"]
    ] as const)
      expect([path, goesBy(method, path)]).toEqual([path, false])
  })
})

describe("a server with room for one", () => {
  let running: Running
  beforeAll(async () => {
    running = await run({ settings: { http: { running: 1, burst: 0, queue: 0 } } })
  }, 60_000)
  afterAll(() => running.close())

  it("answers one of many at once and turns others away, none of whom has run anything", async () => {
    const before = await running.engine.ledger.last()
    const ask = async (at: number) => {
      const response = await fetch(`${running.url}/api/cos/tools/call`, {
        method: "POST",
        headers: { authorization: `Bearer ${tokens.caller}`, "content-type": "application/json" },
        body: JSON.stringify({
          requestId: `busy-${at}`,
          name: "read.file",
          arguments: { target: { file: "src/name.ts" } }
        })
      })
      const body = (await response.json()) as { readonly code?: string; readonly state?: string }
      return {
        status: response.status,
        after: response.headers.get("retry-after"),
        said: body.code ?? body.state
      }
    }
    const answers = await Promise.all(Array.from({ length: 30 }, (_, at) => ask(at)))
    const ran = answers.filter(({ status }) => status === 200)
    const turned = answers.filter(({ status }) => status === 503)
    expect(ran.length).toBeGreaterThan(0)
    expect(turned.length).toBeGreaterThan(0)
    expect(ran.length + turned.length).toBe(30)
    for (const { after, said } of turned) expect([after, said]).toEqual(["1", "SERVICE_UNAVAILABLE"])
    const rows = await running.engine.ledger.rows(before, 1000)
    expect(rows).toHaveLength(2 * ran.length)
  })
})
