/** How likely somebody is to be at a node who follows edges at random, and now and then starts anew. */
import { type Graph, nodesOf } from "./Graph.ts"

export interface PageRankOptions {
  /** How likely an edge is followed rather than a new start made; 0.85 by default. */
  readonly damping?: number | undefined
  /** Rounds at most; 100 by default. */
  readonly rounds?: number | undefined
  /** It is done once a round moves less than this times the number of nodes; 1e-6 by default. */
  readonly tolerance?: number | undefined
}

export interface PageRank {
  /** Sums to 1 over all nodes. */
  readonly ranks: Float64Array
  readonly rounds: number
  /** False when the rounds ran out before it was done. */
  readonly converged: boolean
}

/** Edges count by their weights, 1 each without. A node without edges leads to every node. */
export const pageRank = (
  graph: Graph & { readonly weights?: Float64Array },
  { damping = 0.85, rounds = 100, tolerance = 1e-6 }: PageRankOptions = {}
): PageRank => {
  const nodes = nodesOf(graph)
  const { others, starts, weights } = graph
  let ranks = new Float64Array(nodes).fill(nodes === 0 ? 0 : 1 / nodes)
  const totals = new Float64Array(nodes)
  for (let node = 0; node < nodes; node++)
    for (let i = starts[node]!; i < starts[node + 1]!; i++)
      totals[node]! += weights === undefined ? 1 : weights[i]!
  let spare = new Float64Array(nodes)
  let round = 0
  let converged = nodes === 0
  while (!converged && round < rounds) {
    round++
    let loose = 0
    for (let node = 0; node < nodes; node++) if (totals[node] === 0) loose += ranks[node]!
    spare.fill((1 - damping + damping * loose) / nodes)
    for (let node = 0; node < nodes; node++) {
      const total = totals[node]!
      if (total === 0) continue
      const share = (damping * ranks[node]!) / total
      for (let i = starts[node]!; i < starts[node + 1]!; i++)
        spare[others[i]!]! += weights === undefined ? share : share * weights[i]!
    }
    let moved = 0
    for (let node = 0; node < nodes; node++) moved += Math.abs(spare[node]! - ranks[node]!)
    const last = ranks
    ranks = spare
    spare = last
    converged = moved < nodes * tolerance
  }
  return { ranks, rounds: round, converged }
}
