/** Code that needs looking after. */
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { GitReader } from "../../services/GitReader.ts"
import { LanguageReader } from "../../services/LanguageReader.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import * as Shared from "../fields.ts"
import { analyze, native } from "./facade.ts"

const because = "this build runs no analyses"

export const todos = native("todos", {
  summary: "TODO, FIXME, HACK, XXX and NOTE comments.",
  tier: 1,
  input: F.input({
    options: F.group({
      tag: F.optional(F.text),
      assignee: F.optional(F.text),
      ticket: F.optional(F.text),
      has_assignee: F.withDefault(F.flag, false)
    })
  }),
  needs: [CodeGraph],
  because
})

export const deadCode = native("dead_code", {
  summary: "Symbols nothing uses.",
  tier: 1,
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      include_variables: F.withDefault(F.flag, false),
      include_fields: F.withDefault(F.flag, false),
      include_constants: F.withDefault(F.flag, false),
      include_cgo_exports: F.withDefault(F.flag, false),
      include_linkname_targets: F.withDefault(F.flag, false),
      skip_cross_repo_nodes: F.withDefault(F.flag, false)
    })
  }),
  needs: [CodeGraph],
  because
})

const untestedNeeds = [CodeGraph] as const

export const untested: Member<typeof analyze, "untested", typeof untestedNeeds> = analyze.declared(
  "untested",
  {
    tool: "get_untested_symbols",
    summary: "Functions no test reaches, the most used first.",
    tier: 2,
    page: { default: 50, max: 1000 },
    input: F.input({
      options: F.group({
        file_prefix: F.optional(F.aliased(F.described(F.text, "keep rows under this path"), "path_prefix")),
        min_fan_in: F.withDefault(F.count, 0)
      })
    }),
    needs: untestedNeeds,
    because
  }
)

export const testsAsEdges = native("tests_as_edges", {
  summary: "Which test reaches which code.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      group_by: F.withDefault(F.choice("symbol", "test"), "symbol"),
      path_prefix: Shared.pathPrefix
    })
  }),
  needs: [CodeGraph],
  because
})

const clonesNeeds = [CodeGraph] as const

export const clones: Member<typeof analyze, "clones", typeof clonesNeeds> = analyze.declared("clones", {
  tool: "find_clones",
  summary: "Near-duplicate functions.",
  tier: 2,
  page: { default: 50, max: 1000 },
  input: F.input({
    options: F.group({
      min_similarity: F.withDefault(F.described(F.number({ min: 0, max: 1 }), "0 to 1"), 0),
      dead_only: F.withDefault(F.described(F.flag, "clusters with a dead member only"), false),
      path_prefix: Shared.pathPrefix
    })
  }),
  needs: clonesNeeds,
  because
})

const extractionNeeds = [CodeGraph] as const

export const extraction: Member<typeof analyze, "extraction", typeof extractionNeeds> = analyze.declared(
  "extraction",
  {
    tool: "get_extraction_candidates",
    summary: "Functions worth splitting.",
    tier: 2,
    page: { default: 25, max: 1000 },
    input: F.input({
      options: F.group({
        min_lines: F.withDefault(F.count, 20),
        min_callers: F.withDefault(F.count, 2),
        min_fan_out: F.withDefault(F.count, 5),
        path_prefix: Shared.pathPrefix
      })
    }),
    needs: extractionNeeds,
    because
  }
)

export const bottlenecks = native("bottlenecks", {
  summary: "Functions by cost: complexity, nested loops, recursion.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      kinds: F.withDefault(F.described(F.csv, "kinds of symbol to keep; all for every kind"), [
        "function",
        "method"
      ]),
      min_score: F.optional(F.number()),
      path_prefix: Shared.pathPrefix
    })
  }),
  needs: [CodeGraph],
  because
})

const healthNeeds = [CodeGraph] as const

export const health: Member<typeof analyze, "health", typeof healthNeeds> = analyze.declared("health", {
  tool: "audit_health",
  summary: "A grade of the repository's complexity.",
  tier: 2,
  input: F.input({}),
  needs: healthNeeds,
  because
})

export const healthScore = native("health_score", {
  summary: "A grade of each symbol, from coverage, complexity, age and churn.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      grade: F.optional(Shared.words("a", "b", "c", "d", "f")),
      min_score: F.optional(F.number()),
      max_score: F.optional(F.number()),
      min_axes: F.withDefault(F.described(F.count, "measures a symbol must have"), 1),
      roll_up: F.optional(F.described(F.choice("file", "repo"), "sum up by")),
      kinds: Shared.kinds,
      path_prefix: Shared.pathPrefix
    })
  }),
  needs: [CodeGraph, GitReader],
  because
})

export const coverageGaps = native("coverage_gaps", {
  summary: "Symbols whose coverage lies in a band.",
  input: F.input({
    options: F.group({
      min_pct: F.withDefault(F.described(F.number({ min: 0, max: 100 }), "inclusive"), 0),
      max_pct: F.withDefault(F.described(F.number({ min: 0, max: 100 }), "exclusive"), 100),
      path_prefix: Shared.pathPrefix,
      kinds: F.withDefault(F.described(F.csv, "kinds of symbol to keep; all for every kind"), [
        "function",
        "method"
      ])
    })
  }),
  needs: [CodeGraph],
  because
})

export const coverageSummary = native("coverage_summary", {
  summary: "Coverage by folder.",
  input: F.input({
    options: F.group({
      path_prefix: Shared.pathPrefix,
      kinds: Shared.kinds
    })
  }),
  needs: [CodeGraph],
  because
})

export const docStaleness = native("doc_staleness", {
  summary: "Documents whose links to code dangle.",
  page: { default: 100, max: 1000 },
  input: F.input({}),
  needs: [CodeGraph],
  because
})

const agentConfigNeeds = [CodeGraph, ReadFs] as const

export const agentConfig: Member<typeof analyze, "agent_config", typeof agentConfigNeeds> = analyze.declared(
  "agent_config",
  {
    tool: "audit_agent_config",
    summary: "Agent instruction files with dead names, dead paths or too much text.",
    tier: 2,
    input: F.input({
      options: F.group({
        files: F.optional(F.csv),
        root: F.optional(F.repository(F.described(F.text, "repository root to look in")))
      })
    }),
    needs: agentConfigNeeds,
    because
  }
)

const lintNeeds = [ReadFs, LanguageReader] as const

export const lint: Member<typeof analyze, "lint", typeof lintNeeds> = analyze.declared("lint", {
  tool: "lint_file",
  summary: "Installed linters on one file.",
  tier: 2,
  input: F.input({
    options: F.group({
      path: F.text,
      language: F.optional(F.text),
      timeout_ms: F.described(F.clamped({ min: 1, max: 60000, default: 5000 }), "for each linter")
    })
  }),
  needs: lintNeeds,
  because
})

const inspectionCatalogNeeds = [] as const

export const inspectionCatalog: Member<typeof analyze, "inspection_catalog", typeof inspectionCatalogNeeds> =
  analyze.declared("inspection_catalog", {
    tool: "list_inspections",
    summary: "The inspections there are.",
    tier: 2,
    input: F.input({
      options: F.group({
        category: F.optional(F.text)
      })
    }),
    needs: inspectionCatalogNeeds,
    because
  })

const inspectionsNeeds = [CodeGraph, GitReader] as const

export const inspections: Member<typeof analyze, "inspections", typeof inspectionsNeeds> = analyze.declared(
  "inspections",
  {
    tool: "run_inspections",
    summary: "Chosen inspections, findings in one format.",
    tier: 2,
    input: F.input({
      options: F.group({
        inspections: F.described(F.csv, "ids of inspections, or all"),
        path_prefix: Shared.pathPrefix,
        severity: F.optional(F.choice("error", "warning", "info")),
        max_per_inspection: F.clamped({ min: 1, max: 1000, default: 50 })
      })
    }),
    needs: inspectionsNeeds,
    because
  }
)
