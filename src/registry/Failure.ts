import { Schema } from "effect"
import type { ServiceFailure } from "../services/ServiceFailure.ts"

/** Every code a failure of an operation can carry. Closed and stable: clients branch on it. */
export const failureCodes = [
  "invalid_argument",
  "invalid_cursor",
  "stale_continuation",
  "operation_unavailable",
  "unknown_tool",
  "tool_blocked_by_mode",
  "tool_out_of_phase",
  "workspace_unknown",
  "project_unknown",
  "repo_not_tracked",
  "symbol_not_found",
  "symbol_not_indexed",
  "file_not_indexed",
  "route_unresolved",
  "proxy_upstream",
  "overlay_drift",
  "overlay_session_unknown",
  "localization_complete",
  "remote_disabled",
  "remote_read_only",
  "not_found",
  "not_file",
  "path_outside_root",
  "path_overlap",
  "sensitive_path",
  "permission_denied",
  "approval_required",
  "approval_denied",
  "invalid_pattern",
  "invalid_path",
  "invalid_glob",
  "invalid_utf8",
  "range_too_large",
  "edit_conflict",
  "stale_revision",
  "parse_gate",
  "idempotency_conflict",
  "idempotency_expired",
  "recovery_conflict",
  "index_incomplete",
  "capability_unavailable",
  "timeout",
  "cancelled",
  "overloaded",
  "io_error",
  "internal"
] as const
export const FailureCode = Schema.Literal(...failureCodes)
export type FailureCode = (typeof failureCodes)[number]

/** Where on its way a call failed. */
export const FailureStage = Schema.Literal(
  "decode",
  "admission",
  "resolve",
  "preflight",
  "execute",
  "project"
)
export type FailureStage = typeof FailureStage.Type

/**
 * The next call worth making.
 *
 * `mechanically_followable`: the server has made the choice for exactly this call. `fallback_recovery`: explicit
 * recovery, detail or reconciliation, and a choice for the caller.
 */
export const FollowUpShape = Schema.Struct({
  follow_up_kind: Schema.Literal("mechanically_followable", "fallback_recovery"),
  tool: Schema.String,
  arguments: Schema.Record({ key: Schema.String, value: Schema.Unknown })
})

/** Member types of {@link FollowUpShape}. */
export interface FollowUpData {
  readonly follow_up_kind: "mechanically_followable" | "fallback_recovery"
  readonly tool: string
  readonly arguments: { readonly [key: string]: unknown }
}

/**
 * The one way an operation fails.
 *
 * `state_changed` and `outcome_unknown` are separate facts: with an unknown outcome `state_changed` is absent.
 */
export class OperationFailure extends Schema.TaggedError<OperationFailure>()("OperationFailure", {
  code: FailureCode,
  message: Schema.String,
  field: Schema.optional(Schema.String),
  reason_code: Schema.optional(Schema.String),
  failure_stage: FailureStage,
  state_changed: Schema.optional(Schema.Boolean),
  outcome_unknown: Schema.optional(Schema.Boolean),
  data: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.Unknown })),
  recovery: Schema.optional(FollowUpShape)
}) {}

/** What a failure may say beyond its code and message. Undefined members are left out. */
export interface FailureDetail {
  readonly field?: string | undefined
  readonly reason_code?: string | undefined
  readonly failure_stage?: FailureStage | undefined
  readonly state_changed?: boolean | undefined
  readonly outcome_unknown?: boolean | undefined
  readonly data?: { readonly [key: string]: unknown } | undefined
  readonly recovery?: FollowUpData | undefined
}

const beforeExecution: ReadonlySet<FailureStage> = new Set(["decode", "admission", "resolve", "preflight"])

/**
 * Makes a failure. The stage defaults to `execute`; a failure of an earlier stage states that nothing changed, and an
 * unknown outcome never claims to know whether anything did.
 */
export const failure = (code: FailureCode, message: string, detail: FailureDetail = {}): OperationFailure => {
  const stage = detail.failure_stage ?? "execute"
  const changed =
    detail.outcome_unknown === true
      ? undefined
      : (detail.state_changed ?? (beforeExecution.has(stage) ? false : undefined))
  return new OperationFailure({
    code,
    message,
    failure_stage: stage,
    ...(detail.field === undefined ? {} : { field: detail.field }),
    ...(detail.reason_code === undefined ? {} : { reason_code: detail.reason_code }),
    ...(changed === undefined ? {} : { state_changed: changed }),
    ...(detail.outcome_unknown === undefined ? {} : { outcome_unknown: detail.outcome_unknown }),
    ...(detail.data === undefined ? {} : { data: detail.data }),
    ...(detail.recovery === undefined ? {} : { recovery: detail.recovery })
  })
}

/** A refused argument, found by a handler rather than by decoding. */
export const invalidArgument = (
  field: string,
  message: string,
  detail: Omit<FailureDetail, "field"> = {}
): OperationFailure => failure("invalid_argument", message, { failure_stage: "resolve", ...detail, field })

/** The failure as the wire shows it: the fields that say something, the code under `error_code`. */
export const wire = (self: OperationFailure): { readonly [key: string]: unknown } => {
  const { code, message, field, reason_code, failure_stage, state_changed, outcome_unknown, data, recovery } =
    self
  return Object.fromEntries(
    Object.entries({
      error_code: code,
      message,
      field,
      reason_code,
      failure_stage,
      state_changed,
      outcome_unknown,
      data,
      recovery
    }).filter(([, value]) => value !== undefined)
  )
}

/** Reasons of services whose code has another name. A reason that is itself a code keeps it. */
const codeOfReason: { readonly [reason: string]: FailureCode } = {
  not_directory: "invalid_path",
  no_grammar: "capability_unavailable",
  unknown_language: "invalid_argument",
  unknown_scope: "invalid_argument",
  scope_elsewhere: "invalid_argument",
  nothing_in_common: "invalid_argument",
  binary: "invalid_utf8",
  too_large: "range_too_large",
  no_index: "index_incomplete",
  indexing: "index_incomplete",
  index_failed: "index_incomplete",
  git_failed: "io_error",
  not_a_repository: "capability_unavailable",
  unavailable: "capability_unavailable",
  not_configured: "capability_unavailable",
  session_unknown: "capability_unavailable",
  unreachable: "capability_unavailable",
  conflict: "edit_conflict",
  deadline: "timeout"
}

const isCode = (word: string): word is FailureCode => (failureCodes as ReadonlyArray<string>).includes(word)

/**
 * What a service could not do, as the failure of an operation. A reason without a code of its own is `internal`; the
 * reason itself is kept as `reason_code` either way. `detail` adds to what the service said and wins over it.
 */
export const fromService = (cause: ServiceFailure, detail: FailureDetail = {}): OperationFailure => {
  const code = isCode(cause.reason) ? cause.reason : (codeOfReason[cause.reason] ?? "internal")
  return failure(code, cause.detail, {
    reason_code: cause.reason,
    state_changed: cause.stateChanged,
    outcome_unknown: cause.outcomeUnknown,
    ...detail,
    ...(cause.field === undefined ? {} : { field: cause.field, failure_stage: "resolve" }),
    ...(cause.data === undefined ? {} : { data: cause.data })
  })
}
