/** Edits of text. */
import { Schema } from "effect"
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { LocalWriter } from "../../services/LocalWriter.ts"
import { OverlayView } from "../../services/OverlayView.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import * as Shared from "../fields.ts"
import { edit } from "./facade.ts"
import {
  allowParseErrors,
  cardinality,
  dryRun,
  match,
  mutationId,
  physicalEvidence,
  replacement,
  staleGuard
} from "./fields.ts"

const because = "this build writes no files"

const transactionId = Schema.String.pipe(
  Schema.filter((id) => id.trim() !== "" && id.length <= 200 && !/\p{Cc}/u.test(id))
)

export const file = edit.declared("file", {
  tool: "edit_file",
  summary: "Replace exact text in a file; one match unless you say otherwise.",
  input: F.input(
    {
      target: F.target({ file: Shared.file }),
      match,
      replacement,
      guard: F.group(staleGuard),
      dry_run: dryRun,
      options: F.group({
        ...cardinality,
        allow_parse_errors: allowParseErrors,
        mutation_id: mutationId,
        physical_evidence: physicalEvidence
      })
    },
    { atMostOne: [["options.occurrence", "options.expected_match_count"]] }
  ),
  needs: [LocalWriter, ReadFs, CodeGraph, OverlayView],
  because
})

export const symbol = edit.declared("symbol", {
  tool: "edit_symbol",
  summary: "Replace exact text inside one symbol.",
  input: F.input({
    target: F.target({ symbol: Shared.symbol }),
    match: F.aliased(match, "old_source"),
    replacement: F.aliased(replacement, "new_source"),
    guard: F.group(staleGuard),
    dry_run: dryRun,
    options: F.group({
      allow_parse_errors: allowParseErrors,
      mutation_id: mutationId,
      physical_evidence: physicalEvidence
    })
  }),
  needs: [LocalWriter, ReadFs, CodeGraph, OverlayView],
  because
})

export const write = edit.declared("write", {
  tool: "write_file",
  summary: "Create a file or replace its whole text.",
  input: F.input({
    target: F.target({ file: Shared.file }),
    content: F.anyText,
    guard: F.group(staleGuard),
    dry_run: dryRun,
    options: F.group({
      allow_parse_errors: allowParseErrors,
      mutation_id: mutationId,
      physical_evidence: physicalEvidence
    })
  }),
  needs: [LocalWriter, ReadFs, CodeGraph, OverlayView],
  because
})

const item = F.union(
  F.group({
    op: F.constant("edit_file"),
    path: F.aliased(F.text, "file"),
    match,
    replacement,
    ...cardinality,
    ...staleGuard
  }),
  F.group({
    op: F.constant("edit_symbol"),
    id: F.aliased(F.text, "symbol"),
    match: F.aliased(match, "old_source"),
    replacement: F.aliased(replacement, "new_source"),
    ...staleGuard
  }),
  F.group({ op: F.constant("move_file"), source: F.text, destination: F.text, ...staleGuard }),
  F.group({ op: F.constant("delete_file"), path: F.aliased(F.text, "file"), ...staleGuard })
)

export const batch = edit.declared("batch", {
  tool: "batch_edit",
  summary: "Edits, moves and deletions in one transaction: all or nothing.",
  input: F.input(
    {
      changes: F.optional(F.aliased(F.list(item, { min: 1, max: 500 }), "edits")),
      dry_run: dryRun,
      options: F.group({
        transaction_id: F.optional(
          F.described(
            F.schema(transactionId, "text of at most 200 characters without control characters", {
              type: "string",
              minLength: 1,
              maxLength: 200
            }),
            "your id of the transaction; a repeat answers its receipt"
          )
        ),
        status_only: F.withDefault(F.described(F.flag, "ask about transaction_id and run nothing"), false),
        allow_parse_errors: allowParseErrors
      })
    },
    { atLeastOne: [["changes", "options.transaction_id"]] }
  ),
  needs: [LocalWriter, ReadFs, CodeGraph, OverlayView],
  because
})
