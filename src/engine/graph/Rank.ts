/** How much of a code base leans on each definition: PageRank along uses, as a share of the highest. */
import type { SymbolRef } from "../../services/CodeGraph.ts"
import { I } from "../languages/Facts.ts"
import { G, targetTier, Tier } from "./Edges.ts"
import { definitionAround, liftLocal, originsOf } from "./Origins.ts"
import type { Snapshot } from "./Snapshot.ts"
import { definitionOf, fileOf } from "./World.ts"

const damping = 0.85
const rounds = 20

/** Ranks from 0 to 1, the highest 1. Edges known by name only do not count. */
export const ranks = ({ files, resolved }: Snapshot): ((ref: SymbolRef) => number) => {
  const bases = new Int32Array(files.length + 1)
  for (let i = 0; i < files.length; i++) bases[i + 1] = bases[i]! + 1 + (files[i]?.view?.definitionCount ?? 0)
  const nodes = bases[files.length]!
  const sources: Array<number> = []
  const targets: Array<number> = []
  const uses = new Int32Array(nodes)
  for (let file = 0; file < files.length; file++) {
    const view = files[file]?.view
    const edges = resolved[file]?.edges
    if (view === undefined || edges === undefined) continue
    for (let p = 0; p < edges.length; p += G.size) {
      const target = edges[p + G.target]!
      if (targetTier(target) === Tier.name) continue
      const source = edges[p]!
      const around =
        source >= 0
          ? definitionAround(originsOf(view)[source]!)
          : -1 - source < view.importCount
            ? liftLocal(view, view.import(-1 - source, I.within))
            : -1
      const from = bases[file]! + around + 1
      const to = bases[edges[p + G.file]!]! + (target & 0xffffff)
      if (from === to) continue
      sources.push(from)
      targets.push(to)
      uses[from]!++
    }
  }
  let rank = new Float64Array(nodes).fill(1)
  for (let round = 0; round < rounds && sources.length > 0; round++) {
    const next = new Float64Array(nodes).fill(1 - damping)
    for (let i = 0; i < sources.length; i++)
      next[targets[i]!]! += (damping * rank[sources[i]!]!) / uses[sources[i]!]!
    rank = next
  }
  let highest = 0
  for (const one of rank) if (one > highest) highest = one
  return (ref) => (highest === 0 ? 0 : rank[bases[fileOf(ref)]! + definitionOf(ref) + 1]! / highest)
}
