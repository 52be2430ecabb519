/** Random graphs, and the same graphs as a library has them. */
import * as fc from "effect/FastCheck"
import graphology from "graphology"
import type { AbstractGraph } from "graphology-types"
import {
  fromEdges,
  type Graph,
  merged,
  nodesOf,
  reversed,
  type Undirected,
  undirected
} from "../../src/algorithms/Graph.ts"

export const edgesOf = ({ others, starts }: Graph): ReadonlyArray<readonly [number, number]> => {
  const out: Array<readonly [number, number]> = []
  for (let node = 0; node + 1 < starts.length; node++)
    for (let i = starts[node]!; i < starts[node + 1]!; i++) out.push([node, others[i]!])
  return out
}

/** Graphs with parallel edges and loops, of 1 to `most` nodes. */
export const graphs = (most = 24, edges = 60): fc.Arbitrary<Graph> =>
  fc.integer({ min: 1, max: most }).chain((nodes) =>
    fc.array(fc.tuple(fc.nat(nodes - 1), fc.nat(nodes - 1)), { maxLength: edges }).map((list) =>
      fromEdges(
        nodes,
        list.map(([a]) => a),
        list.map(([, b]) => b)
      )
    )
  )

/** Graphs of a few dense groups with some edges between them. */
export const clustered: fc.Arbitrary<Graph> = fc
  .tuple(fc.integer({ min: 2, max: 6 }), fc.integer({ min: 3, max: 12 }), fc.infiniteStream(fc.nat(99)))
  .map(([groups, size, numbers]) => {
    const from: Array<number> = []
    const to: Array<number> = []
    const nodes = groups * size
    for (let a = 0; a < nodes; a++)
      for (let b = a + 1; b < nodes; b++) {
        const near = Math.floor(a / size) === Math.floor(b / size)
        if ((numbers.next().value as number) < (near ? 70 : 8)) {
          from.push(a)
          to.push(b)
        }
      }
    return fromEdges(nodes, from, to)
  })

type Make = new (options: { readonly type: "directed" | "undirected" }) => AbstractGraph
const { Graph: Library } = graphology as unknown as { readonly Graph: Make }

/** The simple directed graph of the library. */
export const directedIn = (graph: Graph): AbstractGraph => {
  const out = new Library({ type: "directed" })
  for (let node = 0; node < nodesOf(graph); node++) out.addNode(String(node))
  const simple = merged(graph)
  edgesOf(simple).forEach(([a, b], i) => out.addEdge(String(a), String(b), { weight: simple.weights[i] }))
  return out
}

export const undirectedIn = (graph: Undirected): AbstractGraph => {
  const out = new Library({ type: "undirected" })
  for (let node = 0; node < nodesOf(graph); node++) out.addNode(String(node))
  edgesOf(graph).forEach(([a, b], i) => {
    if (a < b) out.addEdge(String(a), String(b), { weight: graph.weights[i] })
  })
  graph.loops?.forEach((weight, node) => {
    if (weight > 0) out.addEdge(String(node), String(node), { weight })
  })
  return out
}

/** The same without loops. */
export const simple = (graph: Graph): Undirected => undirected(merged(graph))

/** Nodes that each node leads to, itself among them, by trying all edges until nothing is new. */
export const closure = (graph: Graph): ReadonlyArray<ReadonlySet<number>> =>
  Array.from({ length: nodesOf(graph) }, (_, root) => {
    const seen = new Set([root])
    for (let before = 0; before !== seen.size; ) {
      before = seen.size
      for (const [a, b] of edgesOf(graph)) if (seen.has(a)) seen.add(b)
    }
    return seen
  })

export { reversed }
