/** Definitions worth showing first: the ones most of the code leans on. */
import { Effect } from "effect"
import { CodeGraph } from "../services/CodeGraph.ts"
import type { ServiceFailure } from "../services/ServiceFailure.ts"

export interface Highlight {
  readonly id: string
  readonly name: string
  readonly kind: string
  readonly path: string
  /** 1-based. */
  readonly line: number
  /** Uses of it. */
  readonly uses: number
}

const callable: ReadonlySet<string> = new Set([
  "function",
  "method",
  "constructor",
  "class",
  "struct",
  "interface",
  "trait",
  "type"
])

/** Lines from which a definition is worth reading. */
const fullLines = 4

interface Candidate {
  readonly ref: number
  readonly uses: number
}

/** Puts a candidate among the most used, of which there are at most `limit`. */
const place = (best: Array<Candidate>, candidate: Candidate, limit: number): void => {
  const at = best.findIndex((other) => other.uses < candidate.uses)
  best.splice(at < 0 ? best.length : at, 0, candidate)
  if (best.length > limit) best.pop()
}

/**
 * At most `limit` of them, functions and types outside tests, the most used first; one-liners only where there are not
 * enough others. Empty when nothing is indexed.
 */
export const highlights = (
  limit: number
): Effect.Effect<ReadonlyArray<Highlight>, ServiceFailure, CodeGraph> =>
  Effect.gen(function* () {
    const view = yield* (yield* CodeGraph).view
    const full: Array<Candidate> = []
    const short: Array<Candidate> = []
    for (const ref of view.all()) {
      const uses = view.incomingCount(ref)
      const enough = (best: ReadonlyArray<Candidate>) =>
        best.length === limit && uses <= (best[limit - 1]?.uses ?? 0)
      if (enough(full) && enough(short)) continue
      const { end_line, kind, name, start_line, test } = view.symbol(ref)
      if (test || !callable.has(kind) || name.length < 3) continue
      const best = end_line - start_line + 1 >= fullLines ? full : short
      if (!enough(best)) place(best, { ref, uses }, limit)
    }
    return [...full, ...short].slice(0, limit).map(({ ref, uses }) => {
      const { id, kind, line, name, path } = view.symbol(ref)
      return { id, name, kind, path, line, uses }
    })
  })
