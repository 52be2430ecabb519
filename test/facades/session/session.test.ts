import { mkdirSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
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
