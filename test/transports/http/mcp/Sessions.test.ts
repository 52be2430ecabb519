import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openEngine } from "../../../../src/layers.ts"
import type { Engine } from "../../../../src/pipeline/Engine.ts"
import type { Principal } from "../../../../src/policy/Principal.ts"
import { Opening } from "../../../../src/transports/http/Opening.ts"
import { Sessions, standardSessions } from "../../../../src/transports/http/mcp/Sessions.ts"

const directory = realpathSync(mkdtempSync(join(tmpdir(), "portico-sessions-")))
writeFileSync(join(directory, "a.ts"), "export const a = 1\n")
let engine: Engine
const opened: Array<string> = []
const closed: Array<string> = []
beforeAll(async () => {
  process.env["PORTICO_HOME"] = join(directory, "home")
  const real = await openEngine({ directory, watch: false })
  engine = {
    ...real,
    openSession: (session) => {
      opened.push(session)
      real.openSession(session)
    },
    closeSession: (session) => {
      closed.push(session)
      real.closeSession(session)
    }
  }
})
afterAll(async () => {
  await engine.close()
  rmSync(directory, { recursive: true, force: true })
})

const who: Principal = { kind: "agent", id: "agent:one", authenticated: true }
const other: Principal = { kind: "agent", id: "agent:other", authenticated: true }
const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" }
const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } }
}
const post = (more: { readonly [name: string]: string } = {}) =>
  new Request("http://localhost/mcp", { method: "POST", headers: { ...headers, ...more } })

const make = (now: () => number) =>
  new Sessions({
    engine: Opening.of(engine),
    version: "1",
    log: () => {},
    now,
    limits: { ...standardSessions, sessions: 2, single: 1, idleMs: 1000, spareMs: 100, sweepMs: 1e6 }
  })

/** Opens a session; answers its id, or the seconds to wait. */
const open = async (sessions: Sessions, body: unknown = initialize): Promise<string | number | null> => {
  const response = await sessions.open(who, (transport) => transport.handle(post(), body))
  if ("retryAfter" in response) return response.retryAfter
  await response.text()
  return response.headers.get("mcp-session-id")
}

describe("sessions", () => {
  it("are only so many: a new one waits, or takes the place of one that lies idle", async () => {
    let now = 0
    const sessions = make(() => now)
    const [first, second] = [await open(sessions), await open(sessions)]
    expect(typeof first).toBe("string")
    expect(sessions.size).toBe(2)
    expect(await open(sessions)).toBe(1)
    now = 100
    const leave = sessions.find(first as string, who)?.enter()
    const third = await open(sessions)
    expect(typeof third).toBe("string")
    // The one in use stays, although it is older.
    expect(sessions.find(first as string, who)).toBeDefined()
    expect(sessions.find(second as string, who)).toBeUndefined()
    expect(sessions.size).toBe(2)
    leave?.()
    await sessions.close()
    expect(sessions.size).toBe(0)
  })

  it("end when nobody has used them for long, and give everything back", async () => {
    let now = 0
    const sessions = make(() => now)
    const begun = opened.length
    const [first, second] = [await open(sessions), await open(sessions)]
    now = 900
    sessions.find(second as string, who)?.enter()()
    now = 1000
    sessions.sweep()
    await new Promise((next) => setImmediate(next))
    expect(sessions.find(first as string, who)).toBeUndefined()
    expect(sessions.find(second as string, who)).toBeDefined()
    now = 5000
    const leave = sessions.find(second as string, who)?.enter()
    now = 10_000
    sessions.sweep()
    expect(sessions.size).toBe(1)
    leave?.()
    now = 12_000
    sessions.sweep()
    await new Promise((next) => setImmediate(next))
    expect([sessions.size, sessions.events]).toEqual([0, 0])
    expect(closed.slice(-2).sort()).toEqual(opened.slice(begun).sort())
    await sessions.close()
  })

  it("belong to the caller who began them", async () => {
    const sessions = make(Date.now)
    const id = (await open(sessions)) as string
    expect(sessions.find(id, who)).toBeDefined()
    expect(sessions.find(id, other)).toBeUndefined()
    await sessions.close()
  })

  it("that never began leave nothing behind", async () => {
    const sessions = make(Date.now)
    const begun = opened.length
    expect(await open(sessions, { jsonrpc: "2.0", id: 1, method: "ping" })).toBeNull()
    expect(await open(sessions, "text")).toBeNull()
    expect([sessions.size, sessions.events]).toEqual([0, 0])
    expect(closed.slice(-2).sort()).toEqual(opened.slice(begun).sort())
    await sessions.close()
    expect(await open(sessions)).toBe(5)
  })

  it("are not needed for single requests, of which there are only so many at a time", async () => {
    const sessions = make(Date.now)
    const list = { jsonrpc: "2.0", id: 1, method: "tools/list" }
    const ask = () => sessions.single(who, { client: "x" }, (transport) => transport.handle(post(), list))
    const one = await ask()
    if ("retryAfter" in one) throw new Error("there was no place")
    expect(await one.response.text()).toContain('"tools"')
    expect(await ask()).toEqual({ retryAfter: 1 })
    one.end()
    one.end()
    const two = await ask()
    expect("response" in two).toBe(true)
    if ("end" in two) two.end()
    await sessions.close()
  })
})
