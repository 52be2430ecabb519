import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import {
  type Observation,
  observationOf,
  observeHook,
  readHooks,
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
    observeHook(one(), env("off"))
    expect(existsSync(file())).toBe(false)
    observeHook(one(), env("on"))
    observeHook(one({ event: "Stop", emitted_context: false }), env("on"))
    expect(readHooks(env("on"))).toEqual([one(), one({ event: "Stop", emitted_context: false })])
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
    observeHook(said as never, env("on"))
    expect(readFileSync(file(), "utf8")).toBe(`${JSON.stringify(kept)}\n`)
    writeFileSync(file(), `{"ts":"planted"}\nnonsense\n${JSON.stringify(said)}\n3\n`)
    expect(readHooks(env("on"))).toEqual([kept])
  })

  it("finds room: a full file makes way for another, and one earlier is kept", () => {
    observeHook(one(), env("on"))
    const line = readFileSync(file(), "utf8")
    writeFileSync(file(), line.repeat(Math.ceil((1 << 20) / line.length)))
    observeHook(one({ event: "Stop" }), env("on"))
    expect(readFileSync(file(), "utf8").split("\n")).toHaveLength(2)
    expect(readHooks(env("on")).length).toBeGreaterThan(5000)
    expect(readHooks(env("on")).at(-1)?.event).toBe("Stop")
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
