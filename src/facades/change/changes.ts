/** What a change is and whether it may go ahead. */
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { GitReader } from "../../services/GitReader.ts"
import { KnowledgeReader } from "../../services/KnowledgeReader.ts"
import { OverlayView } from "../../services/OverlayView.ts"
import { SessionView } from "../../services/SessionView.ts"
import { diffFields, lineRange, repository } from "../diff.ts"
import * as Shared from "../fields.ts"
import { workspaceEdit } from "../simulation.ts"
import { change } from "./facade.ts"
import { bySymbols, lines } from "./fields.ts"

const because = "this build does not relate changes to the graph"

export const detect = change.declared("detect", {
  tool: "detect_changes",
  summary: "Symbols and files changed in git, with what they reach.",
  input: F.input({
    source: F.group(diffFields),
    options: F.group({
      repo: repository,
      offset: F.withDefault(F.count, 0),
      limit: F.described(F.clamped({ min: 1, max: 1000, default: 100 }), "affected rows")
    }),
    output: F.group({ summary_only: F.withDefault(F.flag, false) })
  }),
  needs: [GitReader, CodeGraph],
  because
})

export const contract = change.declared("contract", {
  tool: "change_contract",
  fixed: { ack: false },
  summary: "One verdict on a change: allow, warn or refuse, with reasons.",
  input: F.input(
    {
      target: F.optional(bySymbols),
      source: F.group({
        source: F.optional(F.choice("auto", "edit", "diff", "symbols", "ranges")),
        ...diffFields,
        workspace_edit: F.optional(workspaceEdit),
        ranges: F.optional(F.list(lineRange)),
        path: F.optional(F.described(F.text, "one file, for source ranges")),
        range: lines
      }),
      options: F.group({
        repo: repository,
        lens: F.optional(F.described(F.choice("api"), "look at the exported surface")),
        risk_gate: F.withDefault(
          F.described(F.flag, "refuse load-bearing symbols not acknowledged lately"),
          false
        )
      })
    },
    { atLeastOne: [["target", "source.source"]] }
  ),
  needs: [CodeGraph, GitReader, OverlayView, KnowledgeReader],
  because
})

export const ranges = change.declared("ranges", {
  tool: "symbols_for_ranges",
  summary: "Symbols that enclose the given lines.",
  tier: 2,
  input: F.input(
    {
      source: F.group({
        ranges: F.optional(F.list(lineRange, { min: 1 })),
        file: F.optional(F.aliased(F.text, "path")),
        range: lines
      })
    },
    { exactlyOne: [["source.ranges", "source.file"]] }
  ),
  needs: [CodeGraph],
  because
})

export const guards = change.declared("guards", {
  tool: "check_guards",
  summary: "Configured co-change, boundary and layer rules, for changed symbols.",
  input: F.input({ target: bySymbols }),
  needs: [CodeGraph],
  because: "this build has no rules to check"
})

export const receipt = change.declared("receipt", {
  tool: "mutation_status",
  summary: "After a lost answer: did an edit reach the disk, and the index?",
  tier: 2,
  input: F.input(
    {
      source: F.group({
        path: F.optional(F.aliased(F.described(F.text, "newest edit of this file"), "file"))
      }),
      options: F.group({
        receipt: F.optional(F.described(F.text, "id an edit returned")),
        mutation_id: F.optional(F.described(F.text, "the edit's own id of the call"))
      })
    },
    { atMostOne: [["source.path", "options.receipt", "options.mutation_id"]] }
  ),
  needs: [SessionView],
  because: "this build keeps no receipts of edits"
})

export const pattern = change.declared("pattern", {
  tool: "suggest_pattern",
  summary: "Structure of an example symbol, to write a similar one.",
  tier: 2,
  input: F.input({
    target: F.target({ symbol: Shared.symbol }),
    options: F.group({
      max_source_lines: F.described(
        F.clamped({ min: 0, max: 1000, default: 40 }),
        "longer blocks are cut; 0 for never"
      )
    })
  }),
  needs: [CodeGraph],
  because
})
