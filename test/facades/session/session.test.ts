import { mkdirSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { openEngine } from "../../../src/layers.ts"
import type { Engine } from "../../../src/pipeline/Engine.ts"
import { TempFolder } from "../../engine/git/TempRepo.ts"

const folder = new TempFolder()
let engine: Engine
let sessions = 0

beforeAll(async () => {
  process.env["PORTICO_HOME"] ??= folder.at(".home")
  const write = (path: string, content: string) => {
    mkdirSync(dirname(folder.at(path)), { recursive: true })
    writeFileSync(folder.at(path), content)
  }
  write(
    "src/a.ts",
    'import { helper } from "./b.ts"\nexport function first() { return helper() }\nexport function second() { return first() }\n'
  )
  write("src/b.ts", "export function helper() { return 1 }\n")
  engine = await openEngine({ directory: folder.path, watch: false })
})
afterAll(async () => {
  await engine.close()
  folder[Symbol.dispose]()
})

const opened = () => {
  const session = `session-${++sessions}`
  engine.openSession(session)
  return async (tool: string, args: object) => {
    const result = await engine.call({ tool, args, session })
    return { ...result.structuredContent, failed: result.isError === true } as Record<string, any>
  }
}
const edit = { operation: "file", target: { file: "src/b.ts" }, match: "1", replacement: "2", dry_run: true }

describe("planning", () => {
  it("refuses what writes, and names the call that ends it", async () => {
    const call = opened()
    expect(await call("session", { operation: "planning_mode", arguments: { mode: "plan" } })).toMatchObject({
      mode: "planning",
      editing_enabled: false
    })
    const refused = await call("edit", edit)
    expect(refused).toMatchObject({
      failed: true,
      error_code: "tool_blocked_by_mode",
      state_changed: false,
      recovery: {
        tool: "session",
        arguments: { operation: "planning_mode", arguments: { mode: "editing" } }
      }
    })
    expect((await call("read", { target: { file: "src/b.ts" } })).failed).toBe(false)
    expect((await call("overlay", { operation: "register" })).failed).toBe(false)
    expect(await call(refused["recovery"].tool, refused["recovery"].arguments)).toMatchObject({
      mode: "editing"
    })
    expect((await call("edit", edit))["error_code"]).not.toBe("tool_blocked_by_mode")
  })
})

describe("a workflow", () => {
  it("holds edits back until their phase", async () => {
    const call = opened()
    expect(await call("session", { operation: "workflow", arguments: { action: "status" } })).toMatchObject({
      active: false
    })
    await call("session", { operation: "workflow", arguments: { action: "start" } })
    const refused = await call("edit", edit)
    expect(refused).toMatchObject({
      error_code: "tool_out_of_phase",
      state_changed: false,
      data: { current_phase: "explore", phases: ["explore", "implement", "verify"] },
      recovery: { tool: "session", arguments: { operation: "workflow", arguments: { action: "advance" } } }
    })
    expect(await call(refused["recovery"].tool, refused["recovery"].arguments)).toMatchObject({
      current_phase: "implement",
      edits_allowed: true
    })
    expect((await call("edit", edit))["error_code"]).not.toBe("tool_out_of_phase")
    await call("session", { operation: "workflow", arguments: { action: "advance" } })
    expect(await call("session", { operation: "workflow", arguments: { action: "advance" } })).toMatchObject({
      current_phase: "verify"
    })
    expect(await call("session", { operation: "workflow", arguments: { action: "stop" } })).toMatchObject({
      active: false
    })
    expect(await call("session", { operation: "workflow", arguments: { action: "advance" } })).toMatchObject({
      error_code: "invalid_argument",
      field: "arguments.action"
    })
  })

  it("moves on at the first edit when it only warns", async () => {
    const call = opened()
    await call("session", { operation: "workflow", arguments: { action: "start", mode: "warn" } })
    expect((await call("edit", edit))["error_code"]).not.toBe("tool_out_of_phase")
    expect(await call("session", { operation: "workflow", arguments: { action: "status" } })).toMatchObject({
      current_phase: "implement"
    })
  })
})

describe("the cursor", () => {
  it("steps through the call graph and back", async () => {
    const call = opened()
    const step = (action: string, more = {}) =>
      call("session", { operation: "cursor", arguments: { action, ...more } })
    expect(await step("where")).toMatchObject({ error_code: "not_found", reason_code: "no_cursor" })
    expect(await step("goto", { id: "first" })).toMatchObject({ cursor: { current: "src/a.ts::first" } })
    const into = await step("into")
    expect(into).toMatchObject({ cursor: { current: "src/b.ts::helper", history_size: 1 } })
    expect(into["adjacency"].callers.rows.map((r: { name: string }) => r.name)).toEqual(["first"])
    expect(await step("up", { select: "fir" })).toMatchObject({ cursor: { current: "src/a.ts::first" } })
    expect(await step("sibling", { select: "nobody" })).toMatchObject({
      error_code: "invalid_argument",
      field: "arguments.select"
    })
    expect(await step("back")).toMatchObject({ cursor: { current: "src/b.ts::helper" } })
    expect((await step("read"))["source"]).toContain("export function helper() { return 1 }")
  })

  it("says when what it stood on is gone", async () => {
    const call = opened()
    const step = (action: string, more = {}) =>
      call("session", { operation: "cursor", arguments: { action, ...more } })
    await step("goto", { id: "src/b.ts::helper" })
    await call("overlay", {
      operation: "push",
      arguments: { path: "src/b.ts", content: "export function other() { return 1 }\n" }
    })
    expect(await step("where")).toMatchObject({ error_code: "not_found", reason_code: "stale_cursor" })
  })
})

describe("agents", () => {
  const asks = (call: ReturnType<typeof opened>, action: string, more: object = {}) =>
    call("session", { operation: "agents", arguments: { action, ...more } })

  it("see each other and what each holds, and give way to nobody's lock by force", async () => {
    const [one, two] = [opened(), opened()]
    expect(await asks(one, "register", { id: "ann", name: "Ann", status: "renames" })).toMatchObject({
      agent: { id: "ann", name: "Ann", status: "renames", locked_paths: [], mine: true }
    })
    await asks(two, "register", { id: "bob", name: "Bob" })
    expect(await asks(one, "lock", { id: "ann", paths: "./src/,docs/a.md" })).toMatchObject({
      locked: ["docs/a.md", "src"],
      conflicts: []
    })
    expect(await asks(two, "lock", { id: "bob", paths: ["src/b.ts", "test"] })).toMatchObject({
      locked: ["test"],
      conflicts: [{ path: "src/b.ts", held_by: "ann", holds: "src" }],
      locked_paths: ["test"]
    })
    expect(await asks(two, "list")).toMatchObject({
      agents: [
        { id: "bob", mine: true, locked_paths: ["test"] },
        { id: "ann", mine: false, locked_paths: ["docs/a.md", "src"] }
      ],
      total: 2
    })
    expect((await asks(two, "list", { name: "An" }))["agents"].map(({ id }: { id: string }) => id)).toEqual([
      "ann"
    ])
    expect((await two("edit", edit))["error_code"]).toBeUndefined()
    expect(await asks(one, "unlock", { id: "ann", paths: ["src", "lib"] })).toMatchObject({
      unlocked: ["src"],
      not_held: ["lib"],
      locked_paths: ["docs/a.md"]
    })
    expect(await asks(two, "lock", { id: "bob", paths: ["src/b.ts"] })).toMatchObject({ conflicts: [] })
    expect(await asks(one, "unregister", { id: "ann" })).toMatchObject({ removed: true })
    expect(await asks(two, "list")).toMatchObject({ total: 1 })
    await asks(two, "unregister", { id: "bob" })
  })

  it("are gone when they are silent, and with their session", async () => {
    const [one, two] = [opened(), opened()]
    vi.useFakeTimers({ toFake: ["Date"] })
    try {
      await asks(one, "register")
      await asks(two, "register", { id: "bob" })
      await asks(two, "lock", { id: "bob", paths: ["src"] })
      vi.setSystemTime(Date.now() + 100_000)
      expect(await asks(one, "heartbeat", { cursor: "src/a.ts::first" })).toMatchObject({
        agent: { cursor: "src/a.ts::first" }
      })
      vi.setSystemTime(Date.now() + 30_000)
      expect(await asks(one, "list")).toMatchObject({ total: 1, agents: [{ mine: true }] })
      expect(await asks(one, "lock", { paths: ["src/b.ts"] })).toMatchObject({ conflicts: [] })
      const silent = await asks(two, "heartbeat", { id: "bob" })
      expect(silent).toMatchObject({
        error_code: "invalid_argument",
        reason_code: "agent_unknown",
        recovery: { arguments: { operation: "agents", arguments: { action: "register", id: "bob" } } }
      })
    } finally {
      vi.useRealTimers()
    }
    engine.closeSession(`session-${sessions - 1}`)
    expect(await asks(two, "list")).toMatchObject({ total: 0 })
  })

  it("are not spoken for by other sessions, and hold nothing outside", async () => {
    const [one, two] = [opened(), opened()]
    await asks(one, "register", { id: "ann" })
    for (const action of ["register", "heartbeat", "unregister"])
      expect(await asks(two, action, { id: "ann" })).toMatchObject({
        reason_code: "agent_of_another_session"
      })
    for (const path of ["../src", "/src", "a/../../b"])
      expect(await asks(one, "lock", { id: "ann", paths: [path] })).toMatchObject({
        error_code: "invalid_argument",
        field: "arguments.paths"
      })
    expect(await asks(one, "list", { paths: ["src"] })).toMatchObject({ field: "arguments.paths" })
    expect(await asks(one, "lock", { id: "ann" })).toMatchObject({ field: "arguments.paths" })
    expect(await asks(one, "list")).toMatchObject({ agents: [{ id: "ann", locked_paths: [] }] })
  })
})

describe("channels", () => {
  it("are not for connections that take no notifications, and unknown ones are told apart", async () => {
    const call = opened()
    const asks = (channel: string, more: object = {}) =>
      call("session", { operation: "subscribe", channel, ...more })
    expect(await asks("graph_invalidated")).toMatchObject({ reason_code: "no_notifications" })
    expect(await asks("stale_refs")).toMatchObject({
      error_code: "capability_unavailable",
      reason_code: "channel_unavailable",
      data: { served_channels: ["graph_invalidated", "workspace_readiness"] }
    })
    expect(await asks("workspace_readiness", { arguments: { path_prefix: "src" } })).toMatchObject({
      error_code: "invalid_argument",
      field: "arguments.path_prefix"
    })
    for (const path_prefix of ["../src", "src/../../x"])
      expect(await asks("graph_invalidated", { arguments: { path_prefix } })).toMatchObject({
        error_code: "invalid_argument",
        field: "arguments.path_prefix"
      })
    expect(await call("session", { operation: "unsubscribe", channel: "graph_invalidated" })).toMatchObject({
      subscribed: false,
      subscribers: 0
    })
  })
})
