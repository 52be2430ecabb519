import { failure, type OperationFailure } from "../../registry/Failure.ts"
import type { ServiceFailure } from "../../services/ServiceFailure.ts"

/** A service's failure as one of an operation that only looks. */
export const lookFailure = (cause: ServiceFailure): OperationFailure => {
  switch (cause.reason) {
    case "no_index":
      return failure("index_incomplete", cause.detail, { reason_code: cause.reason, state_changed: false })
    case "invalid_pattern":
      return failure("invalid_pattern", cause.detail, {
        failure_stage: "resolve",
        reason_code: cause.reason,
        field: "query"
      })
    case "invalid_glob":
      return failure("invalid_glob", cause.detail, {
        failure_stage: "resolve",
        reason_code: cause.reason,
        field: "options.glob"
      })
    case "no_grammar":
      return failure("capability_unavailable", cause.detail, {
        failure_stage: "resolve",
        reason_code: cause.reason
      })
    case "not_found":
    case "not_file":
    case "path_outside_root":
    case "permission_denied":
    case "invalid_path":
    case "io_error":
      return failure(cause.reason, cause.detail, { reason_code: cause.reason, state_changed: false })
    default:
      return failure("internal", cause.message, { reason_code: cause.reason, state_changed: false })
  }
}
