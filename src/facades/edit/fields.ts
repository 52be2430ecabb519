import * as F from "../../registry/Fields.ts"
import type { Guard, TextEdit } from "../../services/LocalWriter.ts"

/** State of the file the caller last saw; a file in another state is left alone. */
export const staleGuard = {
  base_sha: F.optional(F.described(F.text, "git blob SHA-1 of the bytes last read")),
  read_revision: F.optional(
    F.aliased(
      F.described(F.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), "revision a read returned"),
      "expected_read_revision"
    )
  )
}

/** Which of several equal matches is meant. Without any of these there has to be exactly one. */
export const cardinality = {
  occurrence: F.optional(F.described(F.integer({ min: 1 }), "this match alone, counted over the whole file")),
  expected_match_count: F.optional(
    F.aliased(
      F.described(F.integer({ min: 1, max: 1024 }), "replace all matches if there are so many"),
      "expected_occurrences"
    )
  ),
  replace_all: F.withDefault(F.flag, false),
  line_scope: F.optional(
    F.described(
      F.group({ start_line: F.integer({ min: 1 }), end_line: F.integer({ min: 1 }) }),
      "lines a match must lie in; 1-based, inclusive"
    )
  )
}

export const dryRun = F.withDefault(F.described(F.flag, "say what would happen and write nothing"), false)
export const allowParseErrors = F.withDefault(
  F.described(F.flag, "write even if the syntax gets worse"),
  false
)
/** The caller's own id of the call: repeating it does not write twice. */
export const mutationId = F.optional(
  F.described(F.text, "your id of this call; a repeat answers the first result")
)
export const physicalEvidence = F.withDefault(F.described(F.flag, "add hashes read back from disk"), false)

export const match = F.described(F.aliased(F.text, "old_string"), "exact text, taken literally")
export const replacement = F.aliased(F.anyText, "new_string")

export const guardOf = (given: {
  readonly base_sha?: string | undefined
  readonly read_revision?: number | undefined
}): Guard => ({
  ...(given.base_sha === undefined ? {} : { baseSha: given.base_sha }),
  ...(given.read_revision === undefined ? {} : { readRevision: given.read_revision })
})

export const textEditOf = (given: {
  readonly match: string
  readonly replacement: string
  readonly occurrence?: number | undefined
  readonly expected_match_count?: number | undefined
  readonly replace_all: boolean
  readonly line_scope?: { readonly start_line: number; readonly end_line: number } | undefined
}): TextEdit => ({
  match: given.match,
  replacement: given.replacement,
  ...(given.occurrence === undefined ? {} : { occurrence: given.occurrence }),
  ...(given.expected_match_count === undefined ? {} : { expectedMatchCount: given.expected_match_count }),
  ...(given.replace_all ? { replaceAll: true } : {}),
  ...(given.line_scope === undefined
    ? {}
    : { lineScope: { startLine: given.line_scope.start_line, endLine: given.line_scope.end_line } })
})
