/** A refusal at each stage from every way in: what was refused is the same, and nothing behind the stage ran. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest"
import { auditOf, inspect, openEngine, openRecords } from "../../src/layers.ts"
import { serialize } from "../../src/pipeline/ResultText.ts"
import type { Engine } from "../../src/pipeline/Engine.ts"
import { compact } from "../../src/surface/Selection.ts"
import { roster } from "../../src/surface/Tools.ts"
import { run } from "../../src/transports/cli/run.ts"
import { Opening } from "../../src/transports/http/Opening.ts"
import { listen, type Listening } from "../../src/transports/http/Server.ts"
import { Tokens } from "../../src/transports/http/Tokens.ts"
import { connect } from "../../src/transports/mcp/Connection.ts"
import { StdioTransport } from "../../src/transports/mcp/Stdio.ts"

const made: Array<string> = []
const folder = (): string => {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), "portico-doors-")))
  made.push(directory)
  return directory
}

type Answer = { readonly [key: string]: any }
type Ask = (tool: string, args: { readonly [key: string]: unknown }, requestId: string) => Promise<Answer>

const token = "caller-token-0123456789"
let directory = ""
let settings = ""
let engine: Engine
let listening: Listening
/** Each way in, by the name the record has for it. */
const ways = {} as { [door: string]: Ask }
const closing: Array<() => Promise<unknown>> = []

const settle = (text: string) => writeFileSync(settings, text)

beforeAll(async () => {
  process.env["PORTICO_HOME"] = folder()
  settings = join(folder(), "effectrc")
  process.env["PORTICO_CONFIG"] = settings
  settle("{}")
  directory = folder()
  writeFileSync(join(directory, "a.txt"), "one\n")
  engine = await openEngine({ directory, watch: false })
  await engine.warm()

  const input = new PassThrough()
  const waiting = new Map<number, (message: Answer) => void>()
  const transport = new StdioTransport(input, ((text: string) => {
    for (const line of String(text).split("\n"))
      if (line !== "") {
        const message = JSON.parse(line) as Answer
        waiting.get(message["id"])?.(message)
      }
    return true
  }) as never)
  engine.openSession("stdio")
  const connected = await connect(
    transport,
    {
      version: "0",
      instructions: "",
      tools: roster,
      select: () => ({ ...compact, source: "client" }) as never,
      engine: async () => engine,
      session: "stdio",
      onQuiet: () => {}
    },
    serialize
  )
  closing.push(() => connected.close())
  let id = 0
  const request = (method: string, params: object) =>
    new Promise<Answer>((resolve) => {
      waiting.set(++id, resolve)
      input.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`)
    })
  await request("initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1" }
  })
  input.write(`${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n`)
  ways["stdio"] = async (name, args) => {
    const { error, result } = await request("tools/call", { name, arguments: args })
    return result?.structuredContent ?? { error_code: "unknown_tool", message: error.message }
  }

  listening = await listen({
    engine: Opening.of(engine),
    access: {
      tokens: new Tokens({ caller: token, approver: "approver-token-0123456789" }),
      loopback: true,
      hosts: [],
      origins: []
    },
    version: "0",
    log: () => {},
    host: "127.0.0.1",
    port: 0
  })
  const base = `http://127.0.0.1:${listening.address.port}`
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
  const client = new Client({ name: "claude-code", version: "1" })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${base}/mcp`), { requestInit: { headers } }) as never
  )
  closing.push(() => client.close())
  ways["mcp_http"] = async (name, args) => {
    try {
      return (await client.callTool({ name, arguments: args })).structuredContent as Answer
    } catch (cause) {
      return { error_code: "unknown_tool", message: String(cause) }
    }
  }
  ways["http"] = async (name, args, requestId) => {
    const response = await fetch(`${base}/api/cos/tools/call`, {
      method: "POST",
      headers,
      body: JSON.stringify({ requestId, name, arguments: args })
    })
    return { status: response.status, ...((await response.json()) as object) }
  }
  ways["agent_context"] = async (name, args) => {
    const response = await fetch(`${base}/api/agent-context/mcp`, {
      method: "POST",
      headers: { ...headers, accept: "application/json, text/event-stream" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } })
    })
    return (await response.json()) as Answer
  }
  ways["cli"] = async (tool, args) => {
    let out = ""
    let err = ""
    vi.spyOn(process.stdout, "write").mockImplementation((text) => {
      out += String(text)
      return true
    })
    vi.spyOn(process.stderr, "write").mockImplementation((text) => {
      err += String(text)
      return true
    })
    await run(["call", tool, "--json", JSON.stringify(args), "--format", "json", "--dir", directory], {
      version: "0",
      loadEngine: async () => async () => ({ ...engine, close: async () => {} }),
      loadRecords: async () => openRecords,
      loadInspect: async () => inspect,
      loadAudit: async () => auditOf as never
    })
    vi.restoreAllMocks()
    return out === "" ? { error_code: "unknown_tool", message: err } : JSON.parse(out)
  }
}, 120_000)

afterEach(() => settle("{}"))
afterAll(async () => {
  for (const close of closing) await close()
  await listening.close()
  await engine.close()
  delete process.env["PORTICO_HOME"]
  delete process.env["PORTICO_CONFIG"]
  for (const one of made) rmSync(one, { recursive: true, force: true })
})

const good = { operation: "file", target: { file: "a.txt" }, match: "one", replacement: "two" }
const readOnly = { agent: ["read"], ui: ["read"], cli: ["read"], federation: ["read"] }

let asked = 0

describe.each(["stdio", "mcp_http", "http", "cli"] as const)("by %s", (door) => {
  // The contract over HTTP knows operations by their own names, the other doors by tool and operation.
  const tool = door === "http" ? "edit.file" : "edit"
  const { operation: _, ...bare } = good
  const args = door === "http" ? bare : good

  for (const [stage, configured, name, given, code] of [
    ["admission", {}, "no_such_tool", {}, /unknown_tool|TOOL_NOT_FOUND|NOT_FOUND/],
    ["decode", {}, tool, { ...args, nothing_known: 1 }, /invalid_argument|VALIDATION_ERROR/],
    ["authority", { grants: readOnly }, tool, args, /permission_denied|PERMISSION|FORBIDDEN|DENIED/],
    ["approval", { approvals: { mode: "inspect" } }, tool, args, /approval_required|confirmation_required/]
  ] as const)
    it(`a call refused at ${stage} reaches nothing behind it`, async () => {
      // Nobody asks the person at the command line.
      if (stage === "approval" && door === "cli") return
      settle(JSON.stringify(configured))
      const before = await engine.ledger.last()
      const questions = (await engine.approvals.list()).length
      const requestId = `door-${door}-${++asked}`
      const answer = await (ways[door] as Ask)(name, given, requestId)
      expect(JSON.stringify(answer)).toMatch(code)
      expect(readFileSync(join(directory, "a.txt"), "utf8")).toBe("one\n")
      const rows = await engine.ledger.rows(before, 100)
      expect(rows.map(({ layer }) => layer)).toEqual(["facade", "target"])
      expect(rows.at(-1)).toMatchObject({
        door,
        stage,
        state_changed: false,
        decision: stage === "approval" ? "pending" : "refused",
        // A name that is none of ours is not repeated.
        ...(stage === "admission" ? { facade: "unknown", canonical_tool: "unknown" } : {})
      })
      expect(rows.filter(({ outcome }) => outcome === "begun")).toEqual([])
      expect((await engine.approvals.list()).length - questions).toBe(stage === "approval" ? 1 : 0)
    })
})

describe("by http", () => {
  it("a call whose id belongs to other content is refused where calls run once", async () => {
    const requestId = "door-once"
    const first = await (ways["http"] as Ask)("read.file", { target: { file: "a.txt" } }, requestId)
    expect(first["status"]).toBe(200)
    const second = await (ways["http"] as Ask)("read.file", { target: { file: "b.txt" } }, requestId)
    expect(second["status"]).toBe(409)
    expect((await engine.ledger.rows(0, 1000)).at(-1)).toMatchObject({
      door: "http",
      stage: "idempotency",
      decision: "refused",
      outcome: "idempotency_conflict"
    })
  })
})

describe("by agent_context", () => {
  it("what is turned away before it is a call of the pipeline is written down as well", async () => {
    settle(
      JSON.stringify({
        agent_context: { enabled: true, profile: "summary", actions: { read: true } }
      })
    )
    for (const [stage, tool, args, outcome, operation] of [
      ["admission", "no_such_tool", {}, "unknown_tool", "unknown"],
      ["decode", "context_profile", { nothing_known: 1 }, "invalid_argument", "unknown"],
      ["decode", "search.symbols", { query: "a", operation: "text" }, "invalid_argument", "symbols"],
      [
        "authority",
        "edit.file",
        { target: good.target, match: "one", replacement: "two" },
        "permission_denied",
        "file"
      ]
    ] as const) {
      const before = await engine.ledger.last()
      const answer = await (ways["agent_context"] as Ask)(tool, args, "")
      expect("error" in answer || answer["result"].isError).toBe(true)
      const rows = await engine.ledger.rows(before, 10)
      expect(rows.map(({ layer }) => layer)).toEqual(["facade", "target"])
      expect(rows.at(-1)).toMatchObject({
        door: "agent_context",
        stage,
        decision: "refused",
        outcome,
        operation,
        state_changed: false
      })
      expect(rows.filter(({ outcome }) => outcome === "begun")).toEqual([])
    }
    expect(readFileSync(join(directory, "a.txt"), "utf8")).toBe("one\n")
  })
})

describe("every door", () => {
  it("lets the same call through once it may pass", async () => {
    for (const door of ["stdio", "mcp_http", "http", "cli"]) {
      writeFileSync(join(directory, "a.txt"), "one\n")
      const answer = await (ways[door] as Ask)(
        door === "http" ? "edit.file" : "edit",
        door === "http" ? { target: good.target, match: "one", replacement: "two" } : good,
        `door-pass-${door}`
      )
      expect([door, readFileSync(join(directory, "a.txt"), "utf8"), JSON.stringify(answer)]).toEqual([
        door,
        "two\n",
        expect.stringContaining("applied")
      ])
      expect((await engine.ledger.rows(0, 1000)).at(-1)).toMatchObject({
        door,
        layer: "target",
        outcome: "ok"
      })
    }
  })
})
