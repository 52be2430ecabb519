/** What a reviewer needs to know about a changeset. */
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { GitReader } from "../../services/GitReader.ts"
import { OverlayView } from "../../services/OverlayView.ts"
import { diffFields, repository } from "../diff.ts"
import * as Shared from "../fields.ts"
import { review } from "./facade.ts"

const because = "this build does not relate changes to the graph"
const changedSymbols = F.optional(F.described(F.csv, "changed symbols, in place of a diff"))

const diffContextNeeds = [GitReader, CodeGraph] as const

export const diffContext: Member<typeof review, "diff_context", typeof diffContextNeeds> = review.declared(
  "diff_context",
  {
    tool: "diff_context",
    presets: ["core"],
    summary: "Callers, callees and risk of every symbol a diff touches.",
    long: true,
    input: F.input({ source: F.group(diffFields), options: F.group({ repo: repository }) }),
    needs: diffContextNeeds,
    because
  }
)

const siblingContextNeeds = [GitReader, CodeGraph] as const

export const siblingContext: Member<typeof review, "sibling_context", typeof siblingContextNeeds> =
  review.declared("sibling_context", {
    tool: "sibling_diff_context",
    summary: "The rest of a changeset around one file, most related first.",
    long: true,
    tier: 2,
    input: F.input({
      source: F.group(diffFields),
      options: F.group({
        repo: repository,
        focus_files: F.optional(F.aliased(F.described(F.csv, "files to leave out"), "focus_file")),
        focus_symbol_id: F.optional(F.described(F.text, "symbol whose file is left out"))
      })
    }),
    needs: siblingContextNeeds,
    because
  })

const prContextNeeds = [GitReader, CodeGraph, OverlayView] as const

export const prContext: Member<typeof review, "pr_context", typeof prContextNeeds> = review.declared(
  "pr_context",
  {
    tool: "pr_review_context",
    summary: "A changeset rolled up for review: context, signatures, guards, verdict.",
    long: true,
    input: F.input({
      source: F.group(diffFields),
      options: F.group({
        repo: repository,
        ids: changedSymbols,
        verify: F.withDefault(F.flag, true),
        audit_config: F.withDefault(F.flag, true),
        edits: F.optional(F.described(F.json, "LSP WorkspaceEdits to simulate")),
        session_id: F.optional(F.described(F.text, "overlay session the simulation starts from")),
        sections: F.optional(Shared.words("diff_context", "verify", "simulate", "audit_config"))
      })
    }),
    needs: prContextNeeds,
    because
  }
)

const questionsNeeds = [GitReader, CodeGraph] as const

export const questions: Member<typeof review, "questions", typeof questionsNeeds> = review.declared(
  "questions",
  {
    tool: "suggested_review_questions",
    summary: "Questions to ask about symbols where the graph looks odd.",
    long: true,
    tier: 2,
    page: { default: 20, max: 200 },
    input: F.input({
      source: F.group({ base: diffFields.base }),
      options: F.group({
        repo: repository,
        ids: changedSymbols,
        path_prefix: Shared.pathPrefix,
        categories: F.optional(
          Shared.words("bridge", "hub_risk", "surprising", "thin_community", "untested_hotspot")
        ),
        hub_threshold: F.withDefault(F.count, 8),
        min_community_size: F.withDefault(F.count, 3),
        min_betweenness: F.withDefault(F.described(F.integer({ min: 0, max: 100 }), "percent"), 20)
      })
    }),
    needs: questionsNeeds,
    because
  }
)
