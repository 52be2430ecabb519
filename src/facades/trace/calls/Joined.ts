/** Two graphs over the same nodes as one: the edges of the first come first. */
import type { Graph } from "../../../algorithms/Graph.ts"
import type { GraphView } from "../../../services/CodeGraph.ts"

const made = new WeakMap<Int32Array, WeakMap<Int32Array, Graph>>()

export const joined = (view: GraphView, first: Graph, second: Graph): Graph => {
  let of = made.get(first.others)
  if (of === undefined) made.set(first.others, (of = new WeakMap()))
  let graph = of.get(second.others)
  if (graph === undefined) of.set(second.others, (graph = both(view.columns.nodeCount, first, second)))
  return graph
}

const both = (nodes: number, first: Graph, second: Graph): Graph => {
  const starts = new Int32Array(nodes + 1)
  const others = new Int32Array(first.others.length + second.others.length)
  let at = 0
  for (let node = 0; node < nodes; node++) {
    for (const { others: ends, starts: begins } of [first, second])
      for (let i = begins[node]!; i < begins[node + 1]!; i++) others[at++] = ends[i]!
    starts[node + 1] = at
  }
  return { starts, others }
}
