/** Refusals of the writer, as failures of operations. */
import { Effect } from "effect"
import { failure, fromService, type OperationFailure } from "../../registry/Failure.ts"
import { draft, type FollowUpData } from "../../registry/FollowUp.ts"
import { isRecord } from "../../registry/Json.ts"
import { EditRefused, evidence } from "../../services/EditRefused.ts"
import { ServiceFailure } from "../../services/ServiceFailure.ts"

/** Where the parts of a request stand in the arguments. What is not said stands where the path does. */
export interface Fields {
  readonly path: string
  /** Where a move goes, when that is a field of its own. */
  readonly destination?: string
  readonly match?: string
  readonly replacement?: string
  readonly content?: string
  readonly guard?: string
  /** What the options that choose among matches are in, such as `options`. */
  readonly choices?: string
  /** The caller's own id of the call. */
  readonly id?: string
  /** The same for one item, where a request has several. */
  readonly item?: (index: number) => Fields | undefined
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
const choices: { readonly [reason: string]: string } = {
  invalid_occurrence: "occurrence",
  occurrence_out_of_range: "occurrence",
  occurrence_with_expected_match_count: "occurrence",
  invalid_expected_match_count: "expected_match_count",
  invalid_line_scope: "line_scope",
  occurrence_outside_line_scope: "line_scope"
}
const ids: ReadonlySet<string> = new Set([
  "invalid_transaction_id",
  "unknown_transaction",
  "transaction_mismatch",
  "transaction_in_progress"
])
/** Reasons that are about the text that would be written. */
const written: ReadonlySet<string> = new Set(["parse_gate", "redacted_text"])
/** Reasons that are about what a move would find where it goes. */
const arrivals: ReadonlySet<string> = new Set(["destination_exists"])

/** The argument at fault. There always is one: at last the file the call is about. */
const fieldOf = (refused: EditRefused, whole: Fields): string => {
  const { changeIndex, data, path, reason } = refused
  const fields = (changeIndex === undefined ? undefined : whole.item?.(changeIndex)) ?? whole
  const named = data?.["where"] ?? data?.["field"]
  if (ids.has(reason)) return whole.id ?? whole.path
  if (guards.has(reason)) return fields.guard ?? fields.path
  if (matches.has(reason)) return fields.match ?? fields.path
  if (Object.hasOwn(choices, reason))
    return fields.choices === undefined ? fields.path : `${fields.choices}.${choices[reason]}`
  if (written.has(reason)) return fields.replacement ?? fields.content ?? fields.path
  if (arrivals.has(reason)) return fields.destination ?? fields.path
  if (named === "match" && fields.match !== undefined) return fields.match
  if (named === "replacement" && fields.replacement !== undefined) return fields.replacement
  if (named === "content" && fields.content !== undefined) return fields.content
  return data?.["side"] === "destination" || (path !== undefined && path === data?.["destination"])
    ? (fields.destination ?? fields.path)
    : fields.path
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
  if ((guards.has(reason) && reason !== "invalid_guard") || reason === "changed_during_commit")
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

/** What is known of the transaction that stands in the way. */
const reconciliation = ({ data, reason }: EditRefused): FollowUpData | undefined =>
  (reason === "recovery_conflict" || reason === "outcome_unknown") &&
  typeof data?.["transaction_id"] === "string"
    ? draft("fallback_recovery", "change", {
        operation: "receipt",
        options: { receipt: data["transaction_id"] }
      })
    : undefined

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
    recovery: choice(refused, again) ?? reconciliation(refused) ?? observation(refused)
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
