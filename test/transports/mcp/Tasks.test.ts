/** Calls as tasks, and calls with a key, as the library's own client makes them. */
import { CallToolResultSchema, CreateTaskResultSchema } from "@modelcontextprotocol/sdk/types.js"
import type { Task } from "@modelcontextprotocol/sdk/types.js"
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openEngine } from "../../../src/layers.ts"
import type { Engine } from "../../../src/pipeline/Engine.ts"
import type { Principal } from "../../../src/policy/Principal.ts"
import { roster } from "../../../src/surface/Tools.ts"
import { type Linked, linked } from "./linked.ts"

const home = realpathSync(mkdtempSync(join(tmpdir(), "portico-tasks-")))
const top = join(home, "repo")
const settings = join(home, "effectrc")
const settle = (value: object) => writeFileSync(settings, JSON.stringify(value))
const write = (name: string, text: string) => {
  mkdirSync(dirname(join(top, name)), { recursive: true })
  writeFileSync(join(top, name), text)
}

let engine: Engine
let one: Linked
const opened: Array<Linked> = []
const open = async (...options: Parameters<typeof linked> extends [unknown, ...infer R] ? R : never) => {
  const made = await linked(engine, ...options)
  opened.push(made)
  return made
}

beforeAll(async () => {
  process.env["PORTICO_HOME"] = join(home, "state")
  process.env["XDG_CACHE_HOME"] = join(home, "cache")
  process.env["PORTICO_CONFIG"] = settings
  settle({})
  for (let at = 0; at < 150; at++)
    write(
      `many/m${at}.ts`,
      Array.from({ length: 30 }, (_, n) => `export const f${at}_${n} = (x: number) => x + ${n}\n`).join("")
    )
  write("a.txt", "one\n")
  engine = await openEngine({ directory: top, watch: false })
  one = await open({ session: "one" })
}, 120_000)
afterAll(async () => {
  for (const each of opened) await each.close()
  await engine.close()
  for (const name of ["PORTICO_HOME", "XDG_CACHE_HOME", "PORTICO_CONFIG"]) delete process.env[name]
  rmSync(home, { recursive: true, force: true })
})

const index = { name: "workspace_admin", arguments: { operation: "index", path: "." } }
const edit = (more: object = {}) => ({
  name: "edit",
  arguments: { operation: "file", target: { file: "a.txt" }, match: "one", replacement: "two", ...more }
})

/** Makes a call as a task and answers the task as it was then. */
const begin = async (
  { client }: Linked,
  params: { readonly name: string; readonly arguments: object; readonly _meta?: object },
  onprogress?: (step: { readonly progress: number }) => void
): Promise<{ readonly task: Task; readonly meta: any }> => {
  const { _meta, task } = await client.request(
    { method: "tools/call", params: params as never },
    CreateTaskResultSchema,
    { task: { ttl: 60_000 }, ...(onprogress === undefined ? {} : { onprogress }) }
  )
  return { task, meta: _meta }
}

const resultOf = ({ client }: Linked, task: Task): Promise<any> =>
  client.experimental.tasks.getTaskResult(task.taskId, CallToolResultSchema, { timeout: 60_000 })

/** The error a request is answered with. */
const errorOf = (request: Promise<unknown>): Promise<{ readonly code: number; readonly message: string }> =>
  request.then(
    (value) => {
      throw new Error(`answered ${JSON.stringify(value)}`)
    },
    (cause: { readonly code: number; readonly message: string }) => cause
  )

describe("a call as a task", () => {
  it("is answered with a task at once, which works, is followed and comes to what the call would have", async () => {
    const steps: Array<number> = []
    const { meta, task } = await begin(one, index, ({ progress }) => void steps.push(progress))
    expect(task).toMatchObject({
      taskId: expect.stringMatching(/^job_[\w-]{22}$/),
      status: "working",
      ttl: 7 * 24 * 3_600_000,
      pollInterval: 1000
    })
    expect(meta["io.modelcontextprotocol/model-immediate-response"]).toContain(task.taskId)
    expect(await one.client.experimental.tasks.getTask(task.taskId)).toMatchObject({
      taskId: task.taskId,
      status: "working",
      createdAt: task.createdAt
    })
    const result = await resultOf(one, task)
    expect(result.isError).toBeUndefined()
    expect(result._meta["io.modelcontextprotocol/related-task"]).toEqual({ taskId: task.taskId })
    expect(result._meta.gortex_facade).toMatchObject({
      facade: "workspace_admin",
      operation: "index",
      canonical_tool: "index_repository"
    })
    const done = await one.client.experimental.tasks.getTask(task.taskId)
    expect(done.status).toBe("completed")
    expect(done.lastUpdatedAt >= done.createdAt).toBe(true)
    // It is a job like those begun by another way in, whose last event has the same result.
    const job = await engine.jobs.get(task.taskId)
    expect(job).toMatchObject({ operation: "workspace_admin.index", state: "completed" })
    const events = []
    for await (const event of engine.jobs.events(task.taskId, 0)) events.push(event)
    expect(result.structuredContent).toEqual(events.at(-1)?.result)
    expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent)
    // What was reported on the way was told to the one who asked for it, and that it is over to whoever began it.
    expect(steps.length).toBeGreaterThan(0)
    expect(steps).toEqual(steps.toSorted((a, b) => a - b))
    const told = one.seen.filter((message) => "method" in message && !("id" in message)) as Array<any>
    expect(
      told
        .filter(({ method }) => method === "notifications/progress")
        .every(({ params }) => params._meta["io.modelcontextprotocol/related-task"].taskId === task.taskId)
    ).toBe(true)
    expect(
      told.filter(
        ({ method, params }) => method === "notifications/tasks/status" && params.taskId === task.taskId
      )
    ).toMatchObject([{ params: { status: "completed" } }])
    // Its result can be had again, and stopping it comes too late.
    expect(await resultOf(one, task)).toEqual(result)
    const late = await errorOf(one.client.experimental.tasks.cancelTask(task.taskId))
    expect([late.code, late.message]).toEqual([-32602, expect.stringContaining("completed already")])
  })

  it("is what the client's own stream of a call makes of it", async () => {
    await one.client.listTools()
    const seen: Array<string> = []
    for await (const message of one.client.experimental.tasks.callToolStream(edit({ dry_run: true }))) {
      seen.push(message.type)
      if (message.type === "result")
        expect(message.result).toMatchObject({ structuredContent: { dry_run: true } })
    }
    expect([seen[0], seen.at(-1)]).toEqual(["taskCreated", "result"])
    expect(readFileSync(join(top, "a.txt"), "utf8")).toBe("one\n")
  })

  it("can be cancelled, and says why it is over", async () => {
    const { task } = await begin(one, index)
    const waiting = resultOf(one, task)
    const stopped = await one.client.experimental.tasks.cancelTask(task.taskId)
    expect(stopped).toMatchObject({ taskId: task.taskId, status: "cancelled" })
    expect(stopped.statusMessage).toContain("cancelled the task")
    expect(await waiting).toMatchObject({ isError: true, structuredContent: { error_code: "cancelled" } })
    const twice = await errorOf(one.client.experimental.tasks.cancelTask(task.taskId))
    expect([twice.code, twice.message]).toEqual([-32602, expect.stringContaining("cancelled already")])
  })

  it("that is refused has failed, with the refusal as its result", async () => {
    settle({ grants: { agent: ["read"] } })
    const { task } = await begin(one, index)
    settle({})
    expect(task.status).toBe("failed")
    expect(task.statusMessage).toContain("workspace_admin.index")
    expect(await resultOf(one, task)).toMatchObject({
      isError: true,
      structuredContent: { error_code: "permission_denied", state_changed: false }
    })
    const wrong = await begin(one, { name: "workspace_admin", arguments: { operation: "index", nothing: 1 } })
    expect(await resultOf(one, wrong.task)).toMatchObject({
      isError: true,
      structuredContent: { error_code: "invalid_argument" },
      _meta: { gortex_facade: { facade: "workspace_admin", operation: "index" } }
    })
    settle({ approvals: { mode: "inspect" } })
    const asked = await begin(one, index)
    settle({})
    expect(asked.task.status).toBe("failed")
    expect((await resultOf(one, asked.task)).structuredContent.error_code).toBe("approval_required")
  })

  it("is refused to tools that say they have none, and an unknown tool is unknown", async () => {
    const read = { name: "read", arguments: { target: { file: "a.txt" } } }
    const refused = await errorOf(begin(one, read))
    expect([refused.code, refused.message]).toEqual([-32601, expect.stringContaining("read cannot be tasks")])
    const unknown = await errorOf(begin(one, { name: "no_such_tool", arguments: {} }))
    expect([unknown.code, unknown.message]).toEqual([-32602, expect.stringContaining("no_such_tool")])
  })

  it("that is not there cannot be looked at", async () => {
    const { tasks } = one.client.experimental
    for (const id of ["job_none", "", "'; --"])
      for (const request of [tasks.getTask(id), tasks.getTaskResult(id), tasks.cancelTask(id)])
        expect((await errorOf(request)).code).toBe(-32602)
    for (const cursor of ["x", "bnVsbA", Buffer.from('["x","y"]').toString("base64url")])
      expect((await errorOf(tasks.listTasks(cursor))).code).toBe(-32602)
    expect(
      (await errorOf(one.client.request({ method: "tasks/get", params: {} } as never, {} as never))).code
    ).toBe(-32602)
  })

  it("is followed by another connection of its caller, and nobody else's business", async () => {
    const { task } = await begin(one, index)
    const again = await open({ session: "again" })
    const stranger = await open({
      session: "stranger",
      principal: { kind: "agent", id: "agent:stranger", authenticated: true }
    })
    expect((await again.client.experimental.tasks.getTask(task.taskId)).taskId).toBe(task.taskId)
    const { tasks } = stranger.client.experimental
    for (const request of [
      tasks.getTask(task.taskId),
      tasks.getTaskResult(task.taskId),
      tasks.cancelTask(task.taskId)
    ])
      expect((await errorOf(request)).code).toBe(-32602)
    expect((await tasks.listTasks()).tasks).toEqual([])
    expect((await again.client.experimental.tasks.cancelTask(task.taskId)).status).toBe("cancelled")
  })

  it("of a caller who is nobody in particular is their session's alone", async () => {
    const nobody: Principal = { kind: "agent", id: "agent:anonymous", authenticated: false }
    const [mine, other] = [
      await open({ session: "mine", principal: nobody }),
      await open({ session: "other", principal: nobody })
    ]
    const change = { name: "change", arguments: { operation: "simulate", steps: [] } }
    const { task } = await begin(mine, change)
    expect((await mine.client.experimental.tasks.listTasks()).tasks.map(({ taskId }) => taskId)).toEqual([
      task.taskId
    ])
    expect((await errorOf(other.client.experimental.tasks.getTask(task.taskId))).code).toBe(-32602)
    expect((await other.client.experimental.tasks.listTasks()).tasks).toEqual([])
  })

  it("is listed with all of its caller's, the newest first, page by page", async () => {
    const many = await open({
      session: "many",
      principal: { kind: "agent", id: "agent:many", authenticated: true }
    })
    const made: Array<string> = []
    for (let at = 0; at < 53; at++)
      made.push((await begin(many, { name: "edit", arguments: { nothing: at } })).task.taskId)
    const first = await many.client.experimental.tasks.listTasks()
    expect(first.tasks).toHaveLength(50)
    const second = await many.client.experimental.tasks.listTasks(first.nextCursor)
    expect(second.nextCursor).toBeUndefined()
    const all = [...first.tasks, ...second.tasks]
    expect(all.map(({ taskId }) => taskId).toSorted()).toEqual(made.toSorted())
    const times = all.map(({ createdAt }) => createdAt)
    expect(times).toEqual(times.toSorted().toReversed())
  })
})

describe("what is listed of tasks", () => {
  const executions = async ({ client }: Linked) =>
    (await client.listTools()).tools.flatMap(({ execution, name }) =>
      execution === undefined ? [] : [[name, execution.taskSupport]]
    )

  it("is which tools have operations that take long, in few bytes", async () => {
    expect(one.client.getServerCapabilities()?.tasks).toEqual({
      list: {},
      cancel: {},
      requests: { tools: { call: {} } }
    })
    expect(await executions(one)).toEqual([
      ["change", "optional"],
      ["edit", "optional"],
      ["workspace_admin", "optional"],
      ["overlay", "optional"]
    ])
    expect(Buffer.byteLength(JSON.stringify({ tools: roster }))).toBeLessThanOrEqual(12_000)
  })

  it("is said of single tools as well", async () => {
    const single = await open({ session: "single", tools: "full" })
    expect(Object.fromEntries(await executions(single))).toMatchObject({
      index_repository: "optional",
      generate_wiki: "optional"
    })
    const { task } = await begin(single, { name: "index_repository", arguments: { path: "." } })
    await single.client.experimental.tasks.cancelTask(task.taskId)
    expect((await errorOf(begin(single, { name: "read_file", arguments: { path: "a.txt" } }))).code).toBe(
      -32601
    )
  })

  it("is nothing for a client of an earlier revision, which may write what it likes there", async () => {
    const older = await open({ session: "older", revision: "2025-06-18" })
    expect(older.client.getServerCapabilities()).toEqual({ tools: {} })
    expect(await executions(older)).toEqual([])
    for (const task of [{ ttl: 1 }, "x", 7]) {
      const { content } = (await older.client.request(
        {
          method: "tools/call",
          params: { name: "read", arguments: { target: { file: "a.txt" } }, task }
        } as never,
        CallToolResultSchema
      )) as any
      expect(content[0].text).toContain("one")
    }
    const served = await errorOf(
      older.client.request({ method: "tasks/get", params: { taskId: "job_none" } }, CreateTaskResultSchema)
    )
    expect(served.code).toBe(-32601)
  })
})

describe("a call with a key", () => {
  const keyed = (key: unknown, call: object = edit()) => ({
    ...call,
    _meta: { "portico/idempotency_key": key }
  })
  const call = async ({ client }: Linked, params: object): Promise<any> => client.callTool(params as never)

  it("happens once, and is answered the same whenever it is asked again", async () => {
    write("a.txt", "one\n")
    const first = await call(one, keyed("edit-1"))
    expect(first.isError).toBeUndefined()
    expect(first._meta.portico).toBeUndefined()
    // What somebody did to the file since stays.
    write("a.txt", "one again\n")
    const again = await open({ session: "key" })
    const second = await call(again, keyed("edit-1"))
    expect(second._meta.portico).toEqual({ duplicate: true })
    expect(second.structuredContent).toEqual(first.structuredContent)
    expect(readFileSync(join(top, "a.txt"), "utf8")).toBe("one again\n")
  })

  it("with other content is refused, and another caller has keys of their own", async () => {
    write("a.txt", "one\n")
    const other = await call(one, keyed("edit-1", edit({ replacement: "three" })))
    expect(other).toMatchObject({
      isError: true,
      structuredContent: { error_code: "idempotency_conflict", state_changed: false }
    })
    expect(readFileSync(join(top, "a.txt"), "utf8")).toBe("one\n")
    const stranger = await open({
      session: "key-stranger",
      principal: { kind: "agent", id: "agent:key-stranger", authenticated: true }
    })
    const own = await call(stranger, keyed("edit-1", edit({ replacement: "three" })))
    expect(own.isError).toBeUndefined()
    expect(readFileSync(join(top, "a.txt"), "utf8")).toBe("three\n")
  })

  it("under way many times over has one effect", async () => {
    write("b.txt", "one\n")
    const params = keyed("edit-many", edit({ target: { file: "b.txt" }, replacement: "one two" }))
    const all = await Promise.all(Array.from({ length: 20 }, () => call(one, params)))
    expect(all.filter(({ _meta }) => _meta.portico === undefined)).toHaveLength(1)
    expect(readFileSync(join(top, "b.txt"), "utf8")).toBe("one two\n")
  })

  it("of a read is kept as well", async () => {
    const read = { name: "read", arguments: { target: { file: "a.txt" } } }
    const first = await call(one, keyed("read-1", read))
    write("a.txt", "four\n")
    const second = await call(one, keyed("read-1", read))
    expect(second).toEqual({ ...first, _meta: { ...first._meta, portico: { duplicate: true } } })
  })

  it("that can be none is an error of the request", async () => {
    for (const key of ["", "two words", "x".repeat(201), 7, null, {}, "ä"]) {
      const { code, message } = await errorOf(call(one, keyed(key)))
      expect([code, message]).toEqual([-32602, expect.stringContaining("portico/idempotency_key")])
    }
  })

  it("as a task joins the task that is under way, and finds it again once it is over", async () => {
    const first = await begin(one, keyed("index-1", index) as never)
    const joined = await begin(one, keyed("index-1", index) as never)
    expect([joined.task.taskId, joined.meta.portico]).toEqual([first.task.taskId, { duplicate: true }])
    await resultOf(one, first.task)
    const later = await begin(one, keyed("index-1", index) as never)
    expect([later.task.taskId, later.task.status, later.meta.portico]).toEqual([
      first.task.taskId,
      "completed",
      { duplicate: true }
    ])
    const conflict = await begin(
      one,
      keyed("index-1", { name: "workspace_admin", arguments: { operation: "reindex", path: "." } }) as never
    )
    expect(conflict.task.status).toBe("failed")
    expect((await resultOf(one, conflict.task)).structuredContent.error_code).toBe("idempotency_conflict")
    // The refusal took nothing from the call whose key it is.
    expect((await begin(one, keyed("index-1", index) as never)).task.taskId).toBe(first.task.taskId)
  })

  it("that was no task is one when it is asked for as one", async () => {
    write("a.txt", "one\n")
    const first = await call(one, keyed("edit-then-task"))
    const { meta, task } = await begin(one, keyed("edit-then-task") as never)
    expect([task.status, meta.portico]).toEqual(["completed", { duplicate: true }])
    const result = await resultOf(one, task)
    expect([result.structuredContent, result.content]).toEqual([first.structuredContent, first.content])
  })
})
