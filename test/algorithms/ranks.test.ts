import * as fc from "effect/FastCheck"
import betweennessIn from "graphology-metrics/centrality/betweenness.js"
import pageRankIn from "graphology-metrics/centrality/pagerank.js"
import type { AbstractGraph } from "graphology-types"
import { describe, expect, it } from "vitest"
import { betweenness } from "../../src/algorithms/betweenness.ts"
import { merged, nodesOf } from "../../src/algorithms/Graph.ts"
import { pageRank } from "../../src/algorithms/pageRank.ts"
import { directedIn, graphs } from "./support.ts"

// Both are CommonJS, and their types say otherwise.
type Centrality = (graph: AbstractGraph, options: object) => { readonly [node: string]: number }
const library = betweennessIn as unknown as Centrality
const pageRankOf = pageRankIn as unknown as Centrality

describe("PageRank", () => {
  it("is the library's within a millionth, weights and other damping included", () => {
    fc.assert(
      fc.property(graphs(), fc.constantFrom(0.5, 0.85, 0.95), (graph, damping) => {
        const weighted = merged(graph)
        const theirs = pageRankOf(directedIn(graph), {
          alpha: damping,
          tolerance: 1e-12,
          maxIterations: 10_000
        })
        const ours = pageRank(weighted, { damping, tolerance: 1e-12, rounds: 10_000 })
        expect(ours.converged).toBe(true)
        expect(ours.ranks.reduce((sum, rank) => sum + rank, 0)).toBeCloseTo(1, 9)
        for (let node = 0; node < nodesOf(graph); node++)
          expect(Math.abs(ours.ranks[node]! - theirs[String(node)]!)).toBeLessThan(1e-6)
      })
    )
  })
  it("says when its rounds ran out", () => {
    const graph = merged({ starts: Int32Array.of(0, 1, 2, 3), others: Int32Array.of(1, 2, 1) })
    expect(pageRank(graph, { rounds: 1, tolerance: 1e-12 })).toMatchObject({ rounds: 1, converged: false })
  })
})

describe("betweenness", () => {
  it("is the library's when all sources are taken", () => {
    fc.assert(
      fc.property(graphs(), (graph) => {
        const theirs = library(directedIn(graph), { normalized: false, getEdgeWeight: null })
        const { exact, of } = betweenness(merged(graph))
        expect(exact).toBe(true)
        for (let node = 0; node < nodesOf(graph); node++)
          expect(of[node]!).toBeCloseTo(theirs[String(node)]!, 6)
      })
    )
  })
  it("from a sample is the same every time, and of the size of the whole", () => {
    const nodes = 200
    const edges = Array.from({ length: nodes }, (_, i) => [(i + 1) % nodes, (i * 7 + 3) % nodes])
    const graph = merged({
      starts: Int32Array.from({ length: nodes + 1 }, (_, i) => 2 * i),
      others: Int32Array.from(edges.flat())
    })
    const sampled = betweenness(graph, { sources: 50 })
    expect(sampled).toMatchObject({ sources: 50, exact: false })
    expect(betweenness(graph, { sources: 50 }).of).toEqual(sampled.of)
    const total = (list: Float64Array) => list.reduce((sum, each) => sum + each, 0)
    const ratio = total(sampled.of) / total(betweenness(graph).of)
    expect(ratio).toBeGreaterThan(0.8)
    expect(ratio).toBeLessThan(1.25)
  })
})
