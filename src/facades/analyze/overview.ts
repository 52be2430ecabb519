/** Where to start, and the shape of the whole. */
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { GitReader } from "../../services/GitReader.ts"
import { repository } from "../diff.ts"
import * as Shared from "../fields.ts"
import { analyze, native } from "./facade.ts"

const because = "this build runs no analyses"

export const help = native("help", {
  summary: "The kinds of analysis, a line each.",
  presets: ["core"],
  tier: 1,
  input: F.input({}),
  needs: [],
  because
})

const architectureNeeds = [CodeGraph] as const

export const architecture: Member<typeof analyze, "architecture", typeof architectureNeeds> =
  analyze.declared("architecture", {
    tool: "get_architecture",
    summary: "One page on the architecture: languages, clusters, hotspots, entry points.",
    input: F.input({
      options: F.group({
        top_communities: F.clamped({ min: 0, max: 1000, default: 5 }),
        top_hotspots: F.clamped({ min: 0, max: 1000, default: 5 }),
        top_processes: F.clamped({ min: 0, max: 1000, default: 5 }),
        top_entry_points: F.clamped({ min: 0, max: 1000, default: 10 }),
        path_prefix: Shared.pathPrefix,
        resolution: F.optional(F.choice("symbol", "file", "package", "service", "system"))
      })
    }),
    needs: architectureNeeds,
    because
  })

export const hotspots = native("hotspots", {
  summary: "Symbols with the heaviest coupling.",
  tier: 1,
  input: F.input({
    options: F.group({
      threshold: F.optional(F.number()),
      mode: F.withDefault(F.choice("complexity", "novelty", "directional"), "complexity"),
      direction: F.withDefault(F.choice("adds", "stable"), "adds"),
      window_days: F.withDefault(F.described(F.count, "days"), 30)
    })
  }),
  needs: [CodeGraph, GitReader],
  because
})

const communitiesNeeds = [CodeGraph] as const

export const communities: Member<typeof analyze, "communities", typeof communitiesNeeds> = analyze.declared(
  "communities",
  {
    tool: "get_communities",
    summary: "Functional clusters, or one of them in detail.",
    tier: 2,
    input: F.input({
      options: F.group({
        id: F.optional(F.text)
      })
    }),
    needs: communitiesNeeds,
    because
  }
)

export const clusters = native("clusters", {
  summary: "Clusters by an algorithm of your choice.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      algorithm: F.withDefault(F.choice("leiden", "louvain", "spectral"), "leiden"),
      min_size: F.withDefault(F.count, 3),
      resolution: F.withDefault(F.number(), 1.0),
      path_prefix: Shared.pathPrefix
    })
  }),
  needs: [CodeGraph],
  because
})

export const concepts = native("concepts", {
  fixed: { use_llm: false },
  summary: "Clusters of words the code uses.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      min_size: F.optional(F.count)
    })
  }),
  needs: [CodeGraph],
  because
})

const processesNeeds = [CodeGraph] as const

export const processes: Member<typeof analyze, "processes", typeof processesNeeds> = analyze.declared(
  "processes",
  {
    tool: "get_processes",
    summary: "Flows of execution found in the graph, or the steps of one.",
    tier: 2,
    input: F.input({
      options: F.group({
        id: F.optional(F.text)
      })
    }),
    needs: processesNeeds,
    because
  }
)

const couplingNeeds = [CodeGraph] as const

export const coupling: Member<typeof analyze, "coupling", typeof couplingNeeds> = analyze.declared(
  "coupling",
  {
    tool: "get_coupling_metrics",
    summary: "Coupling and instability of packages or communities.",
    tier: 2,
    page: { default: 50, max: 1000 },
    input: F.input({
      options: F.group({
        unit: F.withDefault(F.choice("package", "community"), "package"),
        package_depth: F.withDefault(F.described(F.count, "path segments of a package"), 2),
        min_members: F.withDefault(F.count, 1),
        sort_by: F.withDefault(
          F.choice("ca_and_instability", "ca", "ce", "instability", "members"),
          "ca_and_instability"
        ),
        path_prefix: Shared.pathPrefix
      })
    }),
    needs: couplingNeeds,
    because
  }
)

const surprisingConnectionsNeeds = [CodeGraph] as const

export const surprisingConnections: Member<
  typeof analyze,
  "surprising_connections",
  typeof surprisingConnectionsNeeds
> = analyze.declared("surprising_connections", {
  tool: "get_surprising_connections",
  summary: "Edges that are out of the ordinary, with the reasons.",
  tier: 2,
  page: { default: 25, max: 1000 },
  input: F.input({
    options: F.group({
      min_score: F.withDefault(F.number(), 0.3),
      hub_threshold: F.withDefault(F.count, 5),
      rare_kind_pct: F.withDefault(F.described(F.number({ min: 0, max: 100 }), "percent"), 5),
      path_prefix: Shared.pathPrefix
    })
  }),
  needs: surprisingConnectionsNeeds,
  because
})

const knowledgeGapsNeeds = [CodeGraph] as const

export const knowledgeGaps: Member<typeof analyze, "knowledge_gaps", typeof knowledgeGapsNeeds> =
  analyze.declared("knowledge_gaps", {
    tool: "get_knowledge_gaps",
    summary: "Weak spots: loose nodes, thin communities, untested hotspots.",
    tier: 2,
    input: F.input({
      options: F.group({
        thin_community_size: F.withDefault(F.count, 3),
        min_coverage_pct: F.withDefault(F.number({ min: 0, max: 100 }), 50),
        hotspot_limit: F.clamped({ min: 1, max: 1000, default: 20 }),
        limit_per_category: F.clamped({ min: 1, max: 1000, default: 20 }),
        path_prefix: Shared.pathPrefix
      })
    }),
    needs: knowledgeGapsNeeds,
    because
  })

export const suggestBoundaries = native("suggest_boundaries", {
  summary: "A layer map proposed from communities.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      min_size: F.optional(F.count)
    })
  }),
  needs: [CodeGraph],
  because
})

export const role = native("role", {
  summary: "The architectural role of each symbol.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      role: F.optional(F.text),
      path_prefix: Shared.pathPrefix
    })
  }),
  needs: [CodeGraph],
  because
})

export const crossRepo = native("cross_repo", {
  summary: "Calls and inheritance that cross repositories.",
  page: { default: 200, max: 1000 },
  input: F.input({
    options: F.group({
      repo: repository,
      base_kind: F.optional(F.choice("calls", "implements", "extends")),
      path_prefix: Shared.pathPrefix
    })
  }),
  needs: [CodeGraph],
  because
})
