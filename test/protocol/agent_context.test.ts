import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { Ajv2020 } from "ajv/dist/2020.js"
import { request as httpRequest } from "node:http"
import { writeFileSync } from "node:fs"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { HttpServer, json } from "./http_server.ts"
import { build, folder, type Message } from "./server.ts"

const files = {
  "lib/greet.ts":
    "/** Says hello to jo@mail.example.org. */\nexport const greet = (name: string) => `Hello ${name}`\n",
  "lib/many.ts": Array.from({ length: 60 }, (_, n) => `export const many${n} = ${n}\n`).join(""),
  "README.md": "# Small\n\n## Usage\n\nCall greet.\n"
}

const settingsOf = (context: object) => JSON.stringify({ agent_context: context })
const everything = {
  enabled: true,
  profile: "summary",
  scopes: ["repositories", "symbols", "memories", "docs"],
  actions: { read: true }
}

let server: HttpServer
beforeAll(async () => {
  await build()
  server = await HttpServer.start(folder(files), { settings: settingsOf(everything) })
}, 180_000)
afterAll(() => server?.stop())

const endpoint = "/api/agent-context/mcp"

/** Writes the settings anew; they hold for the next request. */
const settle = (text: string) => writeFileSync(server.settingsFile, text)

const manifest = async (): Promise<any> =>
  (await fetch(new URL("/api/agent-context/manifest", server.url))).json()

const send = (message: unknown, headers: { readonly [name: string]: string } = {}, method = "POST") =>
  fetch(new URL(endpoint, server.url), {
    method,
    headers: { ...json, ...headers },
    ...(method === "POST" ? { body: typeof message === "string" ? message : JSON.stringify(message) } : {})
  })

const rpc = async (method: string, params?: unknown, headers = {}): Promise<Message> =>
  (await send({ jsonrpc: "2.0", id: 1, method, params }, headers)).json() as Promise<Message>

const tool = async (name: string, args: object = {}, headers = {}): Promise<any> =>
  (await rpc("tools/call", { name, arguments: args }, headers)).result

const names = (tools: ReadonlyArray<{ readonly name: string }>) => tools.map(({ name }) => name)

const context = ["context_profile", "search_context", "get_context", "list_context", "resolve_navigation"]

describe("the manifest", () => {
  it("has the shape its readers know", async () => {
    const shown = await manifest()
    expect(shown).toMatchObject({
      kind: "portos-agent-context",
      schemaVersion: 3,
      protocolVersion: "2025-11-25",
      enabled: true,
      configurationValid: true,
      transport: { type: "streamable-http", endpoint, loopbackOnly: true, stateful: false },
      profile: "summary",
      scopes: everything.scopes,
      limits: {
        defaultResults: 10,
        maxResults: 25,
        maxSummaryChars: 320,
        maxResponseChars: 20_000,
        maxApproxTokens: 5000,
        maxSourceItems: 1000
      },
      actions: { readPortos: true, writePortos: false }
    })
    expect(shown.exclusions).toHaveLength(5)
    expect(names(shown.tools).slice(0, 5)).toEqual(context)
    expect(shown.grantedWhenEnabled).toBeUndefined()
  })

  it("has the tools that a list has now, in each of eight situations; enabling needs no new grant", async () => {
    const granted: { [key: string]: ReadonlyArray<string> } = {}
    for (const enabled of [false, true])
      for (const valid of [false, true])
        for (const read of [false, true]) {
          settle(
            settingsOf({ enabled, scopes: valid ? ["symbols"] : ["symbols", "symbols"], actions: { read } })
          )
          const shown = await manifest()
          const situation = `enabled ${enabled}, valid ${valid}, read ${read}`
          const works = enabled && valid
          expect(shown.enabled, situation).toBe(works)
          expect(shown.configurationValid, situation).toBe(valid)
          expect(shown.actions, situation).toEqual({ readPortos: read, writePortos: false })
          const called = await send({
            jsonrpc: "2.0",
            id: 1,
            method: "tools/call",
            params: { name: "search_symbols", arguments: { query: "greet" } }
          })
          if (!works) {
            expect(shown.tools, situation).toEqual([])
            expect(called.status, situation).toBe(403)
            expect(await called.json(), situation).toMatchObject({ code: "AGENT_CONTEXT_DISABLED" })
            if (valid) granted[String(read)] = shown.grantedWhenEnabled
            continue
          }
          const { result } = await rpc("tools/list")
          expect(shown.tools, situation).toEqual(result.tools)
          expect(names(shown.tools).slice(0, 5), situation).toEqual(context)
          expect(names(shown.tools).includes("search_symbols"), situation).toBe(read)
          expect(shown.tools.length > 5, situation).toBe(read)
          expect(shown.tools.length - 5, situation).toBe(granted[String(read)]?.length)
          const answer = (await called.json()) as Message
          expect(answer.result.isError ?? false, situation).toBe(!read)
        }
    settle("{ this is no settings file")
    expect(await manifest()).toMatchObject({ enabled: false, configurationValid: false, tools: [] })
    settle(settingsOf(everything))
  })

  it("shows no tool that a caller without a token could not call, and writes to those with one", async () => {
    settle(settingsOf({ ...everything, actions: { read: true, write: true } }))
    expect(names((await manifest()).tools)).not.toContain("edit_file")
    const authorization = `Bearer ${server.token}`
    const { result } = await rpc("tools/list", {}, { authorization })
    expect(names(result.tools)).toContain("edit_file")
    expect(names(result.tools)).not.toContain("publish_review_post")
    expect(names(result.tools).filter((name) => name.startsWith("session_"))).toEqual([])
    settle(settingsOf(everything))
    const refused = await tool("edit_file", {}, { authorization })
    expect(refused.structuredContent).toMatchObject({ state: "failed", errorCode: "TOOL_CAPABILITY_DENIED" })
  })
})

describe("the address", () => {
  const status = async (response: Promise<Response>) => (await response).status
  const ping = { jsonrpc: "2.0", id: 1, method: "ping" }

  it("takes POST only, and says so; while disabled it is forbidden first", async () => {
    for (const method of ["GET", "DELETE", "PUT"]) {
      const response = await send(undefined, {}, method)
      expect(response.status).toBe(405)
      expect(response.headers.get("allow")).toBe("POST")
    }
    settle(settingsOf({ enabled: false }))
    for (const method of ["GET", "DELETE", "POST"]) {
      const response = await send(ping, {}, method)
      expect(response.status).toBe(403)
      expect(await response.json()).toMatchObject({ code: "AGENT_CONTEXT_DISABLED" })
    }
    expect(await status(fetch(new URL("/api/agent-context/manifest", server.url), { method: "POST" }))).toBe(
      405
    )
    settle(settingsOf(everything))
  })

  it("wants both forms accepted, a revision it knows, and JSON", async () => {
    for (const accept of ["application/json", "text/event-stream", "*/*"]) {
      const response = await send(ping, { accept })
      expect(response.status).toBe(406)
      expect(await response.json()).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32600 } })
    }
    for (const version of ["2025-03-26", "2025-06-18", "2025-11-25"])
      expect(await status(send(ping, { "mcp-protocol-version": version }))).toBe(200)
    for (const version of ["2024-11-05", "x"])
      expect(await status(send(ping, { "mcp-protocol-version": version }))).toBe(400)
    expect(await status(send(ping, { "content-type": "text/plain" }))).toBe(415)
    expect(await status(send("{"))).toBe(400)
    expect(await status(send([ping]))).toBe(400)
    expect(await status(send({ ...ping, id: null }))).toBe(400)
    expect(await status(send(`"${"x".repeat(1024 * 1024)}"`))).toBe(413)
  })

  it("gives no answer to what asks for none", async () => {
    for (const message of [
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 1, result: {} }
    ]) {
      const response = await send(message)
      expect(response.status).toBe(202)
      expect(await response.text()).toBe("")
      expect(response.headers.get("mcp-session-id")).toBeNull()
    }
  })

  it("is closed to pages of other origins and to other names of this machine", async () => {
    const raw = (headers: { readonly [name: string]: string }) =>
      new Promise<{ readonly status: number | undefined; readonly code: string }>((answered, failed) => {
        const sent = httpRequest(
          new URL("/api/agent-context/manifest", server.url),
          { headers },
          (response) => {
            let text = ""
            response.setEncoding("utf8").on("data", (part) => (text += part))
            response.on("end", () => answered({ status: response.statusCode, code: JSON.parse(text).code }))
          }
        )
        sent.on("error", failed)
        sent.end()
      })
    for (const origin of ["https://evil.example", "null"])
      expect(await raw({ origin })).toEqual({ status: 403, code: "AGENT_CONTEXT_ORIGIN_REJECTED" })
    expect((await raw({ origin: "http://localhost:1234" })).status).toBe(200)
    expect(await raw({ host: "evil.example" })).toEqual({ status: 403, code: "HOST_NOT_ALLOWED" })
    // What a proxy says of others is not believed, and neither is it held against a caller on this machine.
    expect((await raw({ "x-forwarded-for": "10.0.0.1" })).status).toBe(200)
    expect(await raw({ authorization: "Bearer nobody-gave-this-one" })).toEqual({
      status: 401,
      code: "AUTH_REQUIRED"
    })
  })
})

describe("the context tools", () => {
  it("say what there is", async () => {
    expect((await tool("context_profile")).structuredContent).toMatchObject({
      profile: "summary",
      scopes: everything.scopes,
      actions: { readPortos: true, writePortos: false }
    })
    expect((await tool("context_profile", { x: 1 })).isError).toBe(true)
  })

  it("find, page and give again what they showed", async () => {
    const found = (await tool("search_context", { query: "GREET", scopes: ["symbols"] })).structuredContent
    expect(found).toMatchObject({ total: 1, truncated: false, sourceTruncated: false, sourceStatus: "fresh" })
    const [item] = found.items
    expect(item).toMatchObject({ scope: "symbols", kind: "function", title: "greet", path: "lib/greet.ts" })
    expect((await tool("get_context", { ref: item.ref })).structuredContent).toEqual({
      item,
      sourceTruncated: false,
      sourceStatus: "fresh"
    })
    expect(
      (await tool("get_context", { ref: "symbols:function:lib/greet.ts::gone" })).structuredContent.item
    ).toBeNull()

    const seen: Array<string> = []
    let cursor: number | null = 0
    while (cursor !== null) {
      const page: any = (await tool("list_context", { scope: "symbols", cursor, limit: 25 }))
        .structuredContent
      expect(page.items.length).toBeGreaterThan(0)
      expect(page.nextCursor === null || page.nextCursor > cursor).toBe(true)
      expect(page.truncated).toBe(page.nextCursor !== null)
      seen.push(...page.items.map(({ ref }: { readonly ref: string }) => ref))
      cursor = page.nextCursor
    }
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toHaveLength(61)
    const beyond = (await tool("list_context", { scope: "symbols", cursor: 1000 })).structuredContent
    expect(beyond).toMatchObject({ items: [], total: 61, nextCursor: null })
  })

  it("show documents with their headings, and where a name leads", async () => {
    const docs = (await tool("list_context", { scope: "docs" })).structuredContent.items
    expect(docs.map(({ kind, title }: any) => `${kind} ${title}`).sort()).toEqual([
      "document README.md",
      "heading Small",
      "heading Usage"
    ])
    expect((await tool("resolve_navigation", { query: "usage" })).structuredContent.match).toMatchObject({
      kind: "heading",
      path: "README.md"
    })
    expect((await tool("resolve_navigation", { query: "no such thing" })).structuredContent.match).toBeNull()
  })

  it("fail where a source does, by name, and never show it as empty", async () => {
    for (const [name, args] of [
      ["list_context", { scope: "memories" }],
      ["search_context", { query: "greet" }]
    ] as const) {
      const result = await tool(name, args)
      expect(result.isError).toBe(true)
      expect(result.content[0].text).toMatch(/^operation_unavailable: memories: /)
      expect(result.content[0].text.length).toBeLessThanOrEqual(500)
      expect(result._meta["portico/error_code"]).toBe("operation_unavailable")
    }
  })

  it("tell a scope that is off from one there is none of", async () => {
    expect((await tool("list_context", { scope: "notebooks" })).content[0].text).toMatch(/^scope_disabled: /)
    expect((await tool("list_context", { scope: "brain" })).content[0].text).toMatch(/^invalid_argument: /)
    expect((await tool("get_context", { ref: "notebooks:x:1" })).structuredContent).toEqual({
      item: null,
      sourceTruncated: false,
      sourceStatus: "fresh"
    })
    expect((await tool("get_context", { ref: "brain:x:1" })).isError).toBe(true)
    for (const args of [
      { query: "" },
      { query: "x".repeat(201) },
      { query: "x", limit: 26 },
      { query: "x", scopes: [] }
    ])
      expect((await tool("search_context", args)).isError, JSON.stringify(args)).toBe(true)
  })

  it("answer as their output schemas say", async () => {
    const { result } = await rpc("tools/list")
    const ajv = new Ajv2020({ strict: false })
    const calls: ReadonlyArray<readonly [string, object]> = [
      ["context_profile", {}],
      ["search_context", { query: "many", scopes: ["symbols", "docs"], limit: 25 }],
      ["get_context", { ref: "docs:document:README.md" }],
      ["list_context", { scope: "repositories" }],
      ["resolve_navigation", { query: "greet" }],
      ["search_symbols", { query: "greet" }],
      ["search_symbols", {}]
    ]
    for (const [name, args] of calls) {
      const definition = result.tools.find((each: { readonly name: string }) => each.name === name)
      const check = ajv.compile(definition.outputSchema)
      const answer = await tool(name, args)
      expect(check(answer.structuredContent), `${name}: ${JSON.stringify(check.errors)}`).toBe(true)
      expect(JSON.stringify(answer.structuredContent).length).toBeLessThanOrEqual(20_000)
    }
  })
})

describe("a semantic tool", () => {
  it("answers with a result of its kind, once for each key", async () => {
    const result = await tool("search_symbols", { query: "greet" }, { "idempotency-key": "a.b:1" })
    expect(result.structuredContent).toMatchObject({
      type: "portos_tool_result",
      requestId: "agent-mcp:a.b:1",
      name: "search.symbols",
      version: 1,
      state: "completed",
      duplicate: false
    })
    const again = await tool("search.symbols", { query: "greet" }, { "idempotency-key": "a.b:1" })
    expect(again.structuredContent).toEqual({ ...result.structuredContent, duplicate: true })
    const other = await tool("search_symbols", { query: "many1" }, { "idempotency-key": "a.b:1" })
    expect(other.structuredContent).toMatchObject({ state: "failed", errorCode: "idempotency_conflict" })
    expect(other.isError).toBe(true)
  })

  it("keeps the code of its failure, and refuses a key that does not fit", async () => {
    const failed = await tool("read_file", { target: { file: "no/such/file.ts" } })
    expect(failed.isError).toBe(true)
    expect(failed.structuredContent.errorCode).not.toBe("internal")
    expect(failed.structuredContent.errorCode).toMatch(/^[a-z_]+$/)
    for (const key of ["x".repeat(191), "a b"]) {
      const response = await send(
        { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "search_symbols", arguments: {} } },
        { "idempotency-key": key }
      )
      expect(response.status).toBe(400)
      expect(((await response.json()) as Message).error?.message).toContain("Idempotency-Key")
    }
  })

  it("has what should not leave the machine masked", async () => {
    const { structuredContent } = await tool("read_file", { target: { file: "lib/greet.ts" } })
    expect(JSON.stringify(structuredContent)).not.toContain("jo@mail")
    expect(JSON.stringify(structuredContent)).toContain("[e-mail]")
  })
})

describe("the library's own client", () => {
  it("initializes, lists and calls", async () => {
    const client = new Client({ name: "test-client", version: "1" })
    await client.connect(new StreamableHTTPClientTransport(new URL(endpoint, server.url)))
    expect(names((await client.listTools()).tools).slice(0, 5)).toEqual(context)
    const result = await client.callTool({ name: "resolve_navigation", arguments: { query: "greet" } })
    expect((result.structuredContent as any).match.title).toBe("greet")
    await client.close()
  })
})
