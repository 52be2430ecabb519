import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import {
  type Decision,
  decisionOf,
  hookDecisions,
  hookEffectiveness,
  type Observation,
  observationOf,
  summarizeDecisions,
  summarizeHooks
} from "../../src/telemetry/Hooks.ts"
import { Control } from "../../src/telemetry/Telemetry.ts"

let home: string
const env = (on: string) => ({ PORTICO_HOME: home, XDG_CONFIG_HOME: home, PORTICO_TELEMETRY: on })
const file = () => join(home, "telemetry/hook-effectiveness.jsonl")
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "portico-hooks-"))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const one = (more: Partial<Observation> = {}): Observation => ({
  ts: "2026-01-01T00:00:00.000Z",
  event: "PreToolUse",
  agent: "codex",
  emitted_context: true,
  alternation_segments: 2,
  duration_ms: 40,
  ...more
})

describe("an observation of a hook", () => {
  it("is written where the user agreed, for its reader alone, and removed with the rest", () => {
    hookEffectiveness.add(one(), env("off"))
    expect(existsSync(file())).toBe(false)
    hookEffectiveness.add(one(), env("on"))
    hookEffectiveness.add(one({ event: "Stop", emitted_context: false }), env("on"))
    expect(hookEffectiveness.read(env("on"))).toEqual([one(), one({ event: "Stop", emitted_context: false })])
    expect(statSync(file()).mode & 0o077).toBe(0)
    new Control({ env: env("on") }).refuse()
    expect(existsSync(file())).toBe(false)
  })

  it("has the members of its list and no others, in their bounds, whoever wrote it", () => {
    const said = {
      ...one(),
      event: "rm -rf /home/ann",
      agent: "ann's own",
      command: "planted",
      server_reachable: "planted",
      alternation_segments: 900,
      duration_ms: 12.6
    }
    const kept = one({ event: "other", agent: "other", alternation_segments: 8, duration_ms: 13 })
    expect(observationOf(said)).toEqual(kept)
    hookEffectiveness.add(said as never, env("on"))
    expect(readFileSync(file(), "utf8")).toBe(`${JSON.stringify(kept)}\n`)
    writeFileSync(file(), `{"ts":"planted"}\nnonsense\n${JSON.stringify(said)}\n3\n`)
    expect(hookEffectiveness.read(env("on"))).toEqual([kept])
  })

  it("finds room: a full file makes way for another, and one earlier is kept", () => {
    hookEffectiveness.add(one(), env("on"))
    const line = readFileSync(file(), "utf8")
    writeFileSync(file(), line.repeat(Math.ceil((1 << 20) / line.length)))
    hookEffectiveness.add(one({ event: "Stop" }), env("on"))
    expect(readFileSync(file(), "utf8").split("\n")).toHaveLength(2)
    expect(hookEffectiveness.read(env("on")).length).toBeGreaterThan(5000)
    expect(hookEffectiveness.read(env("on")).at(-1)?.event).toBe("Stop")
  })
})

describe("the summary of hooks", () => {
  it("tells rates, alternatives and times by event, and does not make up a server", () => {
    const times = [1, 2, 3, 4, 5, 6, 7, 8, 9, 100]
    const all = [
      ...times.map((duration_ms, at) =>
        one({
          duration_ms,
          emitted_context: at < 4,
          alternation_segments: at % 5,
          ...(at < 3 ? { server_reachable: at === 0 } : {})
        })
      ),
      one({ event: "SessionStart", alternation_segments: 0 })
    ]
    expect(summarizeHooks(all)).toEqual([
      {
        event: "SessionStart",
        times: 1,
        emitted_context_rate: 1,
        server_reachable_rate: undefined,
        most_alternation_segments: 0,
        p50_ms: 40,
        p95_ms: 40
      },
      {
        event: "PreToolUse",
        times: 10,
        emitted_context_rate: 0.4,
        server_reachable_rate: 0.333,
        most_alternation_segments: 4,
        p50_ms: 5,
        p95_ms: 100
      }
    ])
    expect(summarizeHooks([])).toEqual([])
  })
})

const decided = (more: Partial<Decision> = {}): Decision => ({
  ts: "2026-01-01T00:00:00.000Z",
  event: "PreToolUse",
  agent: "codex",
  decision: "advised",
  reason: "text_search",
  tool: "Bash",
  ...more
})
const decisionsFile = () => join(home, "telemetry/hook-decisions.jsonl")

describe("a decision of a hook", () => {
  it("is written where the user agreed, for its reader alone, and removed with the rest", () => {
    hookDecisions.add(decided(), env("off"))
    expect(existsSync(decisionsFile())).toBe(false)
    hookDecisions.add(decided(), env("on"))
    expect(hookDecisions.read(env("on"))).toEqual([decided()])
    expect(statSync(decisionsFile()).mode & 0o077).toBe(0)
    new Control({ env: env("on") }).refuse()
    expect(existsSync(decisionsFile())).toBe(false)
  })

  it("has the members of its list and no others, whoever wrote it", () => {
    const said = {
      ...decided(),
      event: "planted event",
      agent: "planted",
      tool: "mcp__planted__tool",
      tool_input: { command: "planted" },
      prompt: "planted"
    }
    const kept = decided({ event: "other", agent: "other", tool: "other" })
    expect(decisionOf(said)).toEqual(kept)
    hookDecisions.add(said as never, env("on"))
    expect(readFileSync(decisionsFile(), "utf8")).toBe(`${JSON.stringify(kept)}\n`)
    expect(decisionOf({ ...decided(), reason: "planted" })).toBeUndefined()
    expect(decisionOf({ ...decided(), decision: "planted" })).toBeUndefined()
    expect(decisionOf({ ...decided(), ts: "planted" })).toBeUndefined()
  })

  it("finds room as its neighbour does", () => {
    hookDecisions.add(decided(), env("on"))
    const line = readFileSync(decisionsFile(), "utf8")
    writeFileSync(decisionsFile(), line.repeat(Math.ceil((1 << 20) / line.length)))
    hookDecisions.add(decided({ event: "Stop" }), env("on"))
    expect(readFileSync(decisionsFile(), "utf8").split("\n")).toHaveLength(2)
    expect(existsSync(join(home, "telemetry/hook-decisions.1.jsonl"))).toBe(true)
    expect(hookDecisions.read(env("on")).at(-1)?.event).toBe("Stop")
  })

  it("is summed up by what was decided, and why", () => {
    const { tool: _, ...begun } = decided({ event: "SessionStart", reason: "session_begins" })
    expect(summarizeDecisions([decided(), begun, decided({ agent: "claude-code" })])).toEqual([
      { event: "PreToolUse", decision: "advised", reason: "text_search", tool: "Bash", times: 2 },
      { event: "SessionStart", decision: "advised", reason: "session_begins", times: 1 }
    ])
  })
})
