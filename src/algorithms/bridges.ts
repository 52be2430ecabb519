/** What holds a graph together all by itself. */
import { nodesOf, type Undirected } from "./Graph.ts"

export interface Weakest {
  /** Edges without which a part falls in two, each by its lower and its higher node, ascending. */
  readonly bridges: ReadonlyArray<readonly [number, number]>
  /** 1 for nodes without which a part falls in two or more. */
  readonly joints: Uint8Array
}

/** Bridges and articulation points, by one walk in depth without recursion. */
export const weakest = (graph: Undirected): Weakest => {
  const nodes = nodesOf(graph)
  const { others, starts } = graph
  const index = new Int32Array(nodes)
  const low = new Int32Array(nodes)
  const parent = new Int32Array(nodes).fill(-1)
  const next = starts.slice(0, nodes)
  const joints = new Uint8Array(nodes)
  const bridges: Array<readonly [number, number]> = []
  const path: Array<number> = []
  let counter = 0
  for (let root = 0; root < nodes; root++) {
    if (index[root] !== 0) continue
    let branches = 0
    path.push(root)
    index[root] = low[root] = ++counter
    while (path.length > 0) {
      const node = path[path.length - 1]!
      if (next[node]! < starts[node + 1]!) {
        const other = others[next[node]!++]!
        if (index[other] === 0) {
          parent[other] = node
          index[other] = low[other] = ++counter
          path.push(other)
          if (node === root) branches++
        } else if (other !== parent[node] && index[other]! < low[node]!) low[node] = index[other]!
        continue
      }
      path.pop()
      const above = parent[node]!
      if (above < 0) continue
      if (low[node]! < low[above]!) low[above] = low[node]!
      if (low[node]! > index[above]!) bridges.push(node < above ? [node, above] : [above, node])
      if (above !== root && low[node]! >= index[above]!) joints[above] = 1
    }
    if (branches > 1) joints[root] = 1
  }
  bridges.sort((a, b) => a[0] - b[0] || a[1] - b[1])
  return { bridges, joints }
}
