/** Decisions about findings and risks. */
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { GitReader } from "../../services/GitReader.ts"
import { KnowledgeReader } from "../../services/KnowledgeReader.ts"
import { KnowledgeWriter } from "../../services/KnowledgeWriter.ts"
import { diffFields, lineRange, repository } from "../diff.ts"
import { workspaceEdit } from "../simulation.ts"
import { remember } from "./facade.ts"

const because = "this build keeps no knowledge"

const riskAckNeeds = [KnowledgeWriter, CodeGraph, GitReader] as const

export const riskAck: Member<typeof remember, "risk_ack", typeof riskAckNeeds> = remember.declared(
  "risk_ack",
  {
    tool: "change_contract",
    fixed: { ack: true },
    summary: "Record that what a change reaches was looked at.",
    tier: 2,
    input: F.input({
      arguments: F.group({
        source: F.withDefault(F.choice("auto", "edit", "diff", "symbols", "ranges"), "auto"),
        symbols: F.optional(F.csv),
        workspace_edit: F.optional(workspaceEdit),
        ranges: F.optional(F.list(lineRange)),
        path: F.optional(F.text),
        start_line: F.optional(F.integer({ min: 1 })),
        end_line: F.optional(F.integer({ min: 1 })),
        ...diffFields,
        repo: repository
      })
    }),
    needs: riskAckNeeds,
    because
  }
)

const suppressFindingNeeds = [KnowledgeWriter, KnowledgeReader] as const

export const suppressFinding: Member<typeof remember, "suppress_finding", typeof suppressFindingNeeds> =
  remember.declared("suppress_finding", {
    tool: "suppress_finding",
    summary: "Silence a review finding, list the silenced ones, or restore one.",
    tier: 2,
    input: F.input({
      arguments: F.group({
        action: F.withDefault(F.choice("add", "list", "remove"), "add"),
        identity_key: F.optional(F.described(F.text, "needed to remove")),
        rule: F.optional(F.text),
        category: F.optional(F.text),
        symbol_id: F.optional(F.text),
        file: F.optional(F.text),
        line: F.optional(F.described(F.integer({ min: 1 }), "kept, but no part of the identity")),
        source_line: F.optional(F.described(F.text, "the text found fault with; part of the identity")),
        reason: F.optional(F.text),
        author: F.optional(F.text)
      })
    }),
    needs: suppressFindingNeeds,
    because
  })
