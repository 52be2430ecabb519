import * as fc from "effect/FastCheck"
import { describe, expect, it } from "vitest"
import { type Graph, nodesOf, reversed } from "../../src/algorithms/Graph.ts"
import { shortest, shortestWays, within } from "../../src/algorithms/paths.ts"
import { edgesOf, graphs } from "./support.ts"

/** All ways without a node twice, the shortest first. */
const ways = (graph: Graph, from: number, to: number): ReadonlyArray<ReadonlyArray<number>> => {
  const edges = new Set(edgesOf(graph).map(String))
  const out: Array<ReadonlyArray<number>> = []
  const go = (path: ReadonlyArray<number>) => {
    const last = path[path.length - 1]!
    if (last === to) {
      out.push(path)
      return
    }
    for (let next = 0; next < nodesOf(graph); next++)
      if (!path.includes(next) && edges.has(`${last},${next}`)) go([...path, next])
  }
  go([from])
  return out.sort((a, b) => a.length - b.length)
}
const small = graphs(7, 16)

describe("shortest ways", () => {
  it("are as many and as short as all ways tried say", () => {
    fc.assert(
      fc.property(small, fc.nat(6), fc.nat(6), fc.integer({ min: 1, max: 6 }), (graph, a, b, count) => {
        const from = a % nodesOf(graph)
        const to = b % nodesOf(graph)
        const all = ways(graph, from, to)
        const found = shortestWays(graph, reversed(graph), from, to, { count, most: 100 })
        const known = new Set(all.map(String))
        expect(found.length).toBe(Math.min(count, all.length))
        expect(new Set(found.map(String)).size).toBe(found.length)
        expect(found.map((path) => path.length)).toEqual(all.slice(0, count).map((path) => path.length))
        for (const path of found) expect(known.has(String(path))).toBe(true)
      }),
      { numRuns: 300 }
    )
  })
  it("keep to their bound, and tell a bound from the end of the graph", () => {
    fc.assert(
      fc.property(small, fc.nat(6), fc.nat(6), fc.nat(5), (graph, a, b, most) => {
        const from = a % nodesOf(graph)
        const to = b % nodesOf(graph)
        const [best] = ways(graph, from, to)
        const { bounded, path } = shortest(graph, reversed(graph), from, to, { most })
        if (best !== undefined && best.length - 1 <= most) expect(path?.length).toBe(best.length)
        else {
          expect(path).toBeUndefined()
          if (best !== undefined) expect(bounded).toBe(true)
        }
      }),
      { numRuns: 300 }
    )
  })
  it("take no edge that is not allowed", () => {
    const graph = { starts: Int32Array.of(0, 2, 3, 3), others: Int32Array.of(1, 2, 2) }
    const allows = (a: number, b: number) => !(a === 0 && b === 2)
    expect(shortest(graph, reversed(graph), 0, 2, { most: 9, allows }).path).toEqual([0, 1, 2])
    expect(shortestWays(graph, reversed(graph), 0, 2, { most: 9, count: 9, allows })).toEqual([[0, 1, 2]])
  })
})

describe("what is within a distance", () => {
  it("is what rings of neighbours hold, nearest first", () => {
    fc.assert(
      fc.property(graphs(), fc.nat(23), fc.nat(5), (graph, a, depth) => {
        const root = a % nodesOf(graph)
        const rings = new Map([[root, 0]])
        for (let ring = 1; ring <= depth; ring++)
          for (const [from, to] of edgesOf(graph))
            if (rings.get(from) === ring - 1 && !rings.has(to)) rings.set(to, ring)
        const { levels, nodes } = within(graph, [root], depth)
        const depths = Array.from(nodes, (_, i) => levels.findIndex((end) => i < end))
        expect(new Map(depths.map((at, i) => [nodes[i]!, at]))).toEqual(rings)
        expect([...levels].sort((x, y) => x - y)).toEqual(levels)
        expect(levels.at(-1)).toBe(rings.size)
      })
    )
  })
})
