import { Effect } from "effect"
import { within } from "../../../algorithms/paths.ts"
import { page } from "../../../registry/Answer.ts"
import type { Member } from "../../../registry/Facade.ts"
import * as F from "../../../registry/Fields.ts"
import { byteLength } from "../../../registry/Json.ts"
import { CodeGraph, type GraphView, type Tier } from "../../../services/CodeGraph.ts"
import * as Shared from "../../fields.ts"
import { runs } from "../../relations/callers.ts"
import { dispatchOf } from "../../shared/structure/Dispatch.ts"
import { startsOf } from "../../shared/structure/Subject.ts"
import { idsOf, membersOf, type NodeRow, nodeRow } from "../../shared/structure/Nodes.ts"
import { tierNames, useRow, usesOf } from "../../shared/structure/Uses.ts"
import { freshnessOf, graph, oneOf, type Open, rowOf } from "../../shared/symbols.ts"
import { trace } from "../facade.ts"
import { start } from "./fields.ts"
import { joined } from "./Joined.ts"

/** Definitions listed behind which a chain may go on, and candidates named for each. */
const mostBoundaries = 20
const mostCandidates = 5
/** Edges of one definition in an answer. */
const mostEdges = 100

/** Calls of some nodes that were left out for their tier, as other walks count them. */
const hiddenIn = (
  view: GraphView,
  nodes: Int32Array,
  { include_speculative, min_tier }: { readonly include_speculative: boolean; readonly min_tier?: Tier }
) => {
  const { out, roleNames, roles, tiers } = view.columns
  const least = min_tier === undefined ? 2 : tierNames.indexOf(min_tier)
  if (min_tier === undefined && include_speculative) return {}
  const takes = roleNames.map((role) => runs.has(role))
  let count = 0
  for (const node of nodes) {
    let hidden = 0
    let better = min_tier !== undefined
    for (let e = out.starts[node]!; e < out.starts[node + 1]!; e++) {
      if (takes[roles[e]!] === false) continue
      if (tiers[e]! > least) hidden++
      else better = true
    }
    if (better) count += hidden
  }
  return count === 0 ? {} : { [min_tier === undefined ? "text_matched_suppressed" : "below_min_tier"]: count }
}

interface ChainRow extends Readonly<NodeRow> {
  readonly depth: number
  readonly test?: true
  readonly edge_count?: number
}

const needs = [CodeGraph] as const

export const callChain: Member<typeof trace, "call_chain", typeof needs> = trace.operation("call_chain", {
  narrows: true,
  tool: "get_call_chain",
  federated: true,
  presets: ["agent", "core", "nav", "hybrid"],
  summary: "Calls forward from a function, to a depth.",
  page: { default: 50, max: 1000 },
  input: F.input({
    target: start,
    options: F.group({
      depth: Shared.depth(4),
      min_tier: Shared.minTier,
      include_speculative: Shared.speculative
    })
  }),
  needs,
  handler: ({ options, target }, call) =>
    Effect.gen(function* () {
      const view = yield* graph
      const ref = yield* oneOf(view, target.symbol, {
        facade: "trace",
        operation: "call_chain",
        field: "target.symbol"
      })
      const { columns } = view
      const starts = startsOf(view, ref)
      const calls = usesOf(
        view,
        "calls",
        options.min_tier ?? (options.include_speculative ? "name" : "usual")
      )
      const dispatch = dispatchOf(view)
      const walked = options.include_speculative ? joined(view, calls.graph, dispatch.graph) : calls.graph
      const { levels, nodes } = within(walked, starts, options.depth)
      const roots = levels[0] ?? 0
      const total = nodes.length - roots
      /** Those that were gone on from come first. */
      const passed = nodes.subarray(0, levels[options.depth - 1] ?? nodes.length)

      const boundaries = options.include_speculative
        ? new Int32Array(0)
        : nodes.filter((node) => dispatch.graph.starts[node + 1]! > dispatch.graph.starts[node]!)
      const local = columns.nodeOf(ref)
      const ids = idsOf(view)
      const head = {
        symbol: rowOf(view.symbol(ref)),
        ...(starts.length === 1 && starts[0] !== local && columns.primaries[local] === local
          ? { followed_from: ids(starts[0]!) }
          : {}),
        depth: options.depth,
        total_nodes: total,
        depth_reached: Math.max(0, levels.length - 1),
        ...hiddenIn(view, passed, options),
        completeness: {
          complete: false,
          reason: [
            "unresolved_names_are_not_listed",
            ...(view.freshness.state === "fresh" ? [] : [`index_${view.freshness.state}`]),
            ...(boundaries.length === 0 ? [] : ["dynamic_boundaries"])
          ].join(", ")
        },
        freshness: freshnessOf(view.freshness),
        ...(boundaries.length === 0
          ? {}
          : {
              dynamic_boundaries: Array.from(boundaries.subarray(0, mostBoundaries), (node) => {
                const { others, starts: at } = dispatch.graph
                const candidates = others.subarray(at[node]!, at[node + 1]!)
                return {
                  id: ids(node),
                  candidates: Array.from(candidates.subarray(0, mostCandidates), ids),
                  candidate_count: candidates.length
                }
              }),
              ...(boundaries.length > mostBoundaries ? { dynamic_boundary_count: boundaries.length } : {})
            })
      }

      // Edges of a page are those that lead to its nodes from the start or nodes found before.
      const isPassed = membersOf(columns.nodeCount, passed)
      const rows: Array<object> = []
      const edges: Array<object> = []
      let used = byteLength(head) + 400
      let depth = 0
      const end = call.limit === undefined ? nodes.length : roots + call.offset + call.limit
      for (let i = roots + call.offset; i < Math.min(end, nodes.length); i++) {
        const node = nodes[i]!
        const before = edges.length
        let count = 0
        let bytes = 0
        const add = (row: object) => {
          edges.push(row)
          bytes += byteLength(row) + 1
        }
        for (let e = calls.back.starts[node]!; e < calls.back.starts[node + 1]!; e++) {
          const from = calls.back.others[e]!
          if (isPassed(from) && ++count <= mostEdges) add(useRow(view, calls, from, node, ids))
        }
        if (options.include_speculative)
          for (let e = dispatch.back.starts[node]!; e < dispatch.back.starts[node + 1]!; e++) {
            const from = dispatch.back.others[e]!
            if (isPassed(from) && ++count <= mostEdges)
              add({ from: ids(from), to: ids(node), kind: "dispatch", tier: "inferred" })
          }
        while (levels[depth]! <= i) depth++
        const row: Open<ChainRow> = nodeRow(view, node, ids) as Open<ChainRow>
        row.depth = depth
        if (columns.tests[node] === 1) row.test = true
        if (count > mostEdges) row.edge_count = count
        // A list has a bracket more than it has commas.
        bytes += byteLength(row) + (count === 0 ? 2 : 1)
        if (used + bytes > call.budget && rows.length > 0) {
          edges.length = before
          break
        }
        used += bytes
        rows.push(row)
      }
      return page(
        "nodes",
        { ...head, nodes: rows, edges },
        {
          from: call.offset,
          total,
          snapshot: view.generation
        }
      )
    })
})
