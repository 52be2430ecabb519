import { Effect } from "effect"
import { cores } from "../../../algorithms/cores.ts"
import { type PageRank, pageRank } from "../../../algorithms/pageRank.ts"
import { page } from "../../../registry/Answer.ts"
import type { Member } from "../../../registry/Facade.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph, type GraphView } from "../../../services/CodeGraph.ts"
import * as Shared from "../../fields.ts"
import { wholeGround } from "../../shared/structure/Communities.ts"
import { isSymbol, nodeRow, once } from "../../shared/structure/Nodes.ts"
import { usesOf } from "../../shared/structure/Uses.ts"
import { freshnessOf, graph } from "../../shared/symbols.ts"
import { type analyze, kind } from "../facade.ts"
import { kindFilter } from "./fields.ts"

const edgesSaid =
  "uses between definitions, each pair once; imports and name-only uses beside better ones left out"

const usualTolerance = 1e-9

/** With the standard damping. */
export const standardRanks: (view: GraphView) => PageRank = once((view) =>
  pageRank(usesOf(view, "uses").graph, { tolerance: usualTolerance })
)

const rankNeeds = [CodeGraph] as const

export const pagerank: Member<typeof analyze, "pagerank", typeof rankNeeds> = kind("pagerank", {
  summary: "Symbols by PageRank.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      node_kinds: Shared.kinds,
      damping: F.optional(F.described(F.number({ min: 0, max: 1 }), "damping factor; 0.85 unless given")),
      max_iterations: F.clamped({ min: 1, max: 10000 }),
      tolerance: F.optional(F.described(F.number({ min: 0 }), "1e-9 unless given"))
    })
  }),
  needs: rankNeeds,
  handler: ({ options }, call) =>
    Effect.gen(function* () {
      const view = yield* graph
      const wanted = yield* kindFilter(view, "options.node_kinds", options.node_kinds)
      const { damping, max_iterations, tolerance } = options
      const standard = damping === undefined && max_iterations === undefined && tolerance === undefined
      const found = standard
        ? standardRanks(view)
        : pageRank(usesOf(view, "uses").graph, {
            damping,
            rounds: max_iterations,
            tolerance: tolerance ?? usualTolerance
          })
      const { columns } = view
      const nodes: Array<number> = []
      for (let node = 0; node < columns.nodeCount; node++)
        if (
          isSymbol(columns, node) &&
          wanted[columns.kinds[node]!] === 1 &&
          (columns.tests[node] === 0 || options.node_kinds !== undefined)
        )
          nodes.push(node)
      nodes.sort((a, b) => found.ranks[b]! - found.ranks[a]! || a - b)
      return page(
        "pagerank",
        {
          count: nodes.length,
          pagerank: nodes
            .slice(call.offset, call.limit === undefined ? undefined : call.offset + call.limit)
            .map((node) => ({ ...nodeRow(view, node), rank: Number(found.ranks[node]!.toPrecision(6)) })),
          nodes: columns.nodeCount,
          edges: edgesSaid,
          damping: damping ?? 0.85,
          iterations: found.rounds,
          converged: found.converged,
          freshness: freshnessOf(view.freshness)
        },
        { from: call.offset, total: nodes.length, snapshot: view.generation }
      )
    })
})

/** Core numbers by node, of the graph that communities are found in; -1 for what is not in it. */
const coresOf: (view: GraphView) => { readonly of: Int32Array } = once((view, columns) => {
  const { graph: ground, nodes } = wholeGround(view)
  const of = new Int32Array(columns.nodeCount).fill(-1)
  cores(ground).forEach((core, at) => (of[nodes[at]!] = core))
  return { of }
})

const coreNeeds = [CodeGraph] as const

export const kcore: Member<typeof analyze, "kcore", typeof coreNeeds> = kind("kcore", {
  summary: "The most tightly knit part of the graph.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      min_degree: F.optional(F.described(F.count, "least core number; 2 unless given")),
      node_kinds: Shared.kinds
    })
  }),
  needs: coreNeeds,
  handler: ({ options }, call) =>
    Effect.gen(function* () {
      const view = yield* graph
      const wanted = yield* kindFilter(view, "options.node_kinds", options.node_kinds)
      const { of } = coresOf(view)
      const least = options.min_degree ?? 2
      const { columns } = view
      const nodes: Array<number> = []
      let most = 0
      let looked = 0
      for (let node = 0; node < columns.nodeCount; node++) {
        if (of[node]! < 0 || wanted[columns.kinds[node]!] === 0) continue
        looked++
        if (of[node]! > most) most = of[node]!
        if (of[node]! >= least) nodes.push(node)
      }
      nodes.sort((a, b) => of[b]! - of[a]! || a - b)
      return page(
        "kcore",
        {
          count: nodes.length,
          kcore: nodes
            .slice(call.offset, call.limit === undefined ? undefined : call.offset + call.limit)
            .map((node) => ({ ...nodeRow(view, node), k_degree: of[node]! })),
          highest: most,
          looked_at: looked,
          min_degree: least,
          edges:
            "uses between definitions and membership in types; tests and uses known by name only left out",
          freshness: freshnessOf(view.freshness)
        },
        { from: call.offset, total: nodes.length, snapshot: view.generation }
      )
    })
})
