/**
 * Counts of calls, for the process that serves them. Keys are names of the registry, failure codes and outcomes, never
 * what a caller wrote. What telemetry writes is read off these counts; nothing is counted a second time.
 */
import { bucket, latency as latencies } from "../telemetry/Buckets.ts"
import { type Outcome, shortened, unknown } from "../telemetry/Keys.ts"
import type { Add } from "../telemetry/Tally.ts"

export interface Count {
  readonly calls: number
  /** Calls by outcome: `ok`, or the code of the failure. */
  readonly outcomes: { readonly [outcome: string]: number }
  /** Calls by duration. */
  readonly latency: { readonly [bucket: string]: number }
}

/** A call that is over. */
export interface Counted {
  /** `facade.operation`, with `unknown` for what is not in the registry. */
  readonly operation: string
  /** `ok`, or the code of the failure. */
  readonly code: string
  readonly milliseconds: number
  /** The name that was called; `unknown` when it is none of ours. */
  readonly tool?: string | undefined
  /** How it came out, in fewer words. */
  readonly outcome?: Outcome | undefined
  /** The operation as telemetry has it, where that is another name. */
  readonly reported?: string | undefined
}

interface Tally {
  calls: number
  readonly outcomes: Map<string, number>
  readonly latency: Map<string, number>
}

const increase = (counts: Map<string, number>, key: string): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** Outcomes of calls that were not understood. */
const invalid: ReadonlySet<Outcome> = new Set(["invalid_operation", "invalid_argument"])

export class Counters {
  readonly #tallies = new Map<string, Tally>()
  /** Calls by the name called, by the operation reported, by outcome, and those that were not understood. */
  readonly #tools = new Map<string, number>()
  readonly #reported = new Map<string, number>()
  readonly #outcomes = new Map<Outcome, number>()
  readonly #invalid = new Map<string, number>()
  /** What was drained so far, by key and dimension. */
  readonly #drained = new Map<string, Map<string, number>>()

  /** Counts one call. */
  count({ code, milliseconds, operation, outcome, reported, tool = unknown }: Counted): void {
    let tally = this.#tallies.get(operation)
    if (tally === undefined) {
      this.#tallies.set(operation, (tally = { calls: 0, outcomes: new Map(), latency: new Map() }))
    }
    tally.calls++
    increase(tally.outcomes, code)
    increase(tally.latency, bucket(latencies, milliseconds))
    increase(this.#tools, tool)
    increase(this.#reported, reported ?? operation)
    const came = outcome ?? (code === "ok" ? "success" : "tool_error")
    increase(this.#outcomes, came)
    if (invalid.has(came)) increase(this.#invalid, reported ?? operation)
  }

  /** The counts so far, by operation. */
  snapshot(): { readonly [operation: string]: Count } {
    return Object.fromEntries(
      [...this.#tallies].map(([operation, { calls, latency, outcomes }]) => [
        operation,
        { calls, outcomes: Object.fromEntries(outcomes), latency: Object.fromEntries(latency) }
      ])
    )
  }

  /** Hands over what was counted since this was last asked, under the keys of telemetry. */
  readonly drain = (add: Add): void => {
    const status = new Map<string, number>()
    const latency = new Map<string, number>()
    for (const tally of this.#tallies.values()) {
      for (const [code, count] of tally.outcomes) {
        const word = code === "ok" ? "ok" : "error"
        status.set(word, (status.get(word) ?? 0) + count)
      }
      for (const [range, count] of tally.latency) latency.set(range, (latency.get(range) ?? 0) + count)
    }
    this.#tell("mcp_tool_call", this.#tools, add)
    this.#tell("mcp_facade_call", this.#reported, add)
    this.#tell("mcp_facade_status", status, add)
    this.#tell("mcp_facade_outcome", this.#outcomes, add)
    this.#tell("mcp_facade_invalid", this.#invalid, add)
    this.#tell("mcp_facade_latency", latency, add)
  }

  #tell(key: string, totals: ReadonlyMap<string, number>, add: Add): void {
    let told = this.#drained.get(key)
    if (told === undefined) this.#drained.set(key, (told = new Map()))
    for (const [dimension, total] of totals) {
      const before = told.get(dimension) ?? 0
      if (total === before) continue
      told.set(dimension, total)
      add(key, shortened(dimension), total - before)
    }
  }
}
