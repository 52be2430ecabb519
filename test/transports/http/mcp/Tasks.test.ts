/** Tasks and keys over Streamable HTTP, and what the contract over HTTP has of the same jobs. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import {
  CallToolResultSchema,
  CreateTaskResultSchema,
  ProgressNotificationSchema,
  TaskStatusNotificationSchema
} from "@modelcontextprotocol/sdk/types.js"
import type { Task } from "@modelcontextprotocol/sdk/types.js"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { repository, run, type Running, tokens } from "../contract/running.ts"

let server: Running
const clients: Array<Client> = []
const open = async (token?: string): Promise<Client> => {
  const client = new Client({ name: "claude-code", version: "1" })
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
      requestInit: { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } }
    }) as never
  )
  clients.push(client)
  return client
}

let caller: Client
beforeAll(async () => {
  const top = repository()
  mkdirSync(join(top, "many"))
  for (let at = 0; at < 150; at++)
    writeFileSync(
      join(top, "many", `m${at}.ts`),
      Array.from({ length: 30 }, (_, n) => `export const f${at}_${n} = (x: number) => x + ${n}\n`).join("")
    )
  server = await run({ top })
  caller = await open(tokens.caller)
}, 120_000)
afterAll(async () => {
  for (const client of clients) await client.close()
  await server.close()
})

const index = { name: "workspace_admin", arguments: { operation: "index", path: "." } }
const begin = async (client: Client, params: object, options: object = {}): Promise<Task> =>
  (
    await client.request({ method: "tools/call", params: params as never }, CreateTaskResultSchema, {
      task: {},
      ...options
    })
  ).task
const codeOf = (request: Promise<unknown>): Promise<unknown> =>
  request.then(
    (value) => value,
    (cause: { readonly code: number }) => cause.code
  )

describe("a task over HTTP", () => {
  it("is told of, waited for, and is the job that the contract tells of", async () => {
    const ends: Array<unknown> = []
    const steps: Array<unknown> = []
    caller.setNotificationHandler(TaskStatusNotificationSchema, ({ params }) => void ends.push(params))
    const task = await begin(caller, index, { onprogress: (step: unknown) => void steps.push(step) })
    expect(task.status).toBe("working")
    // Another session of the same caller waits as well.
    const other = await open(tokens.caller)
    const [result, same] = await Promise.all(
      [caller, other].map((client) =>
        client.experimental.tasks.getTaskResult(task.taskId, CallToolResultSchema, { timeout: 60_000 })
      )
    )
    expect(result?.isError).toBeUndefined()
    expect(same).toEqual(result)
    expect(steps.length).toBeGreaterThan(0)
    await vi.waitFor(() => expect(ends).toMatchObject([{ taskId: task.taskId, status: "completed" }]), 10_000)
    const { body, status } = await server.get(`/api/cos/tools/jobs/${task.taskId}`, "approver")
    expect([status, body]).toMatchObject([
      200,
      { id: task.taskId, status: "completed", name: "workspace_admin.index", createdAt: task.createdAt }
    ])
  })

  it("sends its progress with the answer of the one who waits for it", async () => {
    const { url } = server
    const headers = {
      authorization: `Bearer ${tokens.caller}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream"
    }
    const post = (message: object, more: object = {}) =>
      fetch(`${url}/mcp`, {
        method: "POST",
        headers: { ...headers, ...more },
        body: JSON.stringify({ jsonrpc: "2.0", ...message })
      })
    // Nothing listens here but the requests themselves.
    const opened = await post({
      id: 1,
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } }
    })
    await opened.text()
    const session = { "mcp-session-id": opened.headers.get("mcp-session-id") as string }
    await post({ method: "notifications/initialized" }, session)
    const parts = async (response: Response): Promise<ReadonlyArray<any>> =>
      [...(await response.text()).matchAll(/^data: (\{.*)$/gm)].map(([, data]) => JSON.parse(data as string))
    const begun = await parts(
      await post(
        { id: 2, method: "tools/call", params: { ...index, task: {}, _meta: { progressToken: "p" } } },
        session
      )
    )
    const { taskId } = begun.at(-1).result.task
    const told = await parts(await post({ id: 3, method: "tasks/result", params: { taskId } }, session))
    expect(told.at(-1)).toMatchObject({ id: 3, result: { structuredContent: expect.any(Object) } })
    const progress = told.slice(0, -1)
    expect(progress.length).toBeGreaterThan(0)
    for (const message of progress)
      expect(ProgressNotificationSchema.parse(message).params).toMatchObject({
        progressToken: "p",
        _meta: { "io.modelcontextprotocol/related-task": { taskId } }
      })
  })

  it("is cancelled by any session of its caller, and by nobody else", async () => {
    const task = await begin(caller, index)
    const [stranger, nobody] = [await open(tokens.approver), await open()]
    for (const client of [stranger, nobody]) {
      const { tasks } = client.experimental
      expect(await codeOf(tasks.getTask(task.taskId))).toBe(-32602)
      expect(await codeOf(tasks.getTaskResult(task.taskId))).toBe(-32602)
      expect(await codeOf(tasks.cancelTask(task.taskId))).toBe(-32602)
      expect((await tasks.listTasks()).tasks).toEqual([])
    }
    const other = await open(tokens.caller)
    expect((await other.experimental.tasks.listTasks()).tasks.map(({ taskId }) => taskId)).toContain(
      task.taskId
    )
    expect((await other.experimental.tasks.cancelTask(task.taskId)).status).toBe("cancelled")
    expect((await caller.experimental.tasks.getTask(task.taskId)).status).toBe("cancelled")
  })

  it("may be begun and looked for without a session, by a caller who is known again", async () => {
    const alone = async (method: string, params: object, headers: { readonly [name: string]: string }) => {
      const response = await fetch(`${server.url}/mcp`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "portico-stateless": "1",
          ...headers
        },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method,
          params: {
            ...params,
            _meta: { "io.modelcontextprotocol/clientInfo": { name: "claude-code", version: "1" } }
          }
        })
      })
      const text = await response.text()
      return JSON.parse(/^data: (\{.*)$/m.exec(text)?.[1] ?? text)
    }
    const known = { authorization: `Bearer ${tokens.caller}`, "mcp-protocol-version": "2025-11-25" }
    const { task } = (await alone("tools/call", { ...index, task: {} }, known)).result
    expect(task.status).toBe("working")
    expect((await alone("tasks/cancel", { taskId: task.taskId }, known)).result.status).toBe("cancelled")
    const nobody = { "mcp-protocol-version": "2025-11-25" }
    expect((await alone("tasks/get", { taskId: task.taskId }, nobody)).error.code).toBe(-32601)
    const older = { ...known, "mcp-protocol-version": "2025-06-18" }
    expect((await alone("tasks/get", { taskId: task.taskId }, older)).error.code).toBe(-32601)
    const listed = async (headers: { readonly [name: string]: string }) =>
      (await alone("tools/list", {}, headers)).result.tools.filter(
        ({ execution }: any) => execution !== undefined
      )
    expect((await listed(known)).length).toBeGreaterThan(0)
    expect(await listed(older)).toEqual([])
    expect(await listed(nobody)).toEqual([])
  })
})

describe("a key over HTTP", () => {
  it("has a call made once, for the caller whose key it is", async () => {
    const file = join(server.folder, "README.md")
    const edit = (replacement: string) => ({
      name: "edit",
      arguments: { operation: "file", target: { file: "README.md" }, match: "# Greetings", replacement },
      _meta: { "portico/idempotency_key": "readme-1" }
    })
    const first = await caller.callTool(edit("# Hello"))
    expect(first._meta?.["portico"]).toBeUndefined()
    expect(readFileSync(file, "utf8")).toBe("# Hello\n")
    writeFileSync(file, "# Greetings\n")
    const again = await (await open(tokens.caller)).callTool(edit("# Hello"))
    expect(again._meta?.["portico"]).toEqual({ duplicate: true })
    expect(again.structuredContent).toEqual(first.structuredContent)
    expect(readFileSync(file, "utf8")).toBe("# Greetings\n")
    const other = await caller.callTool(edit("# Bye"))
    expect(other.structuredContent).toMatchObject({ error_code: "idempotency_conflict" })
    // A caller of the contract is another one, though the token is the same.
    expect((await server.get("/api/cos/tools/calls/readme-1")).status).toBe(404)
    const approver = await (await open(tokens.approver)).callTool(edit("# Bye"))
    expect(approver.isError).toBeUndefined()
    expect(readFileSync(file, "utf8")).toBe("# Bye\n")
  })

  it("is said to be wrong where it is", async () => {
    const wrong = caller.callTool({
      name: "read",
      arguments: { target: { file: "README.md" } },
      _meta: { "portico/idempotency_key": "two words" }
    })
    expect(await codeOf(wrong)).toBe(-32602)
  })
})

describe("a call the contract turns away by itself", () => {
  const rowsOf = async (name: string, args: object, code: string) => {
    const before = await server.engine.ledger.last()
    expect((await server.call(name, args)).body.code).toBe(code)
    return (await server.engine.ledger.rows(before, 10)).map(
      ({ canonical_tool, decision, effect, layer, operation, outcome, stage }) => ({
        canonical_tool,
        decision,
        effect,
        layer,
        operation,
        outcome,
        stage
      })
    )
  }

  it("is written down, without a name that is none of ours", async () => {
    const row = {
      canonical_tool: "unknown",
      decision: "refused",
      effect: undefined,
      operation: "unknown",
      outcome: "unknown_tool",
      stage: "admission"
    }
    for (const name of ["no.such.tool", "edit", "secret-in-a-name"])
      expect(await rowsOf(name, {}, "TOOL_NOT_FOUND")).toEqual([
        { ...row, layer: "facade" },
        { ...row, layer: "target" }
      ])
  })

  it("is written down with where it would have led", async () => {
    const args = { operation: "symbol" }
    const [first, target] = await rowsOf("edit.file", args, "TOOL_VALIDATION_ERROR")
    expect([first, target]).toMatchObject([
      {
        layer: "facade",
        operation: "file",
        effect: "local_write",
        outcome: "invalid_argument",
        stage: "decode"
      },
      { layer: "target", canonical_tool: "edit_file", stage: "decode" }
    ])
    server.settings({ grants: { ui: ["read"] } })
    const [, denied] = await rowsOf("edit.file", args, "TOOL_CAPABILITY_DENIED")
    server.settings({})
    expect(denied).toMatchObject({ outcome: "permission_denied", stage: "authority" })
  })
})
