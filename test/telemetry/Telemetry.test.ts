import { mkdirSync, writeFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { Counters } from "../../src/pipeline/Counters.ts"
import { choiceFile, type Environment } from "../../src/telemetry/Consent.ts"
import { Days } from "../../src/telemetry/Days.ts"
import { type Names, unknown } from "../../src/telemetry/Keys.ts"
import { Control, Telemetry } from "../../src/telemetry/Telemetry.ts"
import { collector, User } from "./support.ts"

const names: Names = {
  operations: new Set(["look.rows", "look.unknown"]),
  tools: new Set(["look", unknown]),
  languages: new Set(["go"]),
  commands: new Set(["index"])
}
const at = (text: string) => Date.parse(text)
const on = { PORTICO_TELEMETRY: "1" }
const read = {
  session: "s",
  facade: "look",
  operation: "rows",
  effect: "read",
  code: undefined,
  stage: undefined,
  empty: false,
  changed: undefined,
  digest: () => "d"
} as const

/** Telemetry of a process with counters of its own, at a time that can be set. */
const process_ = (user: User, env: Environment, start = "2026-11-30T12:00:00Z", sends = false) => {
  const clock = { now: at(start) }
  const counters = new Counters()
  const telemetry = new Telemetry({
    names,
    env: user.env(env),
    drain: counters.drain,
    now: () => clock.now,
    sends
  })
  const call = () => {
    counters.count({ operation: "look.rows", code: "ok", milliseconds: 3, tool: "look" })
    telemetry.observe(read)
  }
  return { clock, counters, telemetry, call }
}
const counted = (user: User, day = "2026-11-30") => new Days(user.folder).read(day, "sent")
const calls = (count: number) => ({
  mcp_facade_call: { "look.rows": count },
  mcp_facade_latency: { "1-10ms": count },
  mcp_facade_outcome: { success: count },
  mcp_facade_status: { ok: count },
  mcp_tool_call: { look: count }
})

describe("while nobody agreed", () => {
  it.each([
    [{}],
    [{ DO_NOT_TRACK: "1" }],
    [{ PORTICO_TELEMETRY: "0" }],
    [{ PORTICO_TELEMETRY: "perhaps" }],
    [{ PORTICO_TELEMETRY_ENDPOINT: "http://localhost:1/" }]
  ] as ReadonlyArray<readonly [Environment]>)("there is no file and no folder, with %j", async (env) => {
    using user = new User()
    const { call, telemetry } = process_(user, env, undefined, true)
    call()
    telemetry.count("cli_command", "index")
    telemetry.flush()
    telemetry.closeSession("s")
    telemetry.close()
    await telemetry.idle
    expect(user.files()).toBeUndefined()
  })
})

describe("counts", () => {
  it("are written when they are flushed, once", () => {
    using user = new User()
    const { call, telemetry } = process_(user, on)
    call()
    call()
    expect(user.files()).toBeUndefined()
    telemetry.flush()
    expect(counted(user)).toEqual(calls(2))
    telemetry.flush()
    expect(counted(user)).toEqual(calls(2))
    call()
    telemetry.close()
    expect(counted(user)).toEqual(calls(3))
    expect(new Days(user.folder).readAll("local")).toEqual({
      first_useful: { "1": 1 },
      reread_loop: { "look.rows": 1 }
    })
  })

  it("belong to the day they were counted on", () => {
    using user = new User()
    const { call, clock, telemetry } = process_(user, on, "2026-11-30T23:59:59Z")
    call()
    clock.now = at("2026-12-01T00:00:20Z")
    telemetry.flush()
    call()
    clock.now = at("2026-12-02T00:00:01Z")
    telemetry.count("index_lang", "go")
    telemetry.close()
    expect(counted(user)).toEqual(calls(1))
    expect(counted(user, "2026-12-01")).toEqual(calls(1))
    expect(counted(user, "2026-12-02")).toEqual({ index_lang: { go: 1 } })
  })

  it("of several processes add up", () => {
    using user = new User()
    const [a, b] = [process_(user, on), process_(user, on)]
    a.call()
    b.call()
    a.telemetry.flush()
    b.call()
    b.telemetry.close()
    a.telemetry.close()
    expect(counted(user)).toEqual(calls(3))
  })

  it("from before somebody agreed are dropped, and so are those nobody agrees to any more", () => {
    using user = new User()
    const control = new Control({ env: user.env() })
    const { call, clock, telemetry } = process_(user, {})
    call()
    control.agree(undefined)
    clock.now += 10_000
    telemetry.count("cli_command", "index")
    call()
    telemetry.flush()
    expect(counted(user)).toEqual({ ...calls(1), cli_command: { index: 1 } })
    call()
    control.refuse()
    expect(user.files()).toEqual([])
    telemetry.close()
    expect(user.files()).toEqual([])
  })

  it("that cannot be written fail nobody's call", () => {
    using user = new User()
    mkdirSync(user.env()["PORTICO_HOME"] as string)
    writeFileSync(user.folder, "a file where the folder should be")
    const { call, telemetry } = process_(user, on)
    call()
    telemetry.flush()
    call()
    telemetry.close()
    expect(new Days(user.folder).days("sent")).toEqual([])
  })

  it("keep no process alive while they wait", () => {
    using user = new User()
    const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === "Timeout").length
    const before = timers()
    const { call, telemetry } = process_(user, on)
    call()
    expect(timers()).toBe(before)
    telemetry.close()
  })
})

describe("a day that is over", () => {
  const endpoint = (url: string) => ({ ...on, PORTICO_TELEMETRY_ENDPOINT: url })
  const yesterday = (user: User) => {
    const { call, telemetry } = process_(user, on, "2026-11-29T10:00:00Z")
    call()
    telemetry.close()
  }

  it("is sent once, whoever asks, and today is not", async () => {
    using user = new User()
    await using server = await collector()
    yesterday(user)
    const processes = [1, 2, 3].map(() => process_(user, endpoint(server.url), undefined, true))
    for (const { call, telemetry } of processes) {
      call()
      telemetry.flush()
    }
    await Promise.all(processes.map(({ telemetry }) => telemetry.idle))
    for (const { telemetry } of processes) {
      telemetry.flush()
      telemetry.close()
      await telemetry.idle
    }
    expect(server.taken.map(({ body }) => JSON.parse(body))).toEqual([
      { schema: 1, day: "2026-11-29", counts: calls(1) }
    ])
    expect(user.files()).toEqual([
      "2026-11-29.claimed",
      "2026-11-29.local",
      "2026-11-30.counts",
      "2026-11-30.local"
    ])
    // The next day it is today's turn.
    const [{ clock, telemetry }] = processes as [(typeof processes)[number]]
    clock.now = at("2026-12-01T08:00:00Z")
    await telemetry.send()
    expect(server.taken.map(({ body }) => JSON.parse(body).day)).toEqual(["2026-11-29", "2026-11-30"])
    expect(JSON.parse(server.taken[1]!.body).counts).toEqual(calls(3))
  })

  it("is as it was shown", async () => {
    using user = new User()
    await using server = await collector()
    yesterday(user)
    const env = endpoint(server.url)
    const now = () => at("2026-11-30T12:00:00Z")
    const { waiting } = new Control({ env: user.env(env), now }).report()
    await process_(user, env).telemetry.send()
    expect(server.taken.map(({ body }) => body)).toEqual(waiting.map(({ body }) => body))
    expect(server.taken).toHaveLength(1)
  })

  it("is not sent again when its request failed", async () => {
    using user = new User()
    await using server = await collector(500)
    yesterday(user)
    const { telemetry } = process_(user, endpoint(server.url))
    await telemetry.send()
    await telemetry.send()
    expect(server.taken).toHaveLength(1)
  })

  it.each([
    ["without an endpoint", { ...on }],
    ["without consent", { DO_NOT_TRACK: "1" }],
    ["to an endpoint that is none", { ...on, PORTICO_TELEMETRY_ENDPOINT: "http://counts.example/" }]
  ] as ReadonlyArray<readonly [string, Environment]>)("is not sent %s", async (_, env) => {
    using user = new User()
    await using server = await collector()
    yesterday(user)
    const sent = env["DO_NOT_TRACK"] === undefined ? env : { ...env, PORTICO_TELEMETRY_ENDPOINT: server.url }
    await process_(user, sent).telemetry.send()
    expect(server.taken).toEqual([])
    expect(user.files()).toContain("2026-11-29.counts")
  })

  it("is not sent by a process that ends, nor from a command", async () => {
    using user = new User()
    await using server = await collector()
    yesterday(user)
    const lasting = process_(user, endpoint(server.url), undefined, true)
    lasting.call()
    lasting.telemetry.close()
    const command = process_(user, endpoint(server.url))
    command.call()
    command.telemetry.flush()
    await Promise.all([lasting.telemetry.idle, command.telemetry.idle])
    expect(server.taken).toEqual([])
  })
})

describe("a saved choice", () => {
  it("keeps its endpoint until another is given", () => {
    using user = new User()
    const control = new Control({ env: user.env() })
    control.agree("https://one.example/")
    control.refuse()
    expect(control.consent).toEqual({ on: false, source: "saved choice" })
    control.agree(undefined)
    expect(control.endpoint.url).toBe("https://one.example/")
    control.agree("https://two.example/")
    expect(control.endpoint.url).toBe("https://two.example/")
    expect(choiceFile(user.env())).toBe(`${user.home}/config/portico/telemetry.json`)
  })
})
