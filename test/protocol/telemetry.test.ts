/** What the built server counts of a session, and that it does so only where somebody agreed. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import * as path from "node:path"
import { beforeAll, describe, expect, it } from "vitest"
import { Days } from "../../src/telemetry/Days.ts"
import { build, environment, folder, main, Server } from "./server.ts"

beforeAll(build, 120_000)

const files = { "src/a.ts": "export const one = 1\n", "src/b.go": "package b\n" }

/** A short session from beginning to end, with its environment. */
const session = async (env: NodeJS.ProcessEnv, client: string) => {
  const server = new Server(folder(files), [], env)
  await server.open(client)
  // A client may list its tools more than once.
  await server.request("tools/list")
  await server.request("tools/list")
  await server.call("search", { operation: "symbols", query: "one" })
  await server.call("read", { operation: "file", target: { file: "src/nothing.ts" } })
  server.child.stdin.end()
  expect(await server.ended).toBe(0)
}

const home = (env: NodeJS.ProcessEnv) => path.join(env["PORTICO_HOME"] as string, "telemetry")
const bare = (): NodeJS.ProcessEnv => {
  const {
    DO_NOT_TRACK: _,
    GORTEX_TELEMETRY: __,
    PORTICO_TELEMETRY: ___,
    XDG_CONFIG_HOME: ____,
    ...env
  } = environment()
  return env
}

describe("a session of the built server", () => {
  it("leaves no count behind by itself", async () => {
    const env = bare()
    await session(env, "claude-code")
    expect(existsSync(home(env))).toBe(false)
  })

  it("is counted with what it was shown and what it did, where somebody agreed", async () => {
    const env = { ...bare(), PORTICO_TELEMETRY: "on" }
    await Promise.all([session(env, "claude-code/2.0"), session(env, "an unheard-of client")])
    const counted = new Days(home(env)).readAll("sent")
    const { index, index_lang, mcp_facade_latency, surface_bytes, surface_schema, ...rest } = counted
    expect(rest).toEqual({
      client: { "claude-code": 1, other: 1 },
      daemon_session: { stdio: 2 },
      mcp_facade_call: { "read.file": 2, "search.symbols": 2 },
      mcp_facade_outcome: { success: 2, tool_error: 2 },
      mcp_facade_status: { error: 2, ok: 2 },
      mcp_tool_call: { read: 2, search: 2 },
      surface: { compact: 2 },
      surface_tools: { "20-49": 2 }
    })
    expect(index).toEqual({ "<100": 2 })
    expect(index_lang).toEqual({ go: 2, typescript: 2 })
    expect(Object.values(mcp_facade_latency ?? {}).reduce((sum, count) => sum + count, 0)).toBe(4)
    expect(surface_bytes).toEqual({ "4k-12k": 2 })
    expect(Object.entries(surface_schema ?? {})).toEqual([[expect.stringMatching(/^[0-9a-f]{8}$/), 2]])
    expect(new Days(home(env)).readAll("local")).toEqual({
      direct_read: { failure: 2 },
      first_useful: { "1": 2 }
    })
  })

  it("over HTTP is counted the same, and its way in is told", async () => {
    const env = { ...bare(), PORTICO_TELEMETRY: "1" }
    const child = spawn(process.execPath, [main, "serve", "--dir", folder(files), "--port", "0"], { env })
    const ended = once(child, "exit")
    try {
      let said = ""
      while (!said.includes("tokens:")) said += String((await once(child.stdout, "data"))[0])
      const [, address] = /(http:\/\/\S+)/.exec(said) ?? []
      const [, file] = /tokens: (\S+)/.exec(said) ?? []
      let session: string | undefined
      const say = async (message: object) => {
        const response = await fetch(`${address}/mcp`, {
          method: "POST",
          headers: {
            authorization: `Bearer ${readFileSync(file as string, "utf8").trim()}`,
            "content-type": "application/json",
            accept: "application/json, text/event-stream",
            ...(session === undefined ? {} : { "mcp-session-id": session })
          },
          body: JSON.stringify({ jsonrpc: "2.0", ...message })
        })
        session ??= response.headers.get("mcp-session-id") ?? undefined
        return response.text()
      }
      await say({
        id: 1,
        method: "initialize",
        params: {
          protocolVersion: "2025-06-18",
          capabilities: {},
          clientInfo: { name: "cursor", version: "1" }
        }
      })
      await say({ method: "notifications/initialized" })
      await say({ id: 2, method: "tools/list" })
      await say({ id: 3, method: "tools/list" })
      await say({
        id: 4,
        method: "tools/call",
        params: { name: "search", arguments: { operation: "symbols", query: "one" } }
      })
    } finally {
      child.kill("SIGTERM")
    }
    await ended
    const counted = new Days(home(env)).readAll("sent")
    expect(counted).toMatchObject({
      cli_command: { serve: 1 },
      client: { cursor: 1 },
      daemon_session: { mcp_http: 1 },
      mcp_facade_call: { "search.symbols": 1 },
      surface: { compact: 1 }
    })
  })
})
