/** How many other files tend to change together with each one, from the last commits. */
import { Effect } from "effect"
import type { GraphView } from "../../../services/CodeGraph.ts"
import { GitReader } from "../../../services/GitReader.ts"

/** Commits looked at; those of more files tie nothing together. */
export const commits = 500
const mostFiles = 30
/** Commits two files share at least, and the least cosine of their changes. */
const leastShared = 3
const leastCosine = 0.4

/** Partners by path; undefined where there is no history to read. */
export type CoChange = ReadonlyMap<string, number> | undefined

const mined = (
  log: ReadonlyArray<{ readonly files: ReadonlyArray<string> }>
): ReadonlyMap<string, number> => {
  const alone = new Map<string, number>()
  const together = new Map<string, Map<string, number>>()
  for (const { files } of log) {
    if (files.length > mostFiles) continue
    for (const a of files) {
      alone.set(a, (alone.get(a) ?? 0) + 1)
      let own = together.get(a)
      if (own === undefined) together.set(a, (own = new Map()))
      for (const b of files) if (a !== b) own.set(b, (own.get(b) ?? 0) + 1)
    }
  }
  const partners = new Map<string, number>()
  for (const [a, own] of together) {
    let count = 0
    for (const [b, shared] of own)
      if (shared >= leastShared && shared / Math.sqrt(alone.get(a)! * alone.get(b)!) >= leastCosine) count++
    if (count > 0) partners.set(a, count)
  }
  return partners
}

/** By the commit a view is on: history does not change while that stays. */
const known = new Map<string, CoChange>()
const mostKnown = 8

export const coChangeOf = (view: GraphView): Effect.Effect<CoChange, never, GitReader> =>
  Effect.gen(function* () {
    const { head } = view.freshness
    if (head === undefined) return undefined
    if (known.has(head)) return known.get(head)
    const git = yield* GitReader
    const log = yield* Effect.either(git.log({ limit: commits }))
    const found = log._tag === "Left" ? undefined : mined(log.right)
    if (found === undefined) return undefined
    if (known.size >= mostKnown) known.delete(known.keys().next().value!)
    known.set(head, found)
    return found
  })
