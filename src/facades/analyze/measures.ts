/** Measures of the graph itself. */
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { GitReader } from "../../services/GitReader.ts"
import { SessionView } from "../../services/SessionView.ts"
import * as Shared from "../fields.ts"
import { native } from "./facade.ts"

const because = "this build runs no analyses"

export const impact = native("impact", {
  fixed: { refresh_cochange: false },
  summary: "How far a change reaches: 0 to 100 by symbol, or around one target.",
  tier: 1,
  page: { default: 100, max: 1000 },
  input: F.input({
    target: F.optional(F.target({ symbol: Shared.symbol, symbols: Shared.symbols, file: Shared.file })),
    options: F.group({
      path_prefix: Shared.pathPrefix,
      kinds: F.withDefault(F.described(F.csv, "kinds of symbol to keep; all for every kind"), [
        "function",
        "method"
      ]),
      min_score: F.optional(F.number()),
      max_score: F.optional(F.number())
    })
  }),
  needs: [CodeGraph, GitReader],
  because
})

export const cycles = native("cycles", {
  summary: "Dependency cycles by severity.",
  tier: 1,
  input: F.input({
    options: F.group({
      scope: F.optional(F.described(F.text, "path or package prefix to stay in"))
    })
  }),
  needs: [CodeGraph],
  because
})

export const wouldCreateCycle = native("would_create_cycle", {
  summary: "Whether a new dependency would close a cycle.",
  input: F.input({
    options: F.group({
      from_id: F.described(F.text, "symbol that would depend"),
      to_id: F.described(F.text, "symbol it would depend on")
    })
  }),
  needs: [CodeGraph],
  because
})

export const pagerank = native("pagerank", {
  summary: "Symbols by PageRank.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      node_kinds: Shared.kinds,
      damping: F.optional(F.described(F.number({ min: 0, max: 1 }), "damping factor")),
      max_iterations: F.clamped({ min: 1, max: 10000 }),
      tolerance: F.optional(F.number())
    })
  }),
  needs: [CodeGraph],
  because
})

export const kcore = native("kcore", {
  summary: "The most tightly knit part of the graph.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      min_degree: F.optional(F.count),
      node_kinds: Shared.kinds
    })
  }),
  needs: [CodeGraph],
  because
})

export const louvain = native("louvain", {
  summary: "Communities by the Louvain method.",
  page: { default: 100, max: 1000 },
  input: F.input({}),
  needs: [CodeGraph],
  because
})

export const scc = native("scc", {
  summary: "Strongly connected components.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      min_size: F.optional(F.count),
      member_limit: F.described(F.clamped({ min: 1, max: 1000 }), "members of a component")
    })
  }),
  needs: [CodeGraph],
  because
})

export const wcc = native("wcc", {
  summary: "Weakly connected components.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      min_size: F.optional(F.count),
      member_limit: F.described(F.clamped({ min: 1, max: 1000 }), "members of a component")
    })
  }),
  needs: [CodeGraph],
  because
})

export const connectivityHealth = native("connectivity_health", {
  summary: "Loose nodes and dead weight by file.",
  page: { default: 100, max: 1000 },
  input: F.input({}),
  needs: [CodeGraph],
  because
})

export const edgeAudit = native("edge_audit", {
  summary: "How well edges are known, and what is missing.",
  page: { default: 100, max: 1000 },
  input: F.input({}),
  needs: [CodeGraph],
  because
})

export const refFacts = native("ref_facts", {
  summary: "Resolved references with the evidence for each.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      id: F.optional(F.text),
      path: F.optional(F.text)
    })
  }),
  needs: [CodeGraph],
  because
})

export const resolutionOutcomes = native("resolution_outcomes", {
  summary: "Why calls and references stayed unresolved.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      reason: F.optional(
        F.choice(
          "ambiguous_multi_match",
          "candidate_out_of_scope",
          "cross_language_only",
          "stub_only",
          "no_definition"
        )
      )
    })
  }),
  needs: [CodeGraph],
  because
})

export const speculative = native("speculative", {
  summary: "Guessed edges of dynamic dispatch.",
  input: F.input({}),
  needs: [CodeGraph],
  because
})

export const synthesizers = native("synthesizers", {
  summary: "Edges that framework passes added.",
  input: F.input({
    options: F.group({
      name: F.optional(F.text)
    })
  }),
  needs: [CodeGraph],
  because
})

export const retrievalLog = native("retrieval_log", {
  summary: "Queries without results, and latency by tool.",
  input: F.input({
    options: F.group({
      since: F.optional(F.described(F.text, "ISO 8601 time or a span as 168h")),
      tool: F.optional(F.text),
      zero_only: F.withDefault(F.flag, false),
      include_recent: F.withDefault(F.flag, false)
    })
  }),
  needs: [SessionView],
  because
})
