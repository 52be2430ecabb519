/** On how many of the shortest ways through a graph each node lies. */
import { type Graph, nodesOf } from "./Graph.ts"

export interface Betweenness {
  /** For each node the sum over pairs of others of the share of their shortest ways that go through it; scaled up from a sample. */
  readonly of: Float64Array
  /** Nodes that ways were followed from. */
  readonly sources: number
  readonly exact: boolean
}

/**
 * After Brandes, along the edges' directions, each of length 1. With more nodes that lead anywhere than `sources`, ways
 * are followed from so many of them, evenly spread over their numbers.
 */
export const betweenness = (graph: Graph, { sources }: { readonly sources?: number } = {}): Betweenness => {
  const nodes = nodesOf(graph)
  const { others, starts } = graph
  const all: Array<number> = []
  for (let node = 0; node < nodes; node++) if (starts[node + 1]! > starts[node]!) all.push(node)
  const count = Math.min(all.length, sources ?? all.length)
  const of = new Float64Array(nodes)
  const ways = new Float64Array(nodes)
  const distance = new Int32Array(nodes).fill(-1)
  const share = new Float64Array(nodes)
  const order = new Int32Array(nodes)
  for (let pick = 0; pick < count; pick++) {
    const source = all[Math.floor((pick * all.length) / count)]!
    let size = 1
    order[0] = source
    distance[source] = 0
    ways[source] = 1
    for (let at = 0; at < size; at++) {
      const node = order[at]!
      for (let i = starts[node]!; i < starts[node + 1]!; i++) {
        const other = others[i]!
        if (distance[other] === -1) {
          distance[other] = distance[node]! + 1
          order[size++] = other
        }
        if (distance[other] === distance[node]! + 1) ways[other]! += ways[node]!
      }
    }
    for (let at = size - 1; at >= 0; at--) {
      const node = order[at]!
      for (let i = starts[node]!; i < starts[node + 1]!; i++) {
        const other = others[i]!
        if (distance[other] === distance[node]! + 1)
          share[node]! += (ways[node]! / ways[other]!) * (1 + share[other]!)
      }
      if (node !== source) of[node]! += share[node]!
    }
    for (let at = 0; at < size; at++) {
      const node = order[at]!
      ways[node] = share[node] = 0
      distance[node] = -1
    }
  }
  if (count > 0 && count < all.length)
    for (let node = 0; node < nodes; node++) of[node]! *= all.length / count
  return { of, sources: count, exact: count === all.length }
}
