import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { request as httpRequest } from "node:http"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { catalog as registry } from "../../src/facades/index.ts"
import { select } from "../../src/surface/Selection.ts"
import { surfaceOf } from "../../src/surface/Surface.ts"
import { roster } from "../../src/surface/Tools.ts"
import { eventsOf, HttpServer, messageOf } from "./http_server.ts"
import { build, folder, type Message } from "./server.ts"

const small = () =>
  folder({
    "lib/greet.ts": "export const greet = (name: string) => `Hello ${name}`\n",
    "README.md": "# Small\n"
  })

/** Enough files that indexing them takes a moment. */
const large = () =>
  folder(
    Object.fromEntries(
      Array.from({ length: 400 }, (_, at) => [
        `src/part${at}.ts`,
        `import { f${(at + 1) % 400} } from "./part${(at + 1) % 400}.ts"\n${Array.from(
          { length: 30 },
          (_, n) =>
            `export function ${n === 0 ? `f${at}` : `g${at}_${n}`}(x: number) { return x > ${n} ? f${(at + 1) % 400}(x) : ${n} }\n`
        ).join("")}`
      ])
    )
  )

let server: HttpServer
beforeAll(async () => {
  await build()
  server = await HttpServer.start(small())
}, 180_000)
afterAll(() => server.stop())

const names = roster.map(({ name }) => name)
const request = (id: number | string, method: string, params?: unknown) => ({
  jsonrpc: "2.0",
  id,
  method,
  ...(params === undefined ? {} : { params })
})
const call = (id: number | string, name: string, args: object, token?: string) =>
  request(id, "tools/call", {
    name,
    arguments: args,
    ...(token === undefined ? {} : { _meta: { progressToken: token } })
  })

/** Sends a request in a session and reads its answer. */
const ask = async (session: string, message: object, at = server): Promise<Message> =>
  messageOf(await at.post(message, { "mcp-session-id": session }))

const namesFor = async (client: string, at = server): Promise<ReadonlyArray<string>> => {
  const { session } = await at.open(client)
  const { result } = await ask(session, request(1, "tools/list"), at)
  return result.tools.map(({ name }: { readonly name: string }) => name)
}

describe("the roster over HTTP", () => {
  const known = ["claude-code", "cursor", "vscode", "zed", "aider", "kilocode", "opencode", "codex"]
  const hosts = ["Visual Studio Code", "cursor-vscode", "codex-mcp-client", "claude-code/2.1", "zed @nightly"]
  for (const client of [...known, ...hosts, "nobody-has-heard-of-this-one"])
    it(`is the 21 tools for ${client}`, async () => {
      expect(await namesFor(client)).toEqual(names)
    })

  it("is the server's default for a client without a name", async () => {
    const standard = surfaceOf(registry, select({ client: "" })).tools.map(({ name }) => name)
    expect(standard.length).toBeGreaterThan(21)
    expect(await namesFor("")).toEqual(standard)
  })

  it("is not to be had before the handshake", async () => {
    const response = await server.post(request(1, "tools/list"))
    expect(response.status).toBe(400)
    expect((await messageOf(response)).error?.message).toContain("initialize")
  })

  it("is the same bytes each time, and each session keeps its own", async () => {
    const [named, unnamed] = [await server.open("claude-code"), await server.open("")]
    const text = async ({ session }: { readonly session: string }) =>
      JSON.stringify((await ask(session, request(1, "tools/list"))).result)
    const first = await text(named)
    expect(await text(unnamed)).not.toBe(first)
    expect(await text(named)).toBe(first)
    expect(Buffer.byteLength(first)).toBeLessThanOrEqual(12_000)
  })

  it("is what the command line says, for every client", async () => {
    const full = await HttpServer.start(small(), { args: ["--tools", "full"] })
    expect(await namesFor("claude-code", full)).toHaveLength(178)
    await full.stop()
  })
})

describe("a session", () => {
  it("blocks a hidden tool and reaches the same operation through its facade", async () => {
    const { session } = await server.open("claude-code")
    const { result: blocked } = await ask(session, call(1, "read_file", { path: "lib/greet.ts" }))
    expect(blocked.isError).toBe(true)
    expect(blocked.structuredContent.error_code).toBe("tool_blocked_by_mode")
    const { result } = await ask(session, call(2, "read", { target: { file: "lib/greet.ts" } }))
    expect(result.content[0].text).toContain("export const greet")
    expect(result._meta.gortex_facade.canonical_tool).toBe("read_file")
  })

  it("speaks every revision the library does, and offers the newest for others", async () => {
    for (const version of ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])
      expect((await server.open("x", {}, version)).result.protocolVersion).toBe(version)
    expect((await server.open("x", {}, "1999-01-01")).result.protocolVersion).toBe("2025-11-25")
    const { session } = await server.open()
    const response = await server.post(request(1, "ping"), {
      "mcp-session-id": session,
      "mcp-protocol-version": "1999-01-01"
    })
    expect(response.status).toBe(400)
  })

  it("that is unknown is not found; that was deleted is not found any more", async () => {
    const missing = await server.post(request(1, "ping"), { "mcp-session-id": "no-such-session" })
    expect(missing.status).toBe(404)
    const { session } = await server.open()
    const headers = { "mcp-session-id": session }
    expect((await server.post(request(1, "ping"), headers)).status).toBe(200)
    expect((await fetch(server.mcp, { method: "DELETE", headers })).status).toBe(200)
    expect((await server.post(request(2, "ping"), headers)).status).toBe(404)
    expect((await fetch(server.mcp, { method: "DELETE", headers })).status).toBe(404)
  })

  it("belongs to the caller who began it", async () => {
    const { session } = await server.open("x", { authorization: `Bearer ${server.token}` })
    expect((await server.post(request(1, "ping"), { "mcp-session-id": session })).status).toBe(404)
    const own = { "mcp-session-id": session, authorization: `Bearer ${server.token}` }
    expect((await server.post(request(1, "ping"), own)).status).toBe(200)
  })

  it("keeps answers of its own, and nobody else's", async () => {
    const [one, other] = [await server.open(), await server.open()]
    await ask(one.session, call(1, "capabilities", {}))
    const peek = call(2, "response", { operation: "peek", arguments: { lines: 2 } })
    expect((await ask(one.session, peek)).result.structuredContent.response_id).toBe("resp_1")
    expect((await ask(other.session, peek)).result.structuredContent.error_code).toBe("not_found")
  })

  it("answers two requests under one id only when the first is over", async () => {
    const { session } = await server.open()
    const twice = await server.post([request(1, "ping"), request(1, "ping")], { "mcp-session-id": session })
    expect(twice.status).toBe(400)
    expect((await ask(session, request(1, "ping"))).result).toEqual({})
    expect((await ask(session, request(1, "ping"))).result).toEqual({})
  })

  it("takes batches where its revision has them, and nowhere else", async () => {
    const batch = [request(1, "ping"), request(2, "ping")]
    const older = await server.open("x", {}, "2025-03-26")
    const answers = eventsOf(
      await (await server.post(batch, { "mcp-session-id": older.session })).text()
    ).map(({ message }) => message?.id)
    expect(answers.sort()).toEqual([1, 2])
    const newer = await server.open()
    expect((await server.post(batch, { "mcp-session-id": newer.session })).status).toBe(400)
  })

  it("answers an ordinary call as the library answers one that is out of the ordinary", async () => {
    for (const revision of ["2025-11-25", "2025-06-18"]) {
      const { session } = await server.open("x", {}, revision)
      const headers = { "mcp-session-id": session, "mcp-protocol-version": revision }
      const sent = async (id: number, tool: string, more: object) => {
        const message = call(id, tool, { query: "greet" })
        const response = await server.post(
          { ...message, params: { ...(message.params as object), ...more } },
          headers
        )
        // How it is cut for the way depends on how long it took.
        const cut = new Set(["date", "content-length", "transfer-encoding"])
        const head = [...response.headers].filter(([name]) => !cut.has(name))
        return { status: response.status, head, events: eventsOf(await response.text()) }
      }
      // A tool that is found, and one that is none, whose answer is an error of the protocol.
      for (const tool of ["search", "no_such_tool"]) {
        const ordinary = await sent(7, tool, {})
        const library = await sent(7, tool, { _meta: { "example.org/other": true } })
        const shape = ({ events }: typeof ordinary) =>
          events.map(({ id, ...rest }) => ({ ...rest, number: id?.split(".")[0] }))
        expect(ordinary.status).toBe(library.status)
        expect(shape(ordinary)).toEqual(shape(library))
        expect(ordinary.head).toEqual(library.head)
        expect(shape(ordinary)).toHaveLength(revision === "2025-11-25" ? 2 : 1)
      }
    }
  })

  it("has one stream for what the server says, which ends with the session", async () => {
    const { session } = await server.open()
    const headers = { "mcp-session-id": session, accept: "text/event-stream" }
    const stream = await fetch(server.mcp, { headers })
    expect(stream.status).toBe(200)
    expect((await fetch(server.mcp, { headers })).status).toBe(409)
    await fetch(server.mcp, { method: "DELETE", headers })
    expect(eventsOf(await stream.text())).toEqual([])
  })
})

describe("a caller", () => {
  it("without a token may read and not write; with one may write", async () => {
    const edit = call(1, "session", { operation: "planning_mode", arguments: { mode: "planning" } })
    const anonymous = await server.open()
    const { result: refused } = await ask(anonymous.session, edit)
    expect(refused.isError).toBe(true)
    expect(refused.structuredContent).toMatchObject({ state_changed: false })
    expect(JSON.stringify(refused.structuredContent)).toContain("session_write")
    const { result: read } = await ask(anonymous.session, call(2, "search", { query: "greet" }))
    expect(read.structuredContent.results[0].id).toBe("lib/greet.ts::greet")
    const authorization = { authorization: `Bearer ${server.token}` }
    const known = await server.open("x", authorization)
    const response = await server.post(edit, { ...authorization, "mcp-session-id": known.session })
    expect((await messageOf(response)).result.isError).toBeUndefined()
  })

  it("with a token nobody gave is turned away", async () => {
    const response = await server.post(request(1, "ping"), { authorization: "Bearer nobody-gave-this-one" })
    expect(response.status).toBe(401)
    expect(response.headers.get("www-authenticate")).toContain("Bearer")
    expect(await response.json()).toMatchObject({ code: "AUTH_REQUIRED" })
  })
})

describe("requests that are not let in", () => {
  const raw = (headers: { readonly [name: string]: string }, method = "POST") =>
    new Promise<{ readonly status: number; readonly headers: { readonly [name: string]: unknown } }>(
      (answered, failed) => {
        const sent = httpRequest(
          server.mcp,
          { method, headers: { "content-type": "application/json", ...headers } },
          (response) => {
            response.resume()
            answered({ status: response.statusCode ?? 0, headers: response.headers })
          }
        )
        sent.on("error", failed)
        sent.end(method === "POST" ? JSON.stringify(request(1, "ping")) : undefined)
      }
    )

  it("are those to another host, or of a page of another origin", async () => {
    expect((await raw({ host: "evil.example" })).status).toBe(403)
    expect((await raw({ origin: "https://evil.example" })).status).toBe(403)
    expect((await raw({ origin: "null" })).status).toBe(403)
    expect((await raw({ origin: "http://localhost:3000", accept: "x/y" })).status).not.toBe(403)
  })

  it("tell browsers nothing, unless the operator named their origin", async () => {
    const asked = {
      origin: "http://localhost:3000",
      "access-control-request-method": "POST"
    }
    const silent = await raw(asked, "OPTIONS")
    expect(silent.status).toBe(405)
    expect(Object.keys(silent.headers).filter((name) => name.startsWith("access-control"))).toEqual([])
    const open = await HttpServer.start(small(), { args: ["--origin", "https://tools.example"] })
    const origin = { origin: "https://tools.example" }
    const told = await fetch(open.mcp, {
      method: "OPTIONS",
      headers: { ...origin, "access-control-request-method": "POST" }
    })
    expect(told.status).toBe(204)
    expect(told.headers.get("access-control-allow-origin")).toBe("https://tools.example")
    expect(told.headers.get("access-control-allow-headers")).toContain("mcp-session-id")
    const answered = await open.post(request(1, "ping"), { ...origin, "portico-stateless": "1" })
    expect(answered.status).toBe(200)
    expect(answered.headers.get("access-control-allow-origin")).toBe("https://tools.example")
    expect(answered.headers.get("access-control-expose-headers")).toContain("mcp-session-id")
    expect(answered.headers.get("vary")).toBe("Origin")
    const other = await open.post(request(1, "ping"), { origin: "https://evil.example" })
    expect(other.status).toBe(403)
    expect(other.headers.get("access-control-allow-origin")).toBeNull()
    await open.stop()
  })

  it("are those that are no messages", async () => {
    const send = (body: string, headers: { readonly [name: string]: string } = {}) =>
      server.post({}, headers, { body })
    const wrong = await send("{")
    expect(wrong.status).toBe(400)
    expect((await messageOf(wrong)).error?.code).toBe(-32700)
    const misshapen = await send(JSON.stringify(request(7, "initialize", { protocolVersion: 1 })))
    expect(misshapen.status).toBe(400)
    expect(await messageOf(misshapen)).toMatchObject({ id: 7, error: { code: -32602 } })
    const { session } = await server.open()
    const inside = { "mcp-session-id": session }
    expect((await send('"text"', inside)).status).toBe(400)
    expect(
      (await send(JSON.stringify(request(1, "ping")), { ...inside, accept: "application/json" })).status
    ).toBe(406)
    expect((await send("x", { ...inside, "content-type": "text/plain" })).status).toBe(400)
    expect((await fetch(server.mcp, { method: "PUT" })).headers.get("allow")).toBe("GET, POST, DELETE")
    const large = await send(
      JSON.stringify(call(1, "search", { query: "x".repeat(17 * 1024 * 1024) })),
      inside
    )
    expect(large.status).toBe(413)
    expect((await ask(session, request(2, "ping"))).result).toEqual({})
  })
})

describe("a request without a session", () => {
  const alone = (message: object, headers = {}) =>
    server.post(message, { "portico-stateless": "1", ...headers })
  const meta = { "io.modelcontextprotocol/clientInfo": { name: "claude-code", version: "1" } }

  it("is answered when it says that it has none, and leaves nothing behind", async () => {
    const listed = await alone(request(1, "tools/list", { _meta: meta }))
    expect(listed.headers.get("mcp-session-id")).toBeNull()
    expect((await messageOf(listed)).result.tools.map(({ name }: any) => name)).toEqual(names)
    const { result } = await messageOf(await alone(call(2, "search", { query: "greet" })))
    expect(result.isError).toBe(true) // Without a name the default surface has no such tool to call this way.
    const named = request(3, "tools/call", { name: "search", arguments: { query: "greet" }, _meta: meta })
    expect((await messageOf(await server.post(named))).result.structuredContent.results[0].name).toBe("greet")
  })

  it("has no session to change, and says so", async () => {
    const write = request(1, "tools/call", {
      name: "session",
      arguments: { operation: "planning_mode", arguments: { mode: "planning" } },
      _meta: meta
    })
    const { result } = await messageOf(await server.post(write, { authorization: `Bearer ${server.token}` }))
    expect(result.isError).toBe(true)
  })
})

/** Reads a stream until what it said fits, then hangs up. */
const until = async (response: Response, fits: (text: string) => boolean, abort: AbortController) => {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ""
  for (;;) {
    const { done, value } = await reader.read()
    text += value ?? ""
    if (done || fits(text)) break
  }
  abort.abort()
  await reader.cancel().catch(() => {})
  return text
}

describe("a stream that broke", () => {
  it("goes on where it was left: what was missed comes, once and in order, then the answer, and it ends", async () => {
    const slow = await HttpServer.start(large())
    const { session } = await slow.open()
    const abort = new AbortController()
    const headers = { "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" }
    const broken = await slow.post(call(5, "search", { query: "f7" }, "p"), headers, { signal: abort.signal })
    const first = eventsOf(await until(broken, (text) => /^id: /m.test(text), abort))
    expect(first[0]?.id).toBeDefined()
    const last = first.findLast(({ id }) => id !== undefined)?.id as string
    const rest = await fetch(slow.mcp, {
      headers: { ...headers, accept: "text/event-stream", "last-event-id": last }
    })
    expect(rest.status).toBe(200)
    const events = eventsOf(await rest.text())
    const ids = [...first, ...events].map(({ id }) => Number(id?.split(".")[0]))
    expect(ids).toEqual(ids.map((_, at) => at))
    expect(events.at(-1)?.message?.id).toBe(5)
    expect(events.at(-1)?.message?.result.structuredContent.results[0].name).toBe("f7")
    const progress = [...first, ...events].flatMap(({ message }) =>
      message?.method === "notifications/progress" ? [message.params.progress as number] : []
    )
    expect(progress.length).toBeGreaterThan(0)
    expect(progress.every((step, at) => at === 0 || step > (progress[at - 1] as number))).toBe(true)

    // It is over: asked for again it says the rest again, and from its end nothing.
    const again = await fetch(slow.mcp, {
      headers: { ...headers, accept: "text/event-stream", "last-event-id": last }
    })
    expect(eventsOf(await again.text())).toEqual(events)
    const end = events.at(-1)?.id as string
    const nothing = await fetch(slow.mcp, {
      headers: { ...headers, accept: "text/event-stream", "last-event-id": end }
    })
    expect(nothing.status).toBe(204)
    // Another session knows nothing of it.
    const other = await slow.open()
    const foreign = await fetch(slow.mcp, {
      headers: {
        ...headers,
        "mcp-session-id": other.session,
        accept: "text/event-stream",
        "last-event-id": last
      }
    })
    expect(foreign.status).toBe(400)
    await slow.stop()
  }, 120_000)

  it("of a cancelled request ends without an answer, and the session goes on", async () => {
    const slow = await HttpServer.start(large())
    const { session } = await slow.open()
    const headers = { "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" }
    const running = await slow.post(call(5, "search", { query: "f1" }), headers)
    const cancelled = await slow.post(
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 5, reason: "enough" } },
      headers
    )
    expect(cancelled.status).toBe(202)
    const events = eventsOf(await running.text())
    expect(events.filter(({ message }) => message !== undefined)).toEqual([])
    const nothing = await fetch(slow.mcp, {
      headers: { ...headers, accept: "text/event-stream", "last-event-id": events[0]?.id as string }
    })
    expect(nothing.status).toBe(204)
    // Its id is free again.
    const { result } = await ask(session, call(5, "search", { query: "f7" }), slow)
    expect(result.structuredContent.results[0].name).toBe("f7")
    await slow.stop()
  }, 120_000)
})

describe("the library's own client", () => {
  it("lists, calls, hears progress, cancels, takes up a broken stream, and ends its session", async () => {
    const slow = await HttpServer.start(large())
    let cut = false
    const transport = new StreamableHTTPClientTransport(slow.mcp, {
      reconnectionOptions: {
        initialReconnectionDelay: 10,
        maxReconnectionDelay: 100,
        reconnectionDelayGrowFactor: 1.5,
        maxRetries: 5
      },
      fetch: async (url, init) => {
        const response = await fetch(url, init)
        if (!cut || init?.method !== "POST" || !String(init.body).includes('"tools/call"')) return response
        cut = false
        // The connection breaks after the first event.
        const reader = response.body!.getReader()
        const body = new ReadableStream({
          start: async (controller) => {
            for (let text = ""; !/^id: /m.test(text); ) {
              const { value } = await reader.read()
              text += new TextDecoder().decode(value)
              controller.enqueue(value)
            }
          },
          pull: async (controller) => {
            controller.error(new Error("the line went dead"))
            await reader.cancel()
          }
        })
        return new Response(body, response)
      }
    })
    const client = new Client({ name: "test-client", version: "1" })
    await client.connect(transport)
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(names)

    const steps: Array<number> = []
    const abort = new AbortController()
    const given = client.callTool({ name: "search", arguments: { query: "f1" } }, undefined, {
      signal: abort.signal,
      onprogress: ({ progress }) => {
        steps.push(progress)
        abort.abort("enough")
      }
    })
    await expect(given).rejects.toThrow()
    expect(steps.length).toBeGreaterThan(0)

    cut = true
    const result = await client.callTool({ name: "search", arguments: { query: "f7" } })
    expect((result.structuredContent as any).results[0].name).toBe("f7")
    expect(cut).toBe(false)

    const session = transport.sessionId as string
    await transport.terminateSession()
    await client.close()
    expect((await slow.post(request(1, "ping"), { "mcp-session-id": session })).status).toBe(404)
    await slow.stop()
  }, 120_000)
})

describe("the server", () => {
  it("says when its address is taken", async () => {
    const { port } = server.mcp
    await expect(HttpServer.start(small(), { args: ["--port", port] })).rejects.toThrow(
      `127.0.0.1:${port} is in use by another process`
    )
  })

  it("ends on a signal although clients hold streams and calls open", async () => {
    const busy = await HttpServer.start(large())
    const { session } = await busy.open()
    const headers = { "mcp-session-id": session }
    const stream = await fetch(busy.mcp, { headers: { ...headers, accept: "text/event-stream" } })
    const running = await busy.post(call(1, "search", { query: "f1" }), headers)
    expect(await busy.stop()).toBe(0)
    await Promise.allSettled([stream.text(), running.text()])
  }, 60_000)
})
