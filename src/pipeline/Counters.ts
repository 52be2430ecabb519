/**
 * Counts of calls, for the process that serves them. Nothing leaves it: there is no file and no sender. Keys are names of
 * the registry and failure codes, never what a caller wrote.
 */

/** Upper bounds of the latency buckets in milliseconds, and their names. */
const buckets: ReadonlyArray<readonly [number, string]> = [
  [1, "<1ms"],
  [10, "1-10ms"],
  [100, "10-100ms"],
  [1_000, "100ms-1s"],
  [10_000, "1-10s"],
  [Infinity, "10s+"]
]

export interface Count {
  readonly calls: number
  /** Calls by outcome: `ok`, or the code of the failure. */
  readonly outcomes: { readonly [outcome: string]: number }
  /** Calls by duration. */
  readonly latency: { readonly [bucket: string]: number }
}

interface Tally {
  calls: number
  readonly outcomes: Map<string, number>
  readonly latency: Map<string, number>
}

const increase = (counts: Map<string, number>, key: string): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

export class Counters {
  readonly #tallies = new Map<string, Tally>()

  /** Counts one call. `operation` is `facade.operation`, or `facade.unknown`. */
  count(operation: string, outcome: string, milliseconds: number): void {
    let tally = this.#tallies.get(operation)
    if (tally === undefined) {
      this.#tallies.set(operation, (tally = { calls: 0, outcomes: new Map(), latency: new Map() }))
    }
    tally.calls++
    increase(tally.outcomes, outcome)
    increase(tally.latency, buckets.find(([bound]) => milliseconds < bound)?.[1] ?? "10s+")
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
}
