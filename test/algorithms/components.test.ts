import * as fc from "effect/FastCheck"
import components from "graphology-components"
import { describe, expect, it } from "vitest"
import { weakest } from "../../src/algorithms/bridges.ts"
import { strong, weak } from "../../src/algorithms/components.ts"
import { cores } from "../../src/algorithms/cores.ts"
import { fromEdges, induced, merged, nodesOf, reversed, undirected } from "../../src/algorithms/Graph.ts"
import { type Groups, membersOf } from "../../src/algorithms/Groups.ts"
import { closure, directedIn, edgesOf, graphs, simple } from "./support.ts"

const lists = (groups: Groups): ReadonlyArray<ReadonlyArray<number>> => {
  const { members, starts } = membersOf(groups)
  return Array.from({ length: groups.count }, (_, g) =>
    Array.from(members.subarray(starts[g], starts[g + 1]))
  )
}
const sorted = (groups: ReadonlyArray<ReadonlyArray<number>>) =>
  groups.map((group) => [...group].sort((a, b) => a - b)).sort((a, b) => a[0]! - b[0]!)
const numbers = (groups: ReadonlyArray<ReadonlyArray<string>>) => groups.map((group) => group.map(Number))

describe("components", () => {
  it("are those of the library, numbered by their first nodes", () => {
    fc.assert(
      fc.property(graphs(), (graph) => {
        const library = directedIn(graph)
        expect(lists(strong(graph))).toEqual(sorted(numbers(components.stronglyConnectedComponents(library))))
        expect(lists(weak(graph))).toEqual(sorted(numbers(components.connectedComponents(library))))
      })
    )
  })
  it("of a chain of a hundred thousand nodes need no deep stack", () => {
    const nodes = 100_000
    const from = Array.from({ length: nodes }, (_, i) => i)
    const ring = fromEdges(nodes, from, [...from.slice(1), 0])
    expect(strong(ring).count).toBe(1)
    expect(weakest(undirected(ring)).bridges).toEqual([])
  })
})

describe("bridges and joints", () => {
  it("are the edges and nodes whose loss makes more components", () => {
    fc.assert(
      fc.property(graphs(14, 22), (graph) => {
        const plain = simple(graph)
        const nodes = nodesOf(plain)
        const edges = edgesOf(plain).filter(([a, b]) => a < b)
        const count = (list: ReadonlyArray<readonly [number, number]>) =>
          weak(
            fromEdges(
              nodes,
              list.map(([a]) => a),
              list.map(([, b]) => b)
            )
          ).count
        const whole = count(edges)
        const { bridges, joints } = weakest(plain)
        expect(bridges).toEqual(
          edges
            .filter((edge) => count(edges.filter((other) => other !== edge)) > whole)
            .sort((a, b) => a[0] - b[0] || a[1] - b[1])
        )
        expect([...joints]).toEqual(
          Array.from({ length: nodes }, (_, node) => {
            const rest = Array.from({ length: nodes }, (_, i) => i).filter((i) => i !== node)
            const alone = plain.starts[node + 1] === plain.starts[node]
            return !alone && weak(induced(plain, rest)).count > whole ? 1 : 0
          })
        )
      })
    )
  })
})

describe("cores", () => {
  it("are what is left when nodes of too few neighbours are taken away again and again", () => {
    fc.assert(
      fc.property(graphs(), (graph) => {
        const plain = simple(graph)
        const nodes = nodesOf(plain)
        const expected = Array.from({ length: nodes }, () => 0)
        for (let k = 1; k < nodes; k++) {
          const alive = new Set(Array.from({ length: nodes }, (_, i) => i))
          for (let before = -1; before !== alive.size; ) {
            before = alive.size
            for (const node of Array.from(alive)) {
              const row = plain.others.slice(plain.starts[node], plain.starts[node + 1])
              if (row.filter((other) => alive.has(other)).length < k) alive.delete(node)
            }
          }
          for (const node of alive) expected[node] = k
        }
        expect([...cores(plain)]).toEqual(expected)
      })
    )
  })
})

describe("graphs", () => {
  it("keep what they hold when turned around, merged or taken without directions", () => {
    fc.assert(
      fc.property(graphs(), (graph) => {
        const edges = edgesOf(graph)
        const text = (list: ReadonlyArray<readonly [number, number]>) => list.map(String).sort()
        expect(text(edgesOf(reversed(graph)).map(([a, b]) => [b, a]))).toEqual(text(edges))
        const one = merged(graph)
        expect(new Set(text(edgesOf(one))).size).toBe(one.others.length)
        expect(one.weights.reduce((sum, weight) => sum + weight, 0)).toBe(
          edges.filter(([a, b]) => a !== b).length
        )
        const both = undirected(graph)
        expect(text(edgesOf(both).map(([a, b]) => [b, a]))).toEqual(text(edgesOf(both)))
        const loops = both.loops?.reduce((sum, weight) => sum + weight, 0) ?? 0
        expect(both.weights.reduce((sum, weight) => sum + weight, 0) / 2 + loops).toBe(edges.length)
      })
    )
  })
  it("have the closure that components are made of", () => {
    fc.assert(
      fc.property(graphs(10, 20), (graph) => {
        const reach = closure(graph)
        const { of } = strong(graph)
        for (let a = 0; a < of.length; a++)
          for (let b = 0; b < of.length; b++)
            expect(of[a] === of[b]).toBe(reach[a]!.has(b) && reach[b]!.has(a))
      }),
      { numRuns: 50 }
    )
  })
})
