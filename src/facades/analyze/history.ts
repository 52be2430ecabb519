/** What git and earlier sessions tell. */
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { GitReader } from "../../services/GitReader.ts"
import { KnowledgeReader } from "../../services/KnowledgeReader.ts"
import { SessionView } from "../../services/SessionView.ts"
import { repository } from "../diff.ts"
import * as Shared from "../fields.ts"
import { analyze, native } from "./facade.ts"

const because = "this build keeps no history of the graph"

const churnNeeds = [CodeGraph, GitReader] as const

export const churn: Member<typeof analyze, "churn", typeof churnNeeds> = analyze.declared("churn", {
  tool: "get_churn_rate",
  summary: "Symbols by how often commits touch them.",
  tier: 2,
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      path_prefix: Shared.pathPrefix,
      min_commits: F.withDefault(F.count, 1),
      kinds: F.withDefault(F.described(F.csv, "kinds of symbol to keep; all for every kind"), [
        "function",
        "method"
      ]),
      sort_by: F.withDefault(F.choice("churn_rate", "commit_count", "age_days"), "churn_rate")
    })
  }),
  needs: churnNeeds,
  because
})

const coChangeNeeds = [CodeGraph, GitReader] as const

export const coChange: Member<typeof analyze, "co_change", typeof coChangeNeeds> = analyze.declared(
  "co_change",
  {
    tool: "find_co_changing_symbols",
    flat: { "target.file": "file_path", "target.symbol": "symbol_id" },
    fixed: { refresh: false },
    summary: "Files that change together with a symbol or file.",
    tier: 2,
    page: { default: 20, max: 1000 },
    input: F.input({
      target: F.target({ symbol: Shared.symbol, file: Shared.file }),
      options: F.group({
        min_score: F.withDefault(F.number(), 0)
      })
    }),
    needs: coChangeNeeds,
    because
  }
)

export const fixesHistory = native("fixes_history", {
  summary: "Files by the bug fixes in their history.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      max_commits: F.described(F.clamped({ min: 1, max: 100000 }), "commits to look at")
    })
  }),
  needs: [CodeGraph, GitReader],
  because
})

export const ownership = native("ownership", {
  summary: "Symbols and files of each author.",
  input: F.input({
    options: F.group({
      kinds: F.withDefault(F.described(F.csv, "kinds of symbol to keep; all for every kind"), [
        "function",
        "method"
      ]),
      min_symbols: F.withDefault(F.count, 1),
      path_prefix: Shared.pathPrefix
    })
  }),
  needs: [CodeGraph, GitReader],
  because
})

export const staleCode = native("stale_code", {
  summary: "Symbols untouched for long.",
  input: F.input({
    options: F.group({
      older_than: F.withDefault(F.described(F.count, "days"), 365),
      email: F.optional(F.text),
      kinds: F.withDefault(F.described(F.csv, "kinds of symbol to keep; all for every kind"), [
        "function",
        "method"
      ])
    })
  }),
  needs: [CodeGraph, GitReader],
  because
})

export const staleFlags = native("stale_flags", {
  summary: "Feature flags whose callers are all old.",
  input: F.input({
    options: F.group({
      older_than: F.withDefault(F.described(F.count, "days"), 365),
      provider: F.optional(F.choice("launchdarkly", "growthbook", "unleash", "internal"))
    })
  }),
  needs: [CodeGraph, GitReader],
  because
})

export const releases = native("releases", {
  summary: "Releases and what came with each.",
  input: F.input({
    options: F.group({
      tag: F.optional(F.text)
    })
  }),
  needs: [CodeGraph, GitReader],
  because
})

const recentChangesNeeds = [CodeGraph] as const

export const recentChanges: Member<typeof analyze, "recent_changes", typeof recentChangesNeeds> =
  analyze.declared("recent_changes", {
    tool: "get_recent_changes",
    summary: "Files and symbols indexed again since a time.",
    tier: 2,
    input: F.input({
      options: F.group({
        since: F.optional(F.described(F.text, "ISO 8601 time or a span as 168h"))
      })
    }),
    needs: recentChangesNeeds,
    because
  })

const replayNeeds = [CodeGraph, KnowledgeReader, SessionView] as const

export const replay: Member<typeof analyze, "replay", typeof replayNeeds> = analyze.declared("replay", {
  tool: "replay_episode",
  summary: "What may have caused a symptom: edits, callers, gaps, incidents.",
  tier: 2,
  input: F.input({
    options: F.group({
      anchor_symbol: F.described(F.text, "symbol where it showed"),
      window_days: F.withDefault(F.described(F.count, "days"), 30),
      depth: F.clamped({ min: 1, max: 20, default: 3 }),
      limit: F.described(F.clamped({ min: 1, max: 1000, default: 25 }), "rows of a section")
    })
  }),
  needs: replayNeeds,
  because
})

const whyNeeds = [CodeGraph, KnowledgeReader] as const

export const why: Member<typeof analyze, "why", typeof whyNeeds> = analyze.declared("why", {
  tool: "why",
  summary: "Decisions and documents that explain why a symbol exists.",
  tier: 2,
  page: { default: 20, max: 1000 },
  input: F.input({
    target: F.target({ symbol: Shared.symbol }),
    options: F.group({
      scope: F.withDefault(F.choice("workspace", "global"), "workspace")
    })
  }),
  needs: whyNeeds,
  because
})

const citationNeeds = [GitReader] as const

export const citation: Member<typeof analyze, "citation", typeof citationNeeds> = analyze.declared(
  "citation",
  {
    tool: "verify_citation",
    summary: "Whether a quoted span stands in a file at a revision.",
    tier: 2,
    input: F.input({
      options: F.group({
        span: F.described(F.text, "text as it stands"),
        file_path: F.text,
        sha: F.withDefault(F.described(F.text, "revision"), "HEAD"),
        repo: repository
      })
    }),
    needs: citationNeeds,
    because
  }
)
