/** Parts of a graph that hang together. */
import { type Graph, nodesOf } from "./Graph.ts"
import { type Groups, numbered } from "./Groups.ts"

/** Strongly connected components, after Tarjan and without recursion: two nodes are in one when each leads to the other. */
export const strong = (graph: Graph): Groups => {
  const nodes = nodesOf(graph)
  const { others, starts } = graph
  const index = new Int32Array(nodes)
  const low = new Int32Array(nodes)
  const component = new Int32Array(nodes).fill(-1)
  const next = starts.slice(0, nodes)
  const open: Array<number> = []
  const path: Array<number> = []
  let counter = 0
  let count = 0
  for (let root = 0; root < nodes; root++) {
    if (index[root] !== 0) continue
    path.push(root)
    while (path.length > 0) {
      const node = path[path.length - 1]!
      if (index[node] === 0) {
        index[node] = low[node] = ++counter
        open.push(node)
      }
      let deeper = false
      while (next[node]! < starts[node + 1]!) {
        const other = others[next[node]!++]!
        if (index[other] === 0) {
          path.push(other)
          deeper = true
          break
        }
        if (component[other] === -1 && index[other]! < low[node]!) low[node] = index[other]!
      }
      if (deeper) continue
      path.pop()
      const parent = path[path.length - 1]
      if (parent !== undefined && low[node]! < low[parent]!) low[parent] = low[node]!
      if (low[node] !== index[node]) continue
      for (;;) {
        const member = open.pop()!
        component[member] = count
        if (member === node) break
      }
      count++
    }
  }
  return numbered(component)
}

/** Weakly connected components: two nodes are in one when edges lead from one to the other, whatever their directions. */
export const weak = (graph: Graph): Groups => {
  const nodes = nodesOf(graph)
  const { others, starts } = graph
  const parent = Int32Array.from({ length: nodes }, (_, node) => node)
  const top = (node: number): number => {
    let at = node
    while (parent[at] !== at) at = parent[at] = parent[parent[at]!]!
    return at
  }
  for (let node = 0; node < nodes; node++)
    for (let i = starts[node]!; i < starts[node + 1]!; i++) {
      const a = top(node)
      const b = top(others[i]!)
      if (a < b) parent[b] = a
      else if (b < a) parent[a] = b
    }
  for (let node = 0; node < nodes; node++) parent[node] = top(node)
  return numbered(parent)
}
