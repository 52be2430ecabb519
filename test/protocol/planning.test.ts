/** Settings that have sessions begin in planning mode, at the doors that have sessions and at those that have none. */
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, expect, it, onTestFinished } from "vitest"
import { HttpServer, messageOf } from "./http_server.ts"
import { build, environment, folder, main, Server } from "./server.ts"

beforeAll(build, 120_000)

const settings = '{ "planning": true }'
const files = { "a.txt": "one\n" }
const edit = (match: string, replacement: string) => ({
  operation: "file",
  target: { file: "a.txt" },
  match,
  replacement
})
const textOf = (directory: string) => readFileSync(join(directory, "a.txt"), "utf8")

type Call = (tool: string, args: object) => Promise<any>

/** A session that plans reads, writes nothing, and leaves the mode by the call that the refusal names. */
const plans = async (call: Call, directory: string): Promise<void> => {
  const refused = await call("edit", edit("one", "two"))
  expect(refused).toMatchObject({
    error_code: "tool_blocked_by_mode",
    state_changed: false,
    message: expect.stringContaining("local_write"),
    recovery: {
      tool: "session",
      arguments: { operation: "planning_mode", arguments: { mode: "editing" } }
    }
  })
  expect(textOf(directory)).toBe("one\n")
  expect(await call("read", { target: { file: "a.txt" } })).toMatchObject({ content: "one\n" })
  expect(await call(refused.recovery.tool, refused.recovery.arguments)).toMatchObject({ mode: "editing" })
  expect(await call("edit", edit("one", "two"))).not.toHaveProperty("error_code")
  expect(textOf(directory)).toBe("two\n")
}

it("a repository's setting holds a session over stdio, and no command", async () => {
  const directory = folder({ ...files, ".effectrc": settings })
  const env = environment()
  const server = new Server(directory, [], env)
  await server.open()
  await plans(async (tool, args) => (await server.call(tool, args)).result.structuredContent, directory)
  const command = spawnSync(
    process.execPath,
    [main, "call", "edit", "--json", JSON.stringify(edit("two", "three"))],
    {
      cwd: directory,
      env,
      encoding: "utf8"
    }
  )
  expect([command.status, textOf(directory)]).toEqual([0, "three\n"])
}, 60_000)

it("the user's setting holds every session over HTTP, each for itself", async () => {
  const directory = folder(files)
  const server = await HttpServer.start(directory, { settings })
  onTestFinished(async () => void (await server.stop()))
  const authorization = { authorization: `Bearer ${server.token}` }
  const opened = async (): Promise<Call> => {
    const { session } = await server.open("some-client", authorization)
    let id = 0
    return async (name, args) => {
      const message = { jsonrpc: "2.0", id: ++id, method: "tools/call", params: { name, arguments: args } }
      const response = await server.post(message, { ...authorization, "mcp-session-id": session })
      return (await messageOf(response)).result.structuredContent
    }
  }
  await plans(await opened(), directory)
  const other = await opened()
  expect(await other("edit", edit("two", "three"))).toMatchObject({ error_code: "tool_blocked_by_mode" })
  expect(textOf(directory)).toBe("two\n")
}, 60_000)
