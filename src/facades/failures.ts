/** A service's failure as the failure of the operation that called it. */
import {
  failure,
  type FailureCode,
  failureCodes,
  type FailureDetail,
  type OperationFailure
} from "../registry/Failure.ts"
import type { ServiceFailure } from "../services/ServiceFailure.ts"

const known: ReadonlySet<string> = new Set(failureCodes)

/**
 * The failure of an operation. The service's reason is its code where the contract has that code, `io_error` where it
 * has not, and always the `reason_code`.
 */
export const fromService = (cause: ServiceFailure, detail: FailureDetail = {}): OperationFailure =>
  failure(known.has(cause.reason) ? (cause.reason as FailureCode) : "io_error", cause.detail, {
    reason_code: cause.reason,
    state_changed: cause.stateChanged,
    outcome_unknown: cause.outcomeUnknown,
    ...detail
  })
