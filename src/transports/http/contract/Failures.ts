/** How what a call may fail with is said over HTTP: one table from the pipeline's codes to statuses and codes of the contract. */
import type { CallResult } from "../../../pipeline/CallResult.ts"
import { failureOf, type Plain } from "../Plain.ts"

/** What a caller may do about it. */
type Retry =
  | "fix_arguments"
  | "fix_request_id"
  | "authenticate"
  | "do_not_retry"
  | "refresh_catalog"
  | "refresh_state"
  | "new_request_id"
  | "report_setup"
  | "backoff"
  | "surface_request_id"

/** Every code of the contract: its status, and what is to be done about it. */
export const contractCodes = {
  VALIDATION_ERROR: [400, "fix_arguments"],
  TOOL_IDEMPOTENCY_MISMATCH: [400, "fix_request_id"],
  TOOL_VALIDATION_ERROR: [400, "fix_arguments"],
  TOOL_SCOPE_DENIED: [403, "do_not_retry"],
  TOOL_CAPABILITY_DENIED: [403, "do_not_retry"],
  TOOL_AUTH_REQUIRED: [403, "authenticate"],
  TOOL_NOT_FOUND: [404, "refresh_catalog"],
  TOOL_CALL_NOT_FOUND: [404, "refresh_state"],
  JOB_NOT_FOUND: [404, "refresh_state"],
  APPROVAL_NOT_FOUND: [404, "refresh_state"],
  TOOL_IDEMPOTENCY_CONFLICT: [409, "new_request_id"],
  TOOL_IDEMPOTENCY_EXPIRED: [409, "do_not_retry"],
  TOOL_UNAVAILABLE: [409, "report_setup"],
  CONFIRMATION_INVALID: [409, "refresh_state"],
  INVALID_STATE: [409, "refresh_state"],
  PAYLOAD_TOO_LARGE: [413, "fix_arguments"],
  RATE_LIMITED: [429, "backoff"],
  INTERNAL_ERROR: [500, "surface_request_id"],
  SERVICE_UNAVAILABLE: [503, "backoff"]
} as const satisfies { readonly [code: string]: readonly [status: number, retry: Retry] }
export type ContractCode = keyof typeof contractCodes

/** Keys whose values are nobody's business, wherever they stand. */
const secret = /token|secret|password|passwd|authorization|cookie|api[-_]?key|credential/i

/** A value without what stands under a secret's name. */
export const scrubbed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(scrubbed)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !secret.test(key))
      .map(([key, inner]) => [key, scrubbed(inner)])
  )
}

/** A failure of the contract as a response. */
export const fail = (
  code: ContractCode,
  message: string,
  context: { readonly [key: string]: unknown } = {},
  retryAfterMs?: number
): Plain => {
  const [status, retry] = contractCodes[code]
  return failureOf(status, code, message, {
    context: { retry, ...(scrubbed(context) as object) },
    headers: retryAfterMs === undefined ? {} : { "retry-after": String(Math.ceil(retryAfterMs / 1000)) }
  })
}

/** Stages at which a call is turned away: nothing of it has run. */
const before: ReadonlySet<unknown> = new Set(["decode", "admission"])

/** By code and, where that decides, by reason. */
const table: { readonly [code: string]: ContractCode | { readonly [reason: string]: ContractCode } } = {
  invalid_argument: "TOOL_VALIDATION_ERROR",
  unknown_tool: "TOOL_NOT_FOUND",
  operation_unavailable: "TOOL_UNAVAILABLE",
  permission_denied: {
    not_authenticated: "TOOL_AUTH_REQUIRED",
    class_not_granted: "TOOL_CAPABILITY_DENIED",
    tool_narrowed: "TOOL_CAPABILITY_DENIED"
  },
  approval_denied: "TOOL_CAPABILITY_DENIED",
  tool_blocked_by_mode: "TOOL_SCOPE_DENIED",
  tool_out_of_phase: "TOOL_SCOPE_DENIED",
  idempotency_conflict: { other_content: "TOOL_IDEMPOTENCY_CONFLICT" },
  idempotency_expired: { result_evicted: "TOOL_IDEMPOTENCY_EXPIRED" },
  overloaded: {
    session_queue_full: "RATE_LIMITED",
    queue_full: "SERVICE_UNAVAILABLE",
    abandoned_calls: "SERVICE_UNAVAILABLE",
    records_full: "SERVICE_UNAVAILABLE"
  },
  io_error: "SERVICE_UNAVAILABLE",
  internal: { ledger_unavailable: "SERVICE_UNAVAILABLE" }
}

/** The contract's code for a failure of the pipeline; undefined for one of the operation itself, which is an outcome. */
export const codeOf = (failure: { readonly [key: string]: unknown }): ContractCode | undefined => {
  const unrecorded = failure["reason_code"] === "ledger_unavailable" && failure["state_changed"] === false
  if (!before.has(failure["failure_stage"]) && !unrecorded) return undefined
  const found = table[String(failure["error_code"] ?? failure["code"])]
  return typeof found === "object" ? found[String(failure["reason_code"])] : found
}

/** Milliseconds after which a caller who was turned away may come back, when nothing says how many. */
const patienceMs = 1000

/** The response to a call that was turned away before it ran; undefined for any other result. */
export const refusalOf = (
  { isError, structuredContent }: CallResult,
  context: { readonly [key: string]: unknown }
): Plain | undefined => (isError === true ? responseTo(structuredContent, context) : undefined)

/** The same for a failure as the pipeline throws it. */
export const responseTo = (
  failure: { readonly [key: string]: unknown },
  context: { readonly [key: string]: unknown }
): Plain | undefined => {
  const code = codeOf(failure)
  if (code === undefined) return undefined
  const data = typeof failure["data"] === "object" && failure["data"] !== null ? failure["data"] : {}
  const wait = (data as { readonly retry_after_ms?: unknown }).retry_after_ms
  const [, retry] = contractCodes[code]
  return fail(
    code,
    String(failure["message"]),
    {
      ...context,
      errorCode: failure["error_code"] ?? failure["code"],
      ...(failure["reason_code"] === undefined ? {} : { reason: failure["reason_code"] }),
      ...(failure["field"] === undefined ? {} : { field: failure["field"] }),
      ...data
    },
    retry === "backoff" ? (typeof wait === "number" ? wait : patienceMs) : undefined
  )
}
