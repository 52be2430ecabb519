import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js"
import { describe, expect, it } from "vitest"
import { EventLog, type EventLimits } from "../../../../src/transports/http/mcp/EventLog.ts"

const limits: EventLimits = {
  eventsOfSession: 5,
  charactersOfSession: 10_000,
  characters: 20_000,
  ageMs: 1000
}
const step = (n: number): JSONRPCMessage => ({
  jsonrpc: "2.0",
  method: "notifications/progress",
  params: { n }
})
const answer = (id: number): JSONRPCMessage => ({ jsonrpc: "2.0", id, result: {} })
const opening = {} as JSONRPCMessage

describe("kept events", () => {
  it("are what came on their stream after an event, and whether more will come", async () => {
    const events = new EventLog(limits).session()
    const first = await events.storeEvent("a", opening)
    const second = await events.storeEvent("a", step(1))
    await events.storeEvent("b", step(9))
    expect(events.after(first)).toEqual({
      tag: "kept",
      finished: false,
      events: [{ id: second, text: JSON.stringify(step(1)) }]
    })
    const last = await events.storeEvent("a", answer(7))
    expect(events.after(second)).toEqual({
      tag: "kept",
      finished: true,
      events: [{ id: last, text: JSON.stringify(answer(7)) }]
    })
    expect(events.after(last)).toEqual({ tag: "kept", finished: true, events: [] })
    for (const id of ["", "x", "0.c", "3.a", "-1.a", "0", "99999999999999999999.a"])
      expect(events.after(id)).toEqual({ tag: "unknown" })
  })

  it("that gave way make what came after them lost, never shorter", async () => {
    const events = new EventLog(limits).session()
    const first = await events.storeEvent("a", opening)
    for (let n = 0; n < 10; n++) await events.storeEvent("a", step(n))
    expect(events.size).toBe(5)
    expect(events.after(first)).toEqual({ tag: "lost" })
    expect(events.after("4.a")).toEqual({ tag: "lost" })
    const kept = events.after("5.a")
    expect(kept.tag === "kept" && kept.events.map(({ id }) => id)).toEqual([
      "6.a",
      "7.a",
      "8.a",
      "9.a",
      "10.a"
    ])
  })

  it("are sent on while more of them come", async () => {
    const events = new EventLog(limits).session()
    const first = await events.storeEvent("a", opening)
    await events.storeEvent("a", step(1))
    const sent: Array<string> = []
    const stream = await events.replayEventsAfter(first, {
      send: async (id) => {
        sent.push(id)
        if (sent.length === 1) await events.storeEvent("a", step(2))
      }
    })
    expect(stream).toBe("a")
    expect(sent).toEqual(["1.a", "2.a"])
  })

  it("of one that was cancelled end without an answer", async () => {
    const events = new EventLog(limits).session()
    const first = await events.storeEvent("a", opening)
    await events.storeEvent("a", events.asEnd(answer(1)))
    expect(events.after(first)).toEqual({ tag: "kept", finished: true, events: [] })
  })

  it("are bounded in all sessions together, the oldest going first", async () => {
    const log = new EventLog({ ...limits, eventsOfSession: 1000, charactersOfSession: 15_000 })
    const [one, other] = [log.session(), log.session()]
    const long = (id: number): JSONRPCMessage => ({ jsonrpc: "2.0", id, result: { text: "x".repeat(4000) } })
    for (let n = 0; n < 3; n++) await one.storeEvent(`s${n}`, long(n))
    for (let n = 0; n < 3; n++) await other.storeEvent(`s${n}`, long(n))
    expect(log.characters).toBeLessThanOrEqual(20_000)
    expect(one.size + other.size).toBe(log.size)
    expect(other.size).toBe(3)
    expect(one.after("0.s0")).toEqual({ tag: "unknown" })
    one.clear()
    other.clear()
    expect([log.size, log.characters, one.size, one.characters]).toEqual([0, 0, 0, 0])
  })

  it("go when they are old", async () => {
    let now = 0
    const log = new EventLog(limits, () => now)
    const events = log.session()
    await events.storeEvent("a", answer(1))
    now = 999
    await events.storeEvent("b", answer(2))
    log.expire()
    expect(log.size).toBe(2)
    now = 1000
    log.expire()
    expect(log.size).toBe(1)
    expect(events.after("0.b").tag).toBe("kept")
    expect(events.after("0.a").tag).toBe("unknown")
  })
})
