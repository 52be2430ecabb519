import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { catalog } from "../../../../src/facades/index.ts"
import type { Engine } from "../../../../src/pipeline/Engine.ts"
import { closedWorldTags } from "../../../../src/registry/EffectClass.ts"
import { place, serve, tokens } from "./support.ts"

const here = place({
  "src/here.ts": "export const greetHere = (): string => shared()\nexport const shared = () => 1\n"
})
const there = place({
  "src/there.ts":
    "export const greetThere = (): string => onlyThere()\nexport const onlyThere = (): string => 'x'\n"
})
const granting = {
  grants: { federation: ["read", "local_write", "session_write", "control_write", "external_write"] }
}

let far: Engine
let near: Engine
let remote: Awaited<ReturnType<typeof serve>>

beforeAll(async () => {
  process.env["PEER_TOKEN"] = tokens.caller
  process.env["WRONG_TOKEN"] = "no-such-token-anywhere"
  far = await there.open(granting)
  remote = await serve(far)
  near = await here.open({
    federation: {
      peers: [
        { name: "far", url: remote.url, token_env: "PEER_TOKEN" },
        { name: "locked", url: remote.url, token_env: "WRONG_TOKEN" },
        { name: "gone", url: "http://127.0.0.1:1" }
      ]
    }
  })
})
afterAll(async () => {
  await near.close()
  await remote.close()
  await far.close()
  here.end()
  there.end()
  vi.unstubAllEnvs()
})

const post = async (
  body: unknown,
  headers: Record<string, string> = { authorization: `Bearer ${tokens.caller}` }
) => {
  const response = await fetch(`${remote.url}/federation/call`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body)
  })
  return { status: response.status, body: (await response.json()) as any }
}

const ask = async (tool: string, args: object) => {
  const result = await near.call({ tool, args })
  return { failed: result.isError === true, value: result.structuredContent as any }
}

describe("another server", () => {
  it("is answered when it shows a token, and only then", async () => {
    const call = { tool: "search", arguments: { operation: "symbols", query: "greetThere" } }
    expect(await post(call)).toMatchObject({
      status: 200,
      body: { ok: true, value: { results: [{ id: "src/there.ts::greetThere" }] } }
    })
    expect(await post(call, {})).toMatchObject({ status: 401, body: { code: "AUTH_REQUIRED" } })
    expect(await post(call, { authorization: "Bearer no" })).toMatchObject({ status: 401 })
    expect((await fetch(`${remote.url}/federation/call`)).status).toBe(401)
  })

  it("is told what is wrong with what it sends", async () => {
    expect(await post("{")).toMatchObject({ status: 400, body: { code: "VALIDATION_ERROR" } })
    expect(await post({ tool: "search" })).toMatchObject({ status: 400 })
    expect(await post({ tool: "search", arguments: {}, principal: "cli" })).toMatchObject({ status: 400 })
    expect(await post({ tool: "serch", arguments: {} })).toMatchObject({
      status: 200,
      body: { ok: false, code: "unknown_tool" }
    })
  })

  it("reads what stays on the machine, and nothing else, whatever it was granted", async () => {
    const closed = new Set(closedWorldTags.map(({ key }) => key as string))
    const counts = { read: 0, denied: 0 }
    for (const { discriminator, effect, name, operations } of catalog.facades)
      for (const operation of operations) {
        const { body, status } = await post({
          tool: name,
          arguments: { [discriminator]: operation.name }
        })
        const subject = `${name}.${operation.name}`
        const may = effect === "read" && operation.needs.every((key) => closed.has(key))
        if (may) {
          counts.read++
          expect(["permission_denied", "tool_blocked_by_mode"], subject).not.toContain(body.code)
          expect(status, subject).toBe(200)
        } else if (operation.available || status === 403) {
          counts.denied++
          expect([status, body.code], subject).toEqual([403, "tool_blocked_by_mode"])
        } else expect(body, subject).toMatchObject({ ok: false, code: "operation_unavailable" })
      }
    expect(counts.read).toBeGreaterThan(50)
    expect(counts.denied).toBeGreaterThan(20)
  }, 120_000)

  it("is never asked on behalf of another: a call that came from one goes no further", async () => {
    const itself = { federation: { peers: [{ name: "itself", url: remote.url, token_env: "PEER_TOKEN" }] } }
    there.settle({ ...granting, ...itself })
    const args = { operation: "symbols", query: "greetThere" }
    const own = await far.call({ tool: "search", args })
    expect(own.structuredContent["peers"]).toMatchObject([{ name: "itself", status: "ok", rows: 1 }])
    const { body } = await post({ tool: "search", arguments: args })
    expect(body.value.results).toHaveLength(1)
    expect(body.value.peers).toBeUndefined()
    there.settle(granting)
  })

  it("without a grant beyond reading is refused writes for that", async () => {
    const plain = await place({ "a.ts": "export const a = 1\n" }).open()
    const { structuredContent } = await plain.call({
      tool: "edit",
      args: { operation: "write", target: { file: "b.ts" }, content: "x" },
      principal: { kind: "federation", id: "federation:test", authenticated: true },
      door: "federation"
    })
    expect(structuredContent).toMatchObject({
      error_code: "permission_denied",
      data: { effect: "local_write", principal_kind: "federation", granted: ["read"] }
    })
    await plain.close()
  })
})

describe("an operation that asks others", () => {
  it("merges their rows and says whose they are, and how asking each came out", async () => {
    const { value } = await ask("search", { operation: "symbols", query: "greet" })
    expect(value.results.map(({ id, origin }: any) => [id, origin])).toEqual([
      ["src/here.ts::greetHere", undefined],
      ["src/there.ts::greetThere", "far"]
    ])
    expect(value.total).toBe(1)
    expect(value.peers.map(({ code, name, rows, status }: any) => [name, status, rows ?? code])).toEqual([
      ["far", "ok", 1],
      ["locked", "unauthorized", undefined],
      ["gone", "unreachable", undefined]
    ])
    expect(JSON.stringify(value)).not.toContain(tokens.caller)
    expect(JSON.stringify(value)).not.toContain("127.0.0.1")
  })

  it("answers with theirs where this server knows nothing of it", async () => {
    const { failed, value } = await ask("relations", {
      operation: "callers",
      target: { symbol: "src/there.ts::onlyThere" }
    })
    expect(failed).toBe(false)
    expect(value.here).toMatchObject({ status: "failed", error_code: "symbol_not_found" })
    expect(JSON.stringify(value)).toContain("src/there.ts::greetThere")
    expect(value.peers[0]).toMatchObject({ name: "far", status: "ok" })
  })

  it("fails as before where nobody knows it, with the state of each in the failure", async () => {
    const { failed, value } = await ask("relations", {
      operation: "usages",
      target: { symbol: "src/x.ts::nowhere" }
    })
    expect(failed).toBe(true)
    expect(value.error_code).toBe("symbol_not_found")
    expect(value.data.peers.map(({ name, status }: any) => [name, status])).toEqual([
      ["far", "refused"],
      // Three failures in a row, and it is left alone.
      ["locked", expect.stringMatching(/unauthorized|resting/)],
      ["gone", expect.stringMatching(/unreachable|resting/)]
    ])
  })

  it("keeps whole answers apart where there is no list to put rows into", async () => {
    const { value } = await ask("explore", { operation: "context", task: "greet" })
    expect(value.elsewhere).toHaveLength(1)
    expect(value.elsewhere[0]).toMatchObject({ origin: "far", task: "greet" })
  })

  it("leaves others alone for the rest of a page, and for operations that do not ask", async () => {
    const search = { operation: "symbols", query: "greetHere shared", output: { limit: 1 } }
    const first = await ask("search", search)
    // This server's page, then theirs; its own rows alone are counted for the next one.
    expect(first.value.results.filter(({ origin }: any) => origin === undefined)).toHaveLength(1)
    const cursor = first.value.next_cursor
    expect(typeof cursor).toBe("string")
    const rest = await ask("search", { ...search, output: { limit: 1, cursor } })
    expect(rest.value.peers.map(({ status }: any) => status)).toEqual(["not_asked", "not_asked", "not_asked"])
    expect(rest.value.results).toHaveLength(1)
    expect(rest.value.results[0].id).not.toBe(first.value.results[0].id)
    const { value } = await ask("search", { operation: "text", query: "greet" })
    expect(value.peers).toBeUndefined()
  })
})

describe("a session", () => {
  const open = async (peers: ReadonlyArray<object>) => {
    const engine = await here.open({ federation: { peers } })
    engine.openSession("one")
    engine.openSession("two")
    const ask = async (session: string | undefined, tool: string, args: object) => {
      const result = await engine.call({ tool, args, ...(session === undefined ? {} : { session }) })
      return { failed: result.isError === true, value: result.structuredContent as any }
    }
    const asked = async (session: string | undefined) => {
      const { value } = await ask(session, "search", { operation: "symbols", query: "greet" })
      return [
        value.peers.map(({ name, status }: any) => `${name} ${status}`),
        value.results.map(({ id }: any) => id)
      ]
    }
    return { engine, ask, asked }
  }
  const far = () => ({ name: "far", url: remote.url, token_env: "PEER_TOKEN" })
  const greetHere = "src/here.ts::greetHere"
  const greetThere = "src/there.ts::greetThere"

  it("leaves a server alone that it turned off, and no other session does", async () => {
    const { ask, asked, engine } = await open([far()])
    const off = await ask("one", "session", { operation: "proxy_disable", arguments: { slug: "far" } })
    expect(off.value).toMatchObject({ slug: "far", session_state: "disabled" })
    expect(await asked("one")).toEqual([["far disabled"], [greetHere]])
    expect(await asked("two")).toEqual([["far ok"], [greetHere, greetThere]])
    expect(await asked(undefined)).toEqual([["far ok"], [greetHere, greetThere]])
    expect((await ask("one", "workspace", { operation: "proxy" })).value.remotes).toEqual([
      { slug: "far", global_enabled: true, session_override: "disabled", effective: false }
    ])
    expect((await ask("two", "workspace", { operation: "proxy" })).value.remotes).toEqual([
      { slug: "far", global_enabled: true, effective: true }
    ])
    await ask("one", "session", { operation: "proxy_enable", arguments: { slug: "far" } })
    expect(await asked("one")).toEqual([["far ok"], [greetHere, greetThere]])
    await engine.close()
  })

  it("asks a server that settings turn off once it says so", async () => {
    const { ask, asked, engine } = await open([{ ...far(), enabled: false }])
    expect(await asked("one")).toEqual([["far disabled"], [greetHere]])
    await ask("one", "session", { operation: "proxy_enable", arguments: { slug: "far" } })
    expect(await asked("one")).toEqual([["far ok"], [greetHere, greetThere]])
    expect(await asked("two")).toEqual([["far disabled"], [greetHere]])
    const { value } = await ask(undefined, "workspace", { operation: "proxy" })
    expect(value.remotes).toEqual([{ slug: "far", global_enabled: false, effective: false }])
    expect(value.note).toContain("no session")
    await engine.close()
  })

  it("is told the names there are when it names another, and keeps nothing without a session", async () => {
    const { ask, engine } = await open([far()])
    const unknown = await ask("one", "session", { operation: "proxy_enable", arguments: { slug: "fra" } })
    expect(unknown.value).toMatchObject({
      error_code: "invalid_argument",
      reason_code: "remote_unknown",
      field: "arguments.slug",
      data: { servers: ["far"] }
    })
    const without = await ask(undefined, "session", {
      operation: "proxy_disable",
      arguments: { slug: "far" }
    })
    expect(without.value).toMatchObject({ reason_code: "session_unknown" })
    await engine.close()
    const alone = await open([])
    expect((await alone.ask("one", "workspace", { operation: "proxy" })).value).toMatchObject({
      remotes: [],
      total: 0
    })
    const none = await alone.ask("one", "session", { operation: "proxy_enable", arguments: { slug: "far" } })
    expect(none.value).toMatchObject({ error_code: "invalid_argument", data: { servers: [] } })
    await alone.engine.close()
  })
})

describe("the operations that ask others", () => {
  it("are the seven of the contract, all of them closed-world reads", () => {
    const closed = new Set(closedWorldTags.map(({ key }) => key as string))
    const asking = catalog.facades.flatMap(({ operations }) =>
      operations.filter(({ federated }) => federated)
    )
    expect(asking.map(({ facade, name }) => `${facade}.${name}`).sort()).toEqual([
      "explore.context",
      "relations.callers",
      "relations.dependents",
      "relations.implementations",
      "relations.usages",
      "search.symbols",
      "trace.call_chain"
    ])
    for (const { effect, needs } of asking) {
      expect(effect).toBe("read")
      expect(needs.filter((key) => !closed.has(key))).toEqual([])
    }
  })
})
