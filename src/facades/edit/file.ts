import { Effect } from "effect"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { draft } from "../../registry/FollowUp.ts"
import { LocalWriter } from "../../services/LocalWriter.ts"
import { OverlayView } from "../../services/OverlayView.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import * as Shared from "../fields.ts"
import { edit } from "./facade.ts"
import {
  allowParseErrors,
  cardinality,
  dryRun,
  guardOf,
  match,
  mutationId,
  physicalEvidence,
  replacement,
  staleGuard,
  textEditOf
} from "./fields.ts"
import { refuseOverlaid } from "./Overlaid.ts"
import { onlyEdit } from "./One.ts"

/** Longest call that is offered again with one match chosen, in characters of its texts. */
const longestRetry = 2000

const needs = [LocalWriter, ReadFs, OverlayView] as const

export const file: Member<typeof edit, "file", typeof needs> = edit.operation("file", {
  tool: "edit_file",
  presets: ["agent", "core", "edit", "hybrid"],
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
    { atMostOne: [["options.occurrence", "options.expected_match_count", "options.replace_all"]] }
  ),
  needs,
  handler: (input) => {
    const { dry_run, guard, match: wanted, options, replacement: written, target } = input
    return onlyEdit({
      request: {
        file: target.file,
        match: wanted,
        replacement: written,
        guard,
        occurrence: options.occurrence,
        expected_match_count: options.expected_match_count,
        replace_all: options.replace_all,
        line_scope: options.line_scope,
        allow_parse_errors: options.allow_parse_errors
      },
      aim: Effect.as(refuseOverlaid([target.file], "target.file"), {
        path: target.file,
        edit: textEditOf({ ...options, match: wanted, replacement: written }),
        guard: guardOf(guard)
      }),
      dryRun: dry_run,
      options,
      fields: {
        path: "target.file",
        match: "match",
        replacement: "replacement",
        guard: "guard",
        choices: "options",
        id: "options.mutation_id"
      },
      again: (occurrence) =>
        wanted.length + written.length > longestRetry
          ? undefined
          : draft("fallback_recovery", "edit", {
              operation: "file",
              target,
              match: wanted,
              replacement: written,
              ...(Object.keys(guard).length === 0 ? {} : { guard }),
              ...(dry_run ? { dry_run } : {}),
              options: { occurrence }
            })
    })
  }
})
