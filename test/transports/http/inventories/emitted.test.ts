import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import {
  CallToolResultSchema,
  CreateTaskResultSchema,
  type JSONRPCMessage
} from "@modelcontextprotocol/sdk/types.js"
import { Ajv2020 } from "ajv/dist/2020.js"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { events } from "../../../../src/transports/http/inventories/events.ts"
import { run, type Running, tokens } from "./running.ts"

const ajv = new Ajv2020({ strict: false })
const checks = new Map(events.map((note) => [`${note.direction} ${note.event}`, ajv.compile(note.payload)]))

/** What is wrong with an event that was sent or taken; undefined when nothing is. */
const complaint = (direction: string, event: string, payload: unknown): string | undefined => {
  const check = checks.get(`${direction} ${event}`)
  if (check === undefined) return `${event} is not listed`
  return check(payload)
    ? undefined
    : `${event}: ${ajv.errorsText(check.errors)} in ${JSON.stringify(payload)}`
}

describe("what a running server sends", () => {
  let server: Running
  beforeAll(async () => {
    // Enough to read that it is worth a word.
    const files = Array.from({ length: 300 }, (_, at) => [`many/f${at}.ts`, `export const f${at} = ${at}\n`])
    server = await run({ files: Object.fromEntries(files) })
  })
  afterAll(() => server.close())

  const job = async (requestId: string, name: string, args: object) => {
    const started = await fetch(`${server.url}/api/cos/tools/call`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${tokens.caller}`,
        "content-type": "application/json",
        prefer: "respond-async"
      },
      body: JSON.stringify({ requestId, name, arguments: args })
    })
    const result = (await started.json()) as { readonly job: { readonly eventsUrl: string } }
    const stream = await fetch(server.url + result.job.eventsUrl, {
      headers: { authorization: `Bearer ${tokens.caller}` }
    })
    return [...(await stream.text()).matchAll(/^event: (.*)\ndata: (.*)$/gm)].map(([, event, data]) => ({
      event: event as string,
      data: JSON.parse(data as string) as { readonly phase: string }
    }))
  }

  it("of the protocol is listed, and so is what it takes", async () => {
    const transport = new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
      requestInit: { headers: { authorization: `Bearer ${tokens.caller}` } }
    })
    const told: Array<readonly [direction: string, message: JSONRPCMessage]> = []
    const send = transport.send.bind(transport)
    transport.send = (message, options) => {
      for (const one of [message].flat()) told.push(["client-to-server", one])
      return send(message, options)
    }
    const client = new Client({ name: "emitted", version: "1" })
    await client.connect(transport)
    const receive = transport.onmessage
    transport.onmessage = (message) => {
      told.push(["server-to-client", message])
      receive?.(message)
    }
    const stop = new AbortController()
    await client.callTool({ name: "search", arguments: { query: "f7" } }, undefined, {
      onprogress: () => {}
    })
    const left = client.callTool(
      { name: "search", arguments: { operation: "text", query: "greet" } },
      undefined,
      {
        signal: stop.signal
      }
    )
    stop.abort()
    await left.catch(() => {})
    const { task } = await client.request(
      { method: "tools/call", params: { name: "workspace_admin", arguments: { operation: "reindex" } } },
      CreateTaskResultSchema,
      { task: {}, onprogress: () => {} }
    )
    await client.experimental.tasks.getTaskResult(task.taskId, CallToolResultSchema)
    await vi.waitFor(() => expect(JSON.stringify(told)).toContain("notifications/tasks/status"), 10_000)
    for (const channel of ["workspace_readiness", "graph_invalidated"])
      await client.callTool({ name: "session", arguments: { operation: "subscribe", channel } })
    writeFileSync(join(server.folder, "many/f7.ts"), "export const f7 = 8\n")
    await vi.waitFor(() => expect(JSON.stringify(told)).toContain('many/f7.ts","kind":"modified'), 10_000)
    await client.close()
    const notifications = told.filter(([, message]) => "method" in message && !("id" in message))
    for (const [direction, message] of notifications)
      expect(complaint(direction, (message as { readonly method: string }).method, message)).toBeUndefined()
    expect(
      new Set(notifications.map(([, message]) => (message as { readonly method: string }).method))
    ).toEqual(
      new Set([
        "notifications/initialized",
        "notifications/progress",
        "notifications/cancelled",
        "notifications/tasks/status",
        "notifications/workspace_readiness",
        "notifications/graph_invalidated"
      ])
    )
  })

  it("of a job is listed and has the shape that is listed", async () => {
    const done = await job("emitted-1", "workspace_admin.reindex", {})
    const failed = await job("emitted-2", "read.file", { target: { file: "none.ts" } })
    for (const { data, event } of [...done, ...failed]) {
      expect(complaint("server-to-client", event, data)).toBeUndefined()
      expect(data.phase).toBe(event)
    }
    expect(done.at(-1)?.event).toBe("completed")
    expect(failed.at(-1)?.event).toBe("failed")
  })
})
