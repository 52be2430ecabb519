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
import { idOf, nodeRow } from "../../shared/structure/Nodes.ts"
import { tierNames, useRow, usesOf } from "../../shared/structure/Uses.ts"
import { freshnessOf, graph, oneOf, rowOf } from "../../shared/symbols.ts"
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
  nodes: ReadonlyArray<number>,
  { include_speculative, min_tier }: { readonly include_speculative: boolean; readonly min_tier?: Tier }
) => {
  const { out, roleNames, roles, tiers } = view.columns
  const least = min_tier === undefined ? 2 : tierNames.indexOf(min_tier)
  if (min_tier === undefined && include_speculative) return {}
  let count = 0
  for (const node of nodes) {
    let hidden = 0
    let better = min_tier !== undefined
    for (let e = out.starts[node]!; e < out.starts[node + 1]!; e++) {
      if (!runs.has(roleNames[roles[e]!]!)) continue
      if (tiers[e]! > least) hidden++
      else better = true
    }
    if (better) count += hidden
  }
  return count === 0 ? {} : { [min_tier === undefined ? "text_matched_suppressed" : "below_min_tier"]: count }
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
      const { depths, nodes } = within(walked, starts, options.depth)
      const place = new Map(nodes.map((node, i) => [node, i]))
      const roots = new Set(starts)
      const found = nodes.flatMap((node, i) => (roots.has(node) ? [] : [i]))

      const boundaries = options.include_speculative
        ? []
        : nodes.filter((node) => dispatch.graph.starts[node + 1]! > dispatch.graph.starts[node]!)
      const local = columns.nodeOf(ref)
      const head = {
        symbol: rowOf(view.symbol(ref)),
        ...(starts.length === 1 && starts[0] !== local && columns.primaries[local] === local
          ? { followed_from: idOf(view, starts[0]!) }
          : {}),
        depth: options.depth,
        total_nodes: found.length,
        depth_reached: depths[depths.length - 1] ?? 0,
        ...hiddenIn(
          view,
          nodes.filter((_, i) => depths[i]! < options.depth),
          options
        ),
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
              dynamic_boundaries: boundaries.slice(0, mostBoundaries).map((node) => {
                const { others, starts: at } = dispatch.graph
                const candidates = Array.from(others.subarray(at[node]!, at[node + 1]!))
                return {
                  id: idOf(view, node),
                  candidates: candidates.slice(0, mostCandidates).map((other) => idOf(view, other)),
                  candidate_count: candidates.length
                }
              }),
              ...(boundaries.length > mostBoundaries ? { dynamic_boundary_count: boundaries.length } : {})
            })
      }

      // Edges of a page are those that lead to its nodes from the start or nodes found before.
      const rows: Array<object> = []
      const edges: Array<object> = []
      let used = byteLength(head) + 400
      const pageOf = found.slice(call.offset, call.limit === undefined ? undefined : call.offset + call.limit)
      for (const i of pageOf) {
        const node = nodes[i]!
        const own: Array<object> = []
        let count = 0
        for (let e = calls.back.starts[node]!; e < calls.back.starts[node + 1]!; e++) {
          const from = calls.back.others[e]!
          const at = place.get(from)
          if (at === undefined || depths[at]! >= options.depth) continue
          count++
          if (own.length < mostEdges) own.push(useRow(view, calls, from, node))
        }
        if (options.include_speculative)
          for (let e = dispatch.back.starts[node]!; e < dispatch.back.starts[node + 1]!; e++) {
            const from = dispatch.back.others[e]!
            const at = place.get(from)
            if (at === undefined || depths[at]! >= options.depth) continue
            count++
            if (own.length < mostEdges)
              own.push({ from: idOf(view, from), to: idOf(view, node), kind: "dispatch", tier: "inferred" })
          }
        const row = {
          ...nodeRow(view, node),
          depth: depths[i]!,
          ...(columns.tests[node] === 1 ? { test: true as const } : {}),
          ...(count > own.length ? { edge_count: count } : {})
        }
        const bytes = byteLength(row) + byteLength(own)
        if (used + bytes > call.budget && rows.length > 0) break
        used += bytes
        rows.push(row)
        edges.push(...own)
      }
      return page(
        "nodes",
        { ...head, nodes: rows, edges },
        {
          from: call.offset,
          total: found.length,
          snapshot: view.generation
        }
      )
    })
})
