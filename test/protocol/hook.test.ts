/** The built command as a host's hook runs it, and what it leaves behind. */
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { beforeAll, expect, it } from "vitest"
import { HttpServer } from "./http_server.ts"
import { build, environment, folder, main } from "./server.ts"

beforeAll(build, 120_000)

it("says a word about a search, is silent without its server, and writes nothing of either down", async () => {
  const env: NodeJS.ProcessEnv = { ...environment(), PORTICO_TELEMETRY: "on" }
  const hook = (input: unknown, ...args: ReadonlyArray<string>) => {
    const text = typeof input === "string" ? input : JSON.stringify(input)
    const { status, stdout } = spawnSync(process.execPath, [main, "hook", ...args], {
      env,
      input: text,
      encoding: "utf8"
    })
    expect(status).toBe(0)
    return stdout === "" ? undefined : JSON.parse(stdout)
  }
  const search = {
    session_id: "planted-session",
    cwd: "/planted/folder",
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command: "rg 'plantedOne|plantedTwo' planted/path" }
  }
  expect(hook(search).hookSpecificOutput).toMatchObject({
    hookEventName: "PreToolUse",
    additionalContext: expect.stringContaining('"query":"plantedTwo"')
  })
  expect(hook("planted nonsense")).toBeUndefined()

  const server = await HttpServer.start(folder({ "a.ts": "export const a = 1\n" }))
  expect(hook(search, "--agent", "codex", "--server", server.url)).toBeDefined()
  await server.stop()
  expect(hook(search, "--agent", "codex", "--server", server.url)).toBeUndefined()

  const file = join(env["PORTICO_HOME"]!, "telemetry/hook-effectiveness.jsonl")
  const text = readFileSync(file, "utf8")
  expect(text).not.toContain("planted")
  const rows = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
  const same = { event: "PreToolUse", alternation_segments: 2 }
  expect(rows).toMatchObject([
    { ...same, agent: "claude-code", emitted_context: true },
    { ...same, agent: "codex", emitted_context: true, server_reachable: true },
    { ...same, agent: "codex", emitted_context: false, server_reachable: false }
  ])
  expect(rows[0]).not.toHaveProperty("server_reachable")

  // A host may call a tool anything, and give it anything.
  expect(
    hook({
      ...search,
      hook_event_name: "PostToolUse",
      tool_name: "mcp__planted__write",
      tool_response: "planted"
    })
  ).toBeUndefined()
  expect(hook({ hook_event_name: "plantedEvent", prompt: "planted prompt" })).toBeUndefined()
  const decided = readFileSync(join(env["PORTICO_HOME"]!, "telemetry/hook-decisions.jsonl"), "utf8")
  expect(decided).not.toContain("planted")
  const ts = expect.any(String)
  const advised = { ts, event: "PreToolUse", decision: "advised", reason: "text_search", tool: "Bash" }
  expect(
    decided
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
  ).toEqual([
    { ...advised, agent: "claude-code" },
    { ...advised, agent: "codex" },
    { ...advised, agent: "codex", decision: "silent", reason: "no_server" },
    {
      ts,
      event: "PostToolUse",
      agent: "claude-code",
      decision: "silent",
      reason: "nothing_to_say",
      tool: "other"
    },
    { ts, event: "other", agent: "claude-code", decision: "silent", reason: "nothing_to_say" }
  ])

  const home = folder({})
  env["PORTICO_HOME"] = home
  env["PORTICO_TELEMETRY"] = "off"
  expect(hook(search)).toBeDefined()
  expect(existsSync(join(home, "telemetry"))).toBe(false)
}, 60_000)
