/** Walks over calls and other edges. */
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import * as Shared from "../fields.ts"
import { trace } from "./facade.ts"

const because = "this build does not trace across the graph"
const start = F.target({ symbol: F.aliased(Shared.symbol, "source_id") })
const end = F.target({ symbol: F.aliased(F.text, "id", "sink_id") })

const callChainNeeds = [CodeGraph] as const

export const callChain: Member<typeof trace, "call_chain", typeof callChainNeeds> = trace.declared(
  "call_chain",
  {
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
    needs: callChainNeeds,
    because
  }
)

const walkNeeds = [CodeGraph] as const

export const walk: Member<typeof trace, "walk", typeof walkNeeds> = trace.declared("walk", {
  tool: "walk_graph",
  summary: "Free traversal over chosen kinds of edge, within a token budget.",
  input: F.input({
    target: start,
    options: F.group({
      edge_kinds: F.withDefault(F.csv, ["calls"]),
      direction: F.withDefault(F.choice("out", "in", "both"), "out"),
      community: F.optional(F.described(F.text, "stay in this community, by id or label")),
      token_budget: Shared.tokenBudget(6000),
      max_depth: Shared.depth(8, 64)
    })
  }),
  needs: walkNeeds,
  because
})

const pathNeeds = [CodeGraph] as const

export const path: Member<typeof trace, "path", typeof pathNeeds> = trace.declared("path", {
  tool: "trace_path",
  flat: { "target.symbol": "source_id", "to.symbol": "sink_id" },
  summary: "Shortest call path between two symbols, or why there is none.",
  input: F.input({
    target: start,
    to: end,
    options: F.group({
      max_depth: Shared.depth(24, 64),
      k: F.described(F.clamped({ min: 1, max: 50, default: 1 }), "paths to find"),
      max_frontier: F.described(
        F.clamped({ min: 1, max: 500, default: 25 }),
        "nodes named when there is no path"
      ),
      include_references: F.withDefault(F.described(F.flag, "follow functions passed as values"), true),
      min_tier: Shared.minTier
    })
  }),
  needs: pathNeeds,
  because
})

const graphNeeds = [CodeGraph] as const

export const graph: Member<typeof trace, "graph", typeof graphNeeds> = trace.declared("graph", {
  tool: "graph_query",
  summary: "A small query of piped stages: nodes, traverse, filter.",
  tier: 2,
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      query: F.described(
        F.text,
        "nodes FILTER* | traverse KINDS out|in|both | filter FILTER+; at most 5 stages"
      )
    })
  }),
  needs: graphNeeds,
  because
})
