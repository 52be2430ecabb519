import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { spawn } from "node:child_process"
import { beforeAll, describe, expect, it } from "vitest"
import { roster } from "../../src/surface/Tools.ts"
import { build, environment, folder, main, Server } from "./server.ts"

beforeAll(build, 120_000)

const names = roster.map(({ name }) => name)
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

describe("the roster", () => {
  it("is the same 21 tools, byte for byte, whatever the client is called", async () => {
    const directory = small()
    const lists: Array<string> = []
    for (const client of [
      "claude-code",
      "codex-mcp-client",
      "cursor-vscode",
      "nobody-has-heard-of-this-one"
    ]) {
      const server = new Server(directory)
      await server.open(client)
      const { result } = await server.request("tools/list")
      lists.push(JSON.stringify(result))
      server.child.kill("SIGKILL")
    }
    expect(JSON.parse(lists[0] as string).tools.map((tool: { name: string }) => tool.name)).toEqual(names)
    expect(names.length).toBe(21)
    expect(new Set(lists).size).toBe(1)
    expect(Buffer.byteLength(lists[0] as string)).toBeLessThanOrEqual(12_000)
  })

  it("says which tools only read", async () => {
    const server = new Server(small())
    await server.open()
    const { result } = await server.request("tools/list")
    const hints = Object.fromEntries(result.tools.map((tool: any) => [tool.name, tool.annotations]))
    expect(hints.read).toEqual({ readOnlyHint: true, destructiveHint: false, openWorldHint: false })
    expect(hints.edit).toEqual({ readOnlyHint: false, destructiveHint: true, openWorldHint: false })
    expect(hints.publish_review).toEqual({ readOnlyHint: false, destructiveHint: true, openWorldHint: true })
  })

  it("is what the command line asks for, before what the environment and the folder's settings do", async () => {
    const directory = folder({ ".effectrc": '{ "tools": "core" }' })
    const server = new Server(directory, ["--tools", "compact"], { ...environment(), PORTICO_TOOLS: "full" })
    await server.open()
    expect((await server.request("tools/list")).result.tools.length).toBe(21)
  })

  it("goes with short instructions and tools as the only capability", async () => {
    const server = new Server(small())
    const { result } = await server.open()
    expect(result.instructions.length).toBeLessThan(550)
    expect(result.capabilities).toEqual({ tools: {} })
    expect(result.serverInfo.name).toBe("portico")
  })
})

describe("requests beside tools", () => {
  it("get empty lists, a pong, and an error for what is not served", async () => {
    const server = new Server(small())
    await server.open()
    expect((await server.request("resources/list")).result).toEqual({ resources: [] })
    expect((await server.request("resources/templates/list")).result).toEqual({ resourceTemplates: [] })
    expect((await server.request("prompts/list")).result).toEqual({ prompts: [] })
    expect((await server.request("logging/setLevel", { level: "debug" })).result).toEqual({})
    expect((await server.request("ping")).result).toEqual({})
    expect((await server.request("resources/read", { uri: "x://y" })).error?.code).toBe(-32601)
    expect((await server.request("__proto__")).error?.code).toBe(-32601)
  })
})

describe("a call", () => {
  it("of a file infers the operation and returns the text", async () => {
    const server = new Server(small())
    await server.open()
    const { result } = await server.call("read", { target: { file: "lib/greet.ts" } })
    expect(result._meta.gortex_facade).toEqual({
      surface_version: "facade-v1",
      facade: "read",
      operation: "file",
      canonical_tool: "read_file"
    })
    expect(result.isError).toBeUndefined()
    expect(result.content[0].text).toContain("export const greet")
  })

  it("of capabilities describes an operation exactly, and adds no tool", async () => {
    const server = new Server(small())
    await server.open()
    const { result } = await server.call("capabilities", {
      domain: "read",
      operation: "file",
      detail: "schema"
    })
    expect(result.structuredContent).toMatchObject({
      surface_version: "facade-v1",
      domain: "read",
      operation: "file",
      effect: "read",
      available: true,
      request_shape: { operation: "file", target: { file: "<file>" } }
    })
    expect(result.structuredContent.schema_hash).toMatch(/^[0-9a-f]{64}$/)
    expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent)
    expect((await server.request("tools/list")).result.tools.length).toBe(21)
    expect(server.messages.filter(({ method }) => method === "notifications/tools/list_changed")).toEqual([])
  })

  it("of the tool behind an operation is blocked, and leads to the operation", async () => {
    const server = new Server(small())
    await server.open()
    const { result } = await server.call("read_file", { path: "lib/greet.ts" })
    expect(result.isError).toBe(true)
    expect(result.structuredContent.error_code).toBe("tool_blocked_by_mode")
    expect(result._meta.gortex_facade).toMatchObject({
      facade: "read",
      operation: "file",
      canonical_tool: "read_file"
    })
    const { arguments: args, tool } = result.structuredContent.recovery
    const followed = await server.call(tool, args)
    expect(followed.result.structuredContent).toMatchObject({ domain: "read", operation: "file" })
  })

  it("is kept when it is large, to be cut again, for this connection only", async () => {
    const text = Array.from({ length: 200 }, (_, at) => `line number ${at}`).join("\n")
    const directory = folder({ "long.txt": `${text}\n` })
    const server = new Server(directory)
    await server.open()
    const { result } = await server.call("read", { target: { file: "long.txt" } })
    const { result: peeked } = await server.call("response", {
      operation: "peek",
      arguments: { lines: 1000 }
    })
    expect(peeked.structuredContent).toMatchObject({ response_id: "resp_1", tool: "read_file" })
    expect(peeked.structuredContent.head).toContain("line number 199")
    expect(result._meta.gortex_facade.operation).toBe("file")
    // Cutting again is not kept in turn.
    const again = await server.call("response", { operation: "peek" })
    expect(again.result.structuredContent.response_id).toBe("resp_1")
    const other = new Server(directory)
    await other.open()
    const { result: none } = await other.call("response", { operation: "peek" })
    expect(none.structuredContent.error_code).toBe("not_found")
  }, 40_000)

  it("of no tool at all is an error of the protocol that names the tools", async () => {
    const server = new Server(small())
    await server.open()
    const { error } = await server.call("reed", {})
    expect(error?.code).toBe(-32602)
    expect(error?.message).toContain("did you mean read?")
    expect(error?.data.valid_tools).toEqual(names)
  })

  it("with arguments that do not fit is a result the model can read", async () => {
    const server = new Server(small())
    await server.open()
    const { result } = await server.call("read", { target: { file: "a", symbol: "b" } })
    expect(result.isError).toBe(true)
    expect(result.structuredContent).toMatchObject({ error_code: "invalid_argument", state_changed: false })
    expect(result._meta.gortex_facade.facade).toBe("read")
  })

  it("can be one of many at once, each answered under its own id", async () => {
    const server = new Server(small())
    await server.open()
    const ids = names.map(
      (domain) =>
        [domain, server.send("tools/call", { name: "capabilities", arguments: { domain } })] as const
    )
    for (const [domain, id] of ids)
      expect((await server.answer(id)).result.structuredContent.domain).toBe(domain)
  })

  it("can be cancelled: it gets no answer, and the others do", async () => {
    const server = new Server(large())
    await server.open()
    const cancelled = server.send("tools/call", { name: "search", arguments: { query: "f1" } })
    server.notify("notifications/cancelled", { requestId: cancelled, reason: "changed my mind" })
    const { result } = await server.call("search", { query: "f7" })
    expect(result.isError).toBeUndefined()
    expect((await server.request("ping")).result).toEqual({})
    expect(server.messages.filter(({ id }) => id === cancelled)).toEqual([])
  }, 60_000)

  it("during the first index waits and reports how far it is, before the answer and rising", async () => {
    const server = new Server(large())
    await server.open()
    const id = server.send("tools/call", {
      name: "search",
      arguments: { query: "f7" },
      _meta: { progressToken: "p" }
    })
    const { result } = await server.answer(id)
    expect(result.structuredContent.results[0].name).toBe("f7")
    const at = server.messages.findIndex((message) => message.id === id)
    const steps = server.messages.flatMap(({ method, params }, where) =>
      method === "notifications/progress" && params.progressToken === "p"
        ? [{ where, progress: params.progress }]
        : []
    )
    expect(steps.length).toBeGreaterThan(0)
    expect(steps.every(({ where }) => where < at)).toBe(true)
    expect(steps.every(({ progress }, n) => n === 0 || progress > (steps[n - 1]?.progress ?? Infinity))).toBe(
      true
    )
  }, 60_000)

  it("may carry ten megabytes, and is answered", async () => {
    const server = new Server(small())
    await server.open()
    const { result } = await server.call("search", { query: "x".repeat(10 * 1024 * 1024) })
    expect(result._meta.gortex_facade.facade).toBe("search")
    expect((await server.request("ping")).result).toEqual({})
  }, 60_000)
})

describe("lines that are no messages", () => {
  it("are answered as such, and the connection goes on", async () => {
    const server = new Server(small())
    await server.open()
    server.raw("this is not JSON\n")
    expect((await server.until(({ error }) => error?.code === -32700)).id).toBeNull()
    server.raw('[]\n\n   \n{"jsonrpc":"1.0","id":77,"method":"ping"}\n')
    expect((await server.until(({ id }) => id === 77)).error?.code).toBe(-32600)
    server.raw('{"jsonrpc":"2.0","id":78,"method":"ping","params":3}\n')
    expect((await server.until(({ id }) => id === 78)).error?.code).toBe(-32602)
    expect((await server.request("ping")).result).toEqual({})
  })

  it("are answered when only their parts are wrong, and say which", async () => {
    const server = new Server(small())
    await server.open()
    const wrong = async (params: unknown) => (await server.request("tools/call", params)).error
    expect(await wrong(undefined)).toMatchObject({ code: -32602, message: expect.stringContaining("params") })
    expect(await wrong({ name: 1 })).toMatchObject({
      code: -32602,
      message: expect.stringContaining("params.name: ")
    })
    expect(await wrong({ name: "search", arguments: ["x"] })).toMatchObject({
      code: -32602,
      message: expect.stringContaining("params.arguments: ")
    })
    expect(
      await wrong({ name: "search", arguments: { query: "x" }, _meta: { progressToken: {} } })
    ).toMatchObject({ code: -32602, message: expect.stringContaining("params._meta.progressToken: ") })
    server.raw('{"jsonrpc":"2.0","id":1.5,"method":"ping"}\n')
    expect((await server.until(({ error }) => error?.code === -32600)).id).toBeNull()
    expect((await server.request("ping")).result).toEqual({})
  })

  it("may nest their arguments deeply, and are refused by field", async () => {
    const server = new Server(small())
    await server.open()
    const levels = 5000
    server.raw(
      `{"jsonrpc":"2.0","id":79,"method":"tools/call","params":{"name":"search","arguments":{"query":${'{"a":'.repeat(levels)}1${"}".repeat(levels)}}}}\n`
    )
    expect((await server.until(({ id }) => id === 79)).result.structuredContent).toMatchObject({
      error_code: "invalid_argument",
      field: "query",
      reason_code: "too_deep"
    })
  })

  it("may come in pieces, and several in one", async () => {
    const server = new Server(small())
    await server.open()
    const text = `${JSON.stringify({ jsonrpc: "2.0", id: 90, method: "tools/call", params: { name: "capabilities", arguments: { domain: "reád" } } })}\n`
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += 7) server.child.stdin.write(bytes.subarray(at, at + 7))
    server.raw(
      `${JSON.stringify({ jsonrpc: "2.0", id: 91, method: "ping" })}\n${JSON.stringify({ jsonrpc: "2.0", id: 92, method: "ping" })}\n`
    )
    expect((await server.until(({ id }) => id === 90)).result.structuredContent.message).toContain("reád")
    await server.until(({ id }) => id === 91)
    await server.until(({ id }) => id === 92)
  })
})

describe("the process", () => {
  it("writes nothing but messages to standard output", async () => {
    const server = new Server(small())
    await server.open()
    await server.request("tools/list")
    await server.call("search", { query: "greet" })
    await server.call("nothing")
    server.child.stdin.end()
    await server.ended
    for (const line of server.out.split("\n").filter((text) => text !== ""))
      expect(JSON.parse(line).jsonrpc).toBe("2.0")
  })

  it("answers what was asked before its input ended, and then ends", async () => {
    const server = new Server(small())
    void server.open()
    const id = server.send("tools/call", { name: "search", arguments: { query: "greet" } })
    server.child.stdin.end()
    expect((await server.answer(id)).result.structuredContent.results[0].name).toBe("greet")
    expect(await server.ended).toBe(0)
  })

  it("ends cleanly on a signal, in the middle of work too", async () => {
    const server = new Server(large())
    await server.open()
    server.send("tools/call", { name: "search", arguments: { query: "f1" } })
    await server.request("ping")
    server.child.kill("SIGTERM")
    expect(await server.ended).toBe(0)
  })

  it("ends when nobody reads its output any more", async () => {
    const server = new Server(small())
    await server.open()
    server.child.stdout.destroy()
    server.send("ping")
    server.send("ping")
    expect(await server.ended).toBe(0)
  })

  it("ends when its parent is gone, although its input stays open", async () => {
    // The parent in the middle hands its own input on, so killing it does not close the server's. Both hold its
    // standard error, which ends when neither is there any more.
    const script = `require("node:child_process").spawn(process.execPath, [${JSON.stringify(main)}, "mcp"], {
      stdio: ["inherit", "inherit", "inherit"]
    })`
    const parent = spawn(process.execPath, ["-e", script], {
      cwd: small(),
      env: environment(),
      stdio: "pipe"
    })
    const bothGone = new Promise((ended) => parent.stderr.resume().once("end", ended))
    const answered = new Promise((said) => parent.stdout.once("data", said))
    parent.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" })}\n`)
    await answered
    parent.kill("SIGKILL")
    await bothGone
    expect(parent.stdin.writableEnded).toBe(false)
  })
})

describe("the library's own client", () => {
  it("lists, calls and closes", async () => {
    const client = new Client({ name: "test-client", version: "1" })
    const env = Object.fromEntries(
      Object.entries(environment()).filter((entry): entry is [string, string] => entry[1] !== undefined)
    )
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [main, "mcp", "--dir", small()],
        env,
        stderr: "ignore"
      })
    )
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(names)
    const result = await client.callTool({ name: "search", arguments: { query: "greet" } })
    expect((result.structuredContent as any).results[0].id).toBe("lib/greet.ts::greet")
    await client.close()
  }, 40_000)
})
