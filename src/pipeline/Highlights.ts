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

/** At most `limit` of them, functions and types outside tests, the most used first. Empty when nothing is indexed. */
export const highlights = (
  limit: number
): Effect.Effect<ReadonlyArray<Highlight>, ServiceFailure, CodeGraph> =>
  Effect.gen(function* () {
    const view = yield* (yield* CodeGraph).view
    const best: Array<{ readonly ref: number; readonly uses: number }> = []
    for (const ref of view.all()) {
      const uses = view.incomingCount(ref)
      if (best.length === limit && uses <= (best[limit - 1]?.uses ?? 0)) continue
      const { kind, name, test } = view.symbol(ref)
      if (test || !callable.has(kind) || name.length < 3) continue
      const at = best.findIndex((other) => other.uses < uses)
      best.splice(at < 0 ? best.length : at, 0, { ref, uses })
      if (best.length > limit) best.pop()
    }
    return best.map(({ ref, uses }) => {
      const { id, kind, line, name, path } = view.symbol(ref)
      return { id, name, kind, path, line, uses }
    })
  })
