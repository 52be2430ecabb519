/** Refusals of the writer, as failures of operations. */
import { Effect } from "effect"
import { failure, fromService, type OperationFailure } from "../../registry/Failure.ts"
import { draft, type FollowUpData } from "../../registry/FollowUp.ts"
import { isRecord } from "../../registry/Json.ts"
import { EditRefused, evidence } from "../../services/EditRefused.ts"
import { ServiceFailure } from "../../services/ServiceFailure.ts"

/** Where the parts of a request stand in the arguments. */
export interface Fields {
  readonly path?: string
  readonly match?: string
  readonly replacement?: string
  readonly content?: string
  readonly guard?: string
  readonly options?: string
}

const guards: ReadonlySet<string> = new Set([
  "base_sha_mismatch",
  "sha256_mismatch",
  "stale_read_revision",
  "unknown_read_revision",
  "read_revision_project_mismatch",
  "read_revision_path_mismatch",
  "read_revision_owner_mismatch",
  "guard_required",
  "invalid_guard"
])
const matches: ReadonlySet<string> = new Set([
  "empty_match",
  "match_not_found",
  "multiple_matches",
  "match_count_mismatch",
  "edit_overlap"
])
const choices: ReadonlySet<string> = new Set([
  "invalid_occurrence",
  "invalid_expected_match_count",
  "occurrence_with_expected_match_count",
  "invalid_line_scope",
  "occurrence_out_of_range",
  "occurrence_outside_line_scope",
  "invalid_transaction_id",
  "transaction_mismatch"
])
const paths: ReadonlySet<string> = new Set([
  "invalid_path",
  "path_outside_root",
  "sensitive_path",
  "not_found",
  "not_file",
  "symlink_component",
  "permission_denied",
  "read_only",
  "too_large",
  "invalid_utf8",
  "destination_exists",
  "file_exists",
  "path_overlap"
])

const fieldOf = (refused: EditRefused, fields: Fields): string | undefined => {
  const { data, reason } = refused
  if (guards.has(reason)) return fields.guard
  if (matches.has(reason)) return fields.match
  if (choices.has(reason)) return fields.options
  if (paths.has(reason)) return fields.path
  const named = data?.["field"] ?? data?.["where"]
  return named === "match"
    ? fields.match
    : named === "replacement"
      ? fields.replacement
      : named === "content"
        ? fields.content
        : undefined
}

/** Lines read around the nearest candidate of a match that was not found. */
const around = 10

const firstLine = (candidates: unknown): number | undefined => {
  const first: unknown = Array.isArray(candidates) ? candidates[0] : undefined
  return isRecord(first) && typeof first["start_line"] === "number" ? first["start_line"] : undefined
}

/** The look that tells what to send instead. */
const observation = (refused: EditRefused): FollowUpData | undefined => {
  const { data, path, reason } = refused
  if (path === undefined || refused.outcomeUnknown === true) return undefined
  if (guards.has(reason) && reason !== "invalid_guard")
    return draft("mechanically_followable", "read", { operation: "file", target: { file: path } })
  if (!matches.has(reason) || reason === "empty_match") return undefined
  const conflict = data?.["conflict_recovery"]
  const line =
    firstLine(data?.["nearest"]) ?? (isRecord(conflict) ? firstLine(conflict["candidate_ranges"]) : undefined)
  return draft("mechanically_followable", "read", {
    operation: "file",
    target: { file: path },
    ...(line === undefined
      ? {}
      : { context: { start_line: Math.max(1, line - around), end_line: line + 2 * around } })
  })
}

/** The same call for the first of several matches: which one is meant is the caller's choice. */
const choice = (refused: EditRefused, again: Again | undefined): FollowUpData | undefined => {
  const conflict = refused.data?.["conflict_recovery"]
  if (refused.reason !== "multiple_matches" || again === undefined || !isRecord(conflict)) return undefined
  const candidates = conflict["candidate_ranges"]
  const first: unknown = Array.isArray(candidates)
    ? candidates.find((candidate) => isRecord(candidate) && candidate["occurrence"] !== undefined)
    : undefined
  return isRecord(first) && typeof first["occurrence"] === "number" ? again(first["occurrence"]) : undefined
}

/** The call once more with one of the matches chosen; undefined when that would be too long to say. */
export type Again = (occurrence: number) => FollowUpData | undefined

/** A refusal as the failure of an operation. */
const refusal = (refused: EditRefused, fields: Fields, again?: Again): OperationFailure => {
  const data = evidence(refused)
  return failure(refused.code, refused.detail, {
    field: fieldOf(refused, fields),
    reason_code: refused.reason,
    failure_stage: refused.stage,
    state_changed: refused.stateChanged,
    outcome_unknown: refused.outcomeUnknown,
    ...(Object.keys(data).length === 0 ? {} : { data }),
    recovery: choice(refused, again) ?? observation(refused)
  })
}

/** Turns what a writer fails with into failures of the operation. */
export const refusing =
  (fields: Fields, again?: Again) =>
  <A, E, R>(
    effect: Effect.Effect<A, E | EditRefused | ServiceFailure, R>
  ): Effect.Effect<A, Exclude<E, EditRefused | ServiceFailure> | OperationFailure, R> =>
    Effect.mapError(effect, (cause) =>
      cause instanceof EditRefused
        ? refusal(cause, fields, again)
        : cause instanceof ServiceFailure
          ? fromService(cause)
          : (cause as Exclude<E, EditRefused | ServiceFailure>)
    )
