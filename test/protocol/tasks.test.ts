/** Tasks and keys of the built server, across its end and its being killed. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { CallToolResultSchema, CreateTaskResultSchema } from "@modelcontextprotocol/sdk/types.js"
import { readFileSync, writeFileSync } from "node:fs"
import * as path from "node:path"
import { afterEach, beforeAll, describe, expect, it } from "vitest"
import { build, environment, folder, main } from "./server.ts"

beforeAll(build, 120_000)

/** Enough files that indexing them takes a moment. */
const large = () =>
  folder({
    "a.txt": "one\n",
    ...Object.fromEntries(
      Array.from({ length: 200 }, (_, at) => [
        `src/part${at}.ts`,
        Array.from(
          { length: 30 },
          (_, n) => `export function f${at}_${n}(x: number) { return x > ${n} ? x : ${n} }\n`
        ).join("")
      ])
    )
  })

interface Process {
  readonly client: Client
  readonly tasks: Client["experimental"]["tasks"]
  /** Kills it as `kill -9` does. */
  readonly kill: () => Promise<void>
}

const running = new Set<Process>()
afterEach(async () => {
  for (const each of running) await each.kill()
})

const start = async (directory: string, env: NodeJS.ProcessEnv): Promise<Process> => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [main, "mcp"],
    cwd: directory,
    env: env as Record<string, string>,
    stderr: "ignore"
  })
  const client = new Client({ name: "claude-code", version: "1" })
  await client.connect(transport)
  const made: Process = {
    client,
    tasks: client.experimental.tasks,
    kill: async () => {
      running.delete(made)
      const ended = new Promise<void>((resolve) => {
        client.onclose = resolve
      })
      if (transport.pid === null) return
      process.kill(transport.pid, "SIGKILL")
      await ended
    }
  }
  running.add(made)
  return made
}

const begin = async ({ client }: Process, params: object) =>
  (
    await client.request({ method: "tools/call", params: params as never }, CreateTaskResultSchema, {
      task: { ttl: 60_000 }
    })
  ).task

const index = { name: "workspace_admin", arguments: { operation: "index", path: "." } }

describe("a task whose server was killed", () => {
  it("has failed with an unknown outcome, for who was there already and for who comes later", async () => {
    const directory = large()
    const env = environment()
    const first = await start(directory, env)
    const witness = await start(directory, env)
    const task = await begin(first, index)
    // Alive, it works, whoever asks.
    expect((await witness.tasks.getTask(task.taskId)).status).toBe("working")
    const waiting = witness.tasks.getTaskResult(task.taskId, CallToolResultSchema)
    await first.kill()
    const unknown = {
      isError: true,
      structuredContent: { error_code: "internal", reason_code: "server_ended", outcome_unknown: true },
      _meta: { "io.modelcontextprotocol/related-task": { taskId: task.taskId } }
    }
    expect(await waiting).toMatchObject(unknown)
    const later = await start(directory, env)
    for (const { tasks } of [witness, later]) {
      const now = await tasks.getTask(task.taskId)
      expect([now.status, now.statusMessage]).toEqual(["failed", expect.stringContaining("its server ended")])
      expect((await tasks.listTasks()).tasks).toMatchObject([{ taskId: task.taskId, status: "failed" }])
      expect(await tasks.getTaskResult(task.taskId, CallToolResultSchema)).toMatchObject(unknown)
      await expect(tasks.cancelTask(task.taskId)).rejects.toMatchObject({ code: -32602 })
    }
  }, 120_000)

  it("is never told as working by who only looks once", async () => {
    const directory = large()
    const env = environment()
    const [first, second, third] = [
      await start(directory, env),
      await start(directory, env),
      await start(directory, env)
    ]
    const [one, two] = [await begin(first, index), await begin(first, index)]
    await first.kill()
    expect((await second.tasks.getTask(one.taskId)).status).toBe("failed")
    expect(new Set((await third.tasks.listTasks()).tasks.map(({ status }) => status))).toEqual(
      new Set(["failed"])
    )
    expect((await third.tasks.getTask(two.taskId)).status).toBe("failed")
  }, 120_000)
})

describe("what a server keeps beyond its end", () => {
  it("is what a task came to, and what a key was used for", async () => {
    const directory = large()
    const env = environment()
    const first = await start(directory, env)
    const task = await begin(first, index)
    const result = await first.tasks.getTaskResult(task.taskId, CallToolResultSchema)
    expect(result.isError).toBeUndefined()
    const edit = {
      name: "edit",
      arguments: { operation: "file", target: { file: "a.txt" }, match: "one", replacement: "two" },
      _meta: { "portico/idempotency_key": "edit-1" }
    }
    const edited = await first.client.callTool(edit)
    expect(edited.isError).toBeUndefined()
    await first.kill()
    writeFileSync(path.join(directory, "a.txt"), "one\n")
    const second = await start(directory, env)
    expect((await second.tasks.getTask(task.taskId)).status).toBe("completed")
    expect(await second.tasks.getTaskResult(task.taskId, CallToolResultSchema)).toEqual(result)
    const again = await second.client.callTool(edit)
    expect(again).toEqual({ ...edited, _meta: { ...edited._meta, portico: { duplicate: true } } })
    expect(readFileSync(path.join(directory, "a.txt"), "utf8")).toBe("one\n")
    const other = await second.client.callTool({
      ...edit,
      arguments: { ...edit.arguments, replacement: "three" }
    })
    expect(other.structuredContent).toMatchObject({ error_code: "idempotency_conflict" })
  }, 120_000)
})
