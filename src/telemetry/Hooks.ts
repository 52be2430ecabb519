/**
 * What hooks did, for this machine alone, in two files with one line of JSON for each time a hook ran: how well it did
 * (whether the agent was told something, whether its server listens, how long it took), and what it decided and why.
 * Neither tells anything of what the event was about.
 */
import { hosts } from "../hosts/index.ts"
import { reasons } from "../hosts/hook/Advice.ts"
import { toolNames } from "../hosts/hook/Tools.ts"
import { isRecord } from "../registry/Json.ts"
import type { Environment } from "./Consent.ts"
import { Lines } from "./Lines.ts"

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
export const hookAgents: ReadonlyArray<string> = [
  ...hosts.filter(({ hooks }) => hooks !== undefined).map(({ name }) => name),
  "other"
]

/** Alternatives of a pattern are counted up to this. */
export const mostAlternatives = 8
const mostMs = 600_000

export interface Observation {
  /** ISO 8601, UTC. */
  readonly ts: string
  readonly event: HookEventName
  readonly agent: string
  readonly emitted_context: boolean
  /** Absent where the hook was told of no server to ask. */
  readonly server_reachable?: boolean
  /** From 0 to {@link mostAlternatives}. */
  readonly alternation_segments: number
  /** Whole milliseconds, from the start of the process. */
  readonly duration_ms: number
}

/** What a hook can decide. */
export const decisions = ["advised", "silent"] as const

export interface Decision {
  /** ISO 8601, UTC. */
  readonly ts: string
  readonly event: HookEventName
  readonly agent: string
  readonly decision: (typeof decisions)[number]
  readonly reason: (typeof reasons)[number]
  /** The host's tool, one of {@link toolNames}; absent for events without one. */
  readonly tool?: string
}

const oneOf = <const W extends ReadonlyArray<string>>(words: W, value: unknown): W[number] =>
  words.find((word) => word === value) ?? "other"

const isTime = (value: unknown): value is string =>
  typeof value === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z$/.test(value)

const whole = (value: unknown, most: number): number =>
  typeof value === "number" && value >= 0 ? Math.min(most, Math.round(value)) : 0

/** An observation out of anything: with what the list above has, in its bounds, and nothing else; undefined for no time. */
export const observationOf = (value: unknown): Observation | undefined => {
  if (!isRecord(value)) return undefined
  const { server_reachable: reachable, ts } = value
  if (!isTime(ts)) return undefined
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

/** A decision out of anything, in the same way; undefined for no time, decision or reason. */
export const decisionOf = (value: unknown): Decision | undefined => {
  if (!isRecord(value)) return undefined
  const { tool, ts } = value
  const decision = decisions.find((word) => word === value["decision"])
  const reason = reasons.find((word) => word === value["reason"])
  if (!isTime(ts) || decision === undefined || reason === undefined) return undefined
  return {
    ts,
    event: oneOf(hookEvents, value["event"]),
    agent: oneOf(hookAgents, value["agent"]),
    decision,
    reason,
    ...(tool === undefined ? {} : { tool: oneOf(toolNames, tool) })
  }
}

/** How well hooks did. */
export const hookEffectiveness = new Lines("hook-effectiveness", observationOf)
/** What hooks decided. */
export const hookDecisions = new Lines("hook-decisions", decisionOf)

/** Removes what was written down of hooks. */
export const clearHooks = (env: Environment): void => {
  hookEffectiveness.clear(env)
  hookDecisions.clear(env)
}

/** How often hooks decided the same, for the same reason. */
export interface DecisionSummary extends Omit<Decision, "ts" | "agent"> {
  readonly times: number
}

/** By event, decision, reason and tool, the most frequent first. */
export const summarizeDecisions = (all: ReadonlyArray<Decision>): ReadonlyArray<DecisionSummary> => {
  const found = new Map<string, DecisionSummary>()
  for (const { decision, event, reason, tool } of all) {
    const what = { event, decision, reason, ...(tool === undefined ? {} : { tool }) }
    const key = JSON.stringify(what)
    found.set(key, { ...what, times: (found.get(key)?.times ?? 0) + 1 })
  }
  return [...found.values()].sort((a, b) => b.times - a.times)
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
