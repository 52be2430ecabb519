/**
 * How well hooks do: one line of JSON for each time one ran, for this machine alone. It tells which event it was, whether
 * the agent was told something, whether its server listens, and how long it took, and nothing of what the event was about.
 */
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { isRecord } from "../registry/Json.ts"
import { choiceFile, consentOf, type Environment } from "./Consent.ts"
import { countsFolder } from "./Home.ts"

/** Events that are told apart; any other is `other`. */
export const hookEvents = [
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PostToolUse",
  "PreCompact",
  "Stop",
  "SubagentStart",
  "SubagentStop",
  "other"
] as const
export type HookEventName = (typeof hookEvents)[number]

/** Hosts that are told apart. */
export const hookAgents = ["claude-code", "codex", "other"] as const
export type HookAgent = (typeof hookAgents)[number]

/** Alternatives of a pattern are counted up to this. */
export const mostAlternatives = 8
const mostMs = 600_000

export interface Observation {
  /** ISO 8601, UTC. */
  readonly ts: string
  readonly event: HookEventName
  readonly agent: HookAgent
  readonly emitted_context: boolean
  /** Absent where the hook was told of no server to ask. */
  readonly server_reachable?: boolean
  /** From 0 to {@link mostAlternatives}. */
  readonly alternation_segments: number
  /** Whole milliseconds, from the start of the process. */
  readonly duration_ms: number
}

const oneOf = <const W extends ReadonlyArray<string>>(words: W, value: unknown): W[number] =>
  words.find((word) => word === value) ?? "other"

const whole = (value: unknown, most: number): number =>
  typeof value === "number" && value >= 0 ? Math.min(most, Math.round(value)) : 0

/** An observation out of anything: with what the list above has, in its bounds, and nothing else; undefined for no time. */
export const observationOf = (value: unknown): Observation | undefined => {
  if (!isRecord(value)) return undefined
  const { server_reachable: reachable, ts } = value
  if (typeof ts !== "string" || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/.test(ts)) return undefined
  return {
    ts,
    event: oneOf(hookEvents, value["event"]),
    agent: oneOf(hookAgents, value["agent"]),
    emitted_context: value["emitted_context"] === true,
    ...(typeof reachable === "boolean" ? { server_reachable: reachable } : {}),
    alternation_segments: whole(value["alternation_segments"], mostAlternatives),
    duration_ms: whole(value["duration_ms"], mostMs)
  }
}

/** Bytes of the file at which another one is begun; one earlier file is kept. */
const mostBytes = 1 << 20

const filesOf = (env: Environment): readonly [now: string, before: string] => [
  join(countsFolder(env), "hook-effectiveness.jsonl"),
  join(countsFolder(env), "hook-effectiveness.1.jsonl")
]

/** Writes an observation down where the user agreed to counting. What cannot be written is lost. */
export const observeHook = (value: Observation, env: Environment = process.env): void => {
  const observation = observationOf(value)
  if (observation === undefined || !consentOf(env, choiceFile(env)).on) return
  const [now, before] = filesOf(env)
  try {
    mkdirSync(countsFolder(env), { recursive: true, mode: 0o700 })
    if ((statSync(now, { throwIfNoEntry: false })?.size ?? 0) >= mostBytes) renameSync(now, before)
    appendFileSync(now, `${JSON.stringify(observation)}\n`, { mode: 0o600 })
  } catch {
    // A full or read-only disk, or another hook was quicker.
  }
}

/** What was written down, the oldest first. */
export const readHooks = (env: Environment = process.env): ReadonlyArray<Observation> =>
  [...filesOf(env)].reverse().flatMap((file) => {
    let text: string
    try {
      text = readFileSync(file, "utf8")
    } catch {
      return []
    }
    return text.split("\n").flatMap((line) => {
      try {
        return observationOf(JSON.parse(line)) ?? []
      } catch {
        return []
      }
    })
  })

/** Removes what was written down. */
export const clearHooks = (env: Environment): void => {
  for (const file of filesOf(env)) rmSync(file, { force: true })
}

/** How hooks did on one event. */
export interface HookSummary {
  readonly event: HookEventName
  readonly times: number
  /** Share of them that told the agent something. */
  readonly emitted_context_rate: number
  /** Share of those told of a server that found it listening; undefined when none was told of one. */
  readonly server_reachable_rate: number | undefined
  readonly most_alternation_segments: number
  readonly p50_ms: number
  readonly p95_ms: number
}

const rate = (part: number, all: number): number => Math.round((1000 * part) / all) / 1000

/** By event, in the order of {@link hookEvents}; without those that never came. */
export const summarizeHooks = (observations: ReadonlyArray<Observation>): ReadonlyArray<HookSummary> =>
  hookEvents.flatMap((event) => {
    const own = observations.filter((each) => each.event === event)
    if (own.length === 0) return []
    const asked = own.filter(({ server_reachable }) => server_reachable !== undefined)
    const times = own.map(({ duration_ms }) => duration_ms).sort((a, b) => a - b)
    const at = (share: number): number => times[Math.ceil(share * times.length) - 1]!
    return {
      event,
      times: own.length,
      emitted_context_rate: rate(own.filter(({ emitted_context }) => emitted_context).length, own.length),
      server_reachable_rate:
        asked.length === 0
          ? undefined
          : rate(asked.filter(({ server_reachable }) => server_reachable === true).length, asked.length),
      most_alternation_segments: Math.max(...own.map(({ alternation_segments }) => alternation_segments)),
      p50_ms: at(0.5),
      p95_ms: at(0.95)
    }
  })
