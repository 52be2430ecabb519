/** Where a call goes on through a super type: the members that may take the place of the one that is named. */
import { fromEdges, type Graph, reversed } from "../../../algorithms/Graph.ts"
import { kindsOf, once } from "./Nodes.ts"

export interface Dispatch {
  /** From a member to those of sub types that may run in its place. */
  readonly graph: Graph
  readonly back: Graph
  /** How many edges there are. */
  readonly count: number
}

/** Members without a body lead to all that satisfy them; others to what overrides them. A guess each: which one runs is not known. */
export const dispatchOf: (view: Parameters<ReturnType<typeof once<Dispatch>>>[0]) => Dispatch = once(
  (view, columns) => {
    const { callable, file } = kindsOf(columns)
    const { kinds, nodeCount, parents, primaries } = columns
    const from: Array<number> = []
    const to: Array<number> = []
    for (let node = 0; node < nodeCount; node++) {
      if (callable[kinds[node]!] === 0 || primaries[node] !== node || kinds[parents[node]!] === file) continue
      const seen = new Set([node])
      for (const ref of view.overriders(columns.refOf(node))) {
        const other = primaries[columns.nodeOf(ref)]!
        if (seen.has(other)) continue
        seen.add(other)
        from.push(node)
        to.push(other)
      }
    }
    const graph = fromEdges(nodeCount, from, to)
    return { graph, back: reversed(graph), count: from.length }
  }
)
