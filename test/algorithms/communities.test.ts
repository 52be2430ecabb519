import * as fc from "effect/FastCheck"
import louvainOf from "graphology-communities-louvain"
import modularityOfGraph from "graphology-metrics/graph/modularity.js"
import type { AbstractGraph } from "graphology-types"
import { describe, expect, it } from "vitest"
import { aggregated, leiden, louvain, modularity } from "../../src/algorithms/communities.ts"
import { weak } from "../../src/algorithms/components.ts"
import { fromEdges, induced, nodesOf, type Undirected, undirected } from "../../src/algorithms/Graph.ts"
import { type Groups, membersOf, numbered } from "../../src/algorithms/Groups.ts"
import { spectral } from "../../src/algorithms/spectral.ts"
import { clustered, graphs, simple, undirectedIn } from "./support.ts"

// Both are CommonJS, and their types say otherwise.
const library = louvainOf as unknown as {
  readonly detailed: (
    graph: AbstractGraph,
    options: { readonly rng: () => number }
  ) => { readonly modularity: number }
}
const modularityOf = modularityOfGraph as unknown as (graph: AbstractGraph) => number

/** The library's own modularity of a division. */
const theirs = (graph: Undirected, groups: Groups): number => {
  const own = undirectedIn(graph)
  own.forEachNode((node) => own.setNodeAttribute(node, "community", groups.of[Number(node)]))
  return modularityOf(own)
}
const found = (graph: Undirected): number => {
  let seed = 7
  const rng = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647
  return library.detailed(undirectedIn(graph), { rng }).modularity
}
const singles = (graph: Undirected) => numbered(Array.from({ length: nodesOf(graph) }, (_, i) => i))

/** The karate club of Zachary (1977): 34 people, 78 friendships. */
const club = (() => {
  const pairs =
    "1-2 1-3 2-3 1-4 2-4 3-4 1-5 1-6 1-7 5-7 6-7 1-8 2-8 3-8 4-8 1-9 3-9 3-10 1-11 5-11 6-11 1-12 1-13 4-13 1-14 2-14 3-14 4-14 6-17 7-17 1-18 2-18 1-20 2-20 1-22 2-22 24-26 25-26 3-28 24-28 25-28 3-29 24-30 27-30 2-31 9-31 1-32 25-32 26-32 29-32 3-33 9-33 15-33 16-33 19-33 21-33 23-33 24-33 30-33 31-33 32-33 9-34 10-34 14-34 15-34 16-34 19-34 20-34 21-34 23-34 24-34 27-34 28-34 29-34 30-34 31-34 32-34 33-34"
      .split(" ")
      .map((pair) => pair.split("-").map((n) => Number(n) - 1) as [number, number])
  return undirected(
    fromEdges(
      34,
      pairs.map(([a]) => a),
      pairs.map(([, b]) => b)
    )
  )
})()

describe("modularity", () => {
  it("is the library's", () => {
    fc.assert(
      fc.property(graphs(), fc.nat(4), (graph, k) => {
        const plain = simple(graph)
        fc.pre(plain.others.length > 0)
        const groups = numbered(Array.from({ length: nodesOf(plain) }, (_, i) => i % (k + 1)))
        expect(modularity(plain, groups)).toBeCloseTo(theirs(plain, groups), 9)
      })
    )
  })
  it("stays what it was when groups become nodes, loops included", () => {
    fc.assert(
      fc.property(graphs(), fc.nat(4), (graph, k) => {
        const whole = undirected(graph)
        const groups = numbered(Array.from({ length: nodesOf(whole) }, (_, i) => (i * 7) % (k + 1)))
        const small = aggregated(whole, groups)
        expect(modularity(small, singles(small))).toBeCloseTo(modularity(whole, groups), 9)
      })
    )
  })
})

describe.each([
  ["Louvain", louvain],
  ["Leiden", leiden]
] as const)("communities by the method of %s", (name, find) => {
  it("are as modular as the library's, within two in a hundred", () => {
    fc.assert(
      fc.property(fc.oneof(clustered, graphs(30, 90)), (graph) => {
        const plain = simple(graph)
        fc.pre(plain.others.length > 0)
        expect(modularity(plain, find(plain))).toBeGreaterThanOrEqual(found(plain) * 0.98 - 1e-9)
      }),
      // Neither method finds the best there is, so one graph in thousands may tell them apart.
      { seed: 3, numRuns: 100 }
    )
  })
  it("find the four groups of the karate club, or nearly", () => {
    expect(modularity(club, find(club))).toBeGreaterThan(0.415)
  })
  it("are smaller at a higher resolution, and the same every time", () => {
    const fine = find(club, { resolution: 3 })
    expect(fine.count).toBeGreaterThan(find(club).count)
    expect(find(club, { resolution: 3 })).toEqual(fine)
  })
  it("leave nodes without edges alone", () => {
    const groups = find({
      starts: new Int32Array(4),
      others: new Int32Array(0),
      weights: new Float64Array(0)
    })
    expect([...groups.of]).toEqual([0, 1, 2])
  })
  if (name === "Leiden")
    it("hang together", () => {
      fc.assert(
        fc.property(fc.oneof(clustered, graphs(30, 60)), (graph) => {
          const plain = simple(graph)
          const groups = find(plain)
          const { members, starts } = membersOf(groups)
          for (let g = 0; g < groups.count; g++)
            expect(weak(induced(plain, members.slice(starts[g], starts[g + 1]))).count).toBe(1)
        })
      )
    })
})

describe("spectral communities", () => {
  it("of the karate club are at least as modular as those Newman (2006) reports", () => {
    expect(modularity(club, spectral(club))).toBeGreaterThanOrEqual(0.393)
  })
  it("never are worse than no division, nor than the two halves of a barbell", () => {
    fc.assert(
      fc.property(clustered, (graph) => {
        const plain = simple(graph)
        expect(modularity(plain, spectral(plain))).toBeGreaterThanOrEqual(-1e-9)
      }),
      { numRuns: 40 }
    )
    const from = [0, 0, 0, 1, 1, 2, 4, 4, 4, 5, 5, 6, 3]
    const to = [1, 2, 3, 2, 3, 3, 5, 6, 7, 6, 7, 7, 4]
    expect([...spectral(undirected(fromEdges(8, from, to))).of]).toEqual([0, 0, 0, 0, 1, 1, 1, 1])
  })
})
