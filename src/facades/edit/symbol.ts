import { Effect } from "effect"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { LocalWriter } from "../../services/LocalWriter.ts"
import { OverlayView } from "../../services/OverlayView.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import * as Shared from "../fields.ts"
import { edit } from "./facade.ts"
import {
  allowParseErrors,
  dryRun,
  guardOf,
  match,
  mutationId,
  physicalEvidence,
  replacement,
  staleGuard
} from "./fields.ts"
import { onlyEdit } from "./One.ts"
import { refuseOverlaid } from "./Overlaid.ts"
import { spanOf } from "./Span.ts"

const needs = [LocalWriter, ReadFs, CodeGraph, OverlayView] as const

export const symbol: Member<typeof edit, "symbol", typeof needs> = edit.operation("symbol", {
  tool: "edit_symbol",
  flat: { match: "old_source", replacement: "new_source" },
  presets: ["core", "edit", "hybrid"],
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
  needs,
  handler: (input) => {
    const { dry_run, guard, match: wanted, options, replacement: written, target } = input
    const span = Effect.tap(
      spanOf(target.symbol, {
        facade: "edit",
        operation: "symbol",
        rest: { match: wanted, replacement: written }
      }),
      ({ path }) => refuseOverlaid([path], "target.symbol")
    )
    const answer = onlyEdit({
      request: {
        symbol: target.symbol,
        match: wanted,
        replacement: written,
        guard,
        allow_parse_errors: options.allow_parse_errors
      },
      aim: Effect.map(span, (found) => ({
        path: found.path,
        edit: { match: wanted, replacement: written, lineScope: found.lines },
        guard: { ...found.guard, ...guardOf(guard) }
      })),
      dryRun: dry_run,
      options,
      fields: {
        path: "target.symbol",
        match: "match",
        replacement: "replacement",
        guard: "guard",
        choices: "options",
        id: "options.mutation_id"
      }
    })
    return Effect.map(answer, (value) => ({ symbol: target.symbol, ...value }))
  }
})
