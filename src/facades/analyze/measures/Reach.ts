/** What depends on each definition, near by: what a change of it is likely to touch. */
import type { GraphView } from "../../../services/CodeGraph.ts"
import { dispatchOf } from "../../shared/structure/Dispatch.ts"
import { kindsOf, once } from "../../shared/structure/Nodes.ts"
import { usesOf } from "../../shared/structure/Uses.ts"

/** Edges that are followed back, and definitions after which no more are counted: beyond them no score changes. */
export const reachDepth = 3
export const mostReached = 300

/** Users of a definition, and of those it may take the place of. */
interface Counter {
  /** Definitions within {@link reachDepth} edges that depend on a node, at most {@link mostReached}. */
  readonly count: (node: number) => number
}

export const reachOf: (view: GraphView) => Counter = once((view, columns): Counter => {
  const { back } = usesOf(view, "uses")
  const above = dispatchOf(view).back
  const { file } = kindsOf(columns)
  const known = new Int32Array(columns.nodeCount).fill(-1)
  const stamps = new Int32Array(columns.nodeCount).fill(-1)
  const queue: Array<number> = []
  const count = (root: number): number => {
    queue.length = 0
    queue.push(root)
    stamps[root] = root
    let level = 1
    for (let at = 0, depth = 0; at < queue.length && depth < reachDepth; depth++) {
      level = queue.length
      for (; at < level; at++) {
        const node = queue[at]!
        if (columns.kinds[node] === file && node !== root) continue
        const visit = (of: number) => {
          for (let e = back.starts[of]!; e < back.starts[of + 1]!; e++) {
            const other = back.others[e]!
            if (stamps[other] === root) continue
            stamps[other] = root
            queue.push(other)
          }
        }
        visit(node)
        for (let e = above.starts[node]!; e < above.starts[node + 1]!; e++) visit(above.others[e]!)
        if (queue.length > mostReached) return mostReached
      }
    }
    return queue.length - 1
  }
  return {
    count: (node) => {
      if (known[node] === -1) known[node] = count(node)
      return known[node]!
    }
  }
})
