import { Data } from "effect"

/**
 * Why an edit was refused or failed.
 *
 * Shape of the request: `too_many_edits`, `too_many_files`, `text_too_large`, `batch_too_large`, `no_changes`,
 * `empty_match`, `invalid_text` (unpaired surrogates), `invalid_occurrence`, `invalid_expected_match_count`,
 * `occurrence_with_expected_match_count`, `invalid_line_scope`, `guard_required`, `invalid_guard`,
 * `invalid_transaction_id`, `unknown_transaction`.
 *
 * The path: `invalid_path`, `path_outside_root`, `sensitive_path`, `redacted_text`, `not_found`, `not_file`,
 * `symlink_component`, `permission_denied`, `read_only`, `too_large`, `invalid_utf8`, `destination_exists`,
 * `file_exists`, `path_overlap`, `edit_overlap`.
 *
 * The text: `mixed_line_endings`, `bare_carriage_return`, `match_not_found`, `multiple_matches`,
 * `occurrence_out_of_range`, `occurrence_outside_line_scope`, `match_count_mismatch`.
 *
 * The guard: `base_sha_mismatch`, `sha256_mismatch`, `stale_read_revision`, `unknown_read_revision`,
 * `read_revision_project_mismatch`, `read_revision_path_mismatch`, `read_revision_owner_mismatch`.
 *
 * The write: `parse_gate`, `changed_during_commit`, `busy`, `transaction_mismatch`, `transaction_in_progress`,
 * `recovery_conflict`, `io_error`, `outcome_unknown`.
 */
export type EditReason =
  | "too_many_edits"
  | "too_many_files"
  | "text_too_large"
  | "batch_too_large"
  | "no_changes"
  | "empty_match"
  | "invalid_text"
  | "invalid_occurrence"
  | "invalid_expected_match_count"
  | "occurrence_with_expected_match_count"
  | "invalid_line_scope"
  | "guard_required"
  | "invalid_guard"
  | "invalid_transaction_id"
  | "unknown_transaction"
  | "invalid_path"
  | "path_outside_root"
  | "sensitive_path"
  | "redacted_text"
  | "not_found"
  | "not_file"
  | "symlink_component"
  | "permission_denied"
  | "read_only"
  | "too_large"
  | "invalid_utf8"
  | "destination_exists"
  | "file_exists"
  | "path_overlap"
  | "edit_overlap"
  | "mixed_line_endings"
  | "bare_carriage_return"
  | "match_not_found"
  | "multiple_matches"
  | "occurrence_out_of_range"
  | "occurrence_outside_line_scope"
  | "match_count_mismatch"
  | "base_sha_mismatch"
  | "sha256_mismatch"
  | "stale_read_revision"
  | "unknown_read_revision"
  | "read_revision_project_mismatch"
  | "read_revision_path_mismatch"
  | "read_revision_owner_mismatch"
  | "parse_gate"
  | "changed_during_commit"
  | "busy"
  | "transaction_mismatch"
  | "transaction_in_progress"
  | "recovery_conflict"
  | "io_error"
  | "outcome_unknown"

/** Where the failure arose: before any look at the disk, while planning, or while writing. */
export type EditStage = "admission" | "resolve" | "preflight" | "execute"

/** The failure code of an operation that a reason belongs to. */
export type EditCode =
  | "invalid_argument"
  | "invalid_path"
  | "path_outside_root"
  | "sensitive_path"
  | "not_found"
  | "not_file"
  | "permission_denied"
  | "range_too_large"
  | "invalid_utf8"
  | "path_overlap"
  | "edit_conflict"
  | "stale_revision"
  | "parse_gate"
  | "overloaded"
  | "idempotency_conflict"
  | "recovery_conflict"
  | "io_error"

const codes: { readonly [R in EditReason]: EditCode } = {
  too_many_edits: "invalid_argument",
  too_many_files: "invalid_argument",
  text_too_large: "invalid_argument",
  batch_too_large: "invalid_argument",
  no_changes: "invalid_argument",
  empty_match: "invalid_argument",
  invalid_text: "invalid_argument",
  invalid_occurrence: "invalid_argument",
  invalid_expected_match_count: "invalid_argument",
  occurrence_with_expected_match_count: "invalid_argument",
  invalid_line_scope: "invalid_argument",
  guard_required: "invalid_argument",
  invalid_guard: "invalid_argument",
  invalid_transaction_id: "invalid_argument",
  unknown_transaction: "not_found",
  invalid_path: "invalid_path",
  path_outside_root: "path_outside_root",
  sensitive_path: "sensitive_path",
  redacted_text: "sensitive_path",
  not_found: "not_found",
  not_file: "not_file",
  symlink_component: "invalid_path",
  permission_denied: "permission_denied",
  read_only: "permission_denied",
  too_large: "range_too_large",
  invalid_utf8: "invalid_utf8",
  destination_exists: "edit_conflict",
  file_exists: "edit_conflict",
  path_overlap: "path_overlap",
  edit_overlap: "edit_conflict",
  mixed_line_endings: "edit_conflict",
  bare_carriage_return: "edit_conflict",
  match_not_found: "edit_conflict",
  multiple_matches: "edit_conflict",
  occurrence_out_of_range: "edit_conflict",
  occurrence_outside_line_scope: "edit_conflict",
  match_count_mismatch: "edit_conflict",
  base_sha_mismatch: "stale_revision",
  sha256_mismatch: "stale_revision",
  stale_read_revision: "stale_revision",
  unknown_read_revision: "stale_revision",
  read_revision_project_mismatch: "stale_revision",
  read_revision_path_mismatch: "stale_revision",
  read_revision_owner_mismatch: "stale_revision",
  parse_gate: "parse_gate",
  changed_during_commit: "stale_revision",
  busy: "overloaded",
  transaction_mismatch: "idempotency_conflict",
  transaction_in_progress: "overloaded",
  recovery_conflict: "recovery_conflict",
  io_error: "io_error",
  outcome_unknown: "io_error"
}

/**
 * The one way an edit fails. `detail` is prose for people; everything a caller acts on is a field.
 *
 * `changeIndex` counts items of the request, `editIndex` edits of that item, both from 0. `stateChanged` is absent when
 * `outcomeUnknown` is true.
 */
export class EditRefused extends Data.TaggedError("EditRefused")<{
  readonly reason: EditReason
  readonly detail: string
  readonly stage: EditStage
  readonly changeIndex?: number
  readonly editIndex?: number
  readonly kind?: string
  /** Root-relative with `/`, or as the caller wrote it when it could not be resolved. */
  readonly path?: string
  readonly stateChanged?: boolean
  readonly outcomeUnknown?: boolean
  /** Machine-readable evidence, in the spelling of the wire. */
  readonly data?: { readonly [key: string]: unknown }
}> {
  get code(): EditCode {
    return codes[this.reason]
  }

  override get message(): string {
    return this.detail
  }
}

/** Which item, edit and path a refusal speaks of. */
export interface Place {
  readonly changeIndex?: number
  readonly editIndex?: number
  readonly kind?: string
  readonly path?: string
}

/** Where a refusal is. */
export const placeOf = ({ changeIndex, editIndex, kind, path }: EditRefused): Place => ({
  ...(changeIndex === undefined ? {} : { changeIndex }),
  ...(editIndex === undefined ? {} : { editIndex }),
  ...(kind === undefined ? {} : { kind }),
  ...(path === undefined ? {} : { path })
})

/** A refusal before anything was written. */
export const refuse = (
  reason: EditReason,
  detail: string,
  more: Place & { readonly stage?: EditStage; readonly data?: { readonly [key: string]: unknown } } = {}
): EditRefused => new EditRefused({ stage: "preflight", ...more, reason, detail, stateChanged: false })

/** The same refusal, placed. */
export const placed = (refused: EditRefused, place: Place): EditRefused =>
  new EditRefused({
    reason: refused.reason,
    detail: refused.detail,
    stage: refused.stage,
    ...(refused.stateChanged === undefined ? {} : { stateChanged: refused.stateChanged }),
    ...(refused.outcomeUnknown === undefined ? {} : { outcomeUnknown: refused.outcomeUnknown }),
    ...(refused.data === undefined ? {} : { data: refused.data }),
    ...placeOf(refused),
    ...place
  })

/**
 * The refusal as wire data: place, reason and evidence. Prose and stage stay on the refusal itself.
 */
export const evidence = (refused: EditRefused): { readonly [key: string]: unknown } => ({
  ...(refused.changeIndex === undefined ? {} : { change_index: refused.changeIndex }),
  ...(refused.editIndex === undefined ? {} : { edit_index: refused.editIndex }),
  ...(refused.kind === undefined ? {} : { kind: refused.kind }),
  ...(refused.path === undefined ? {} : { path: refused.path }),
  ...refused.data
})
