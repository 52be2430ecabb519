/** The stage that asks who is calling: what the principal was granted, and what the session's mode leaves of it. */
import type { Denial } from "../policy/Grants.ts"
import type { Policy } from "../policy/Policy.ts"
import type { Principal } from "../policy/Principal.ts"
import type { Prepared } from "../registry/Dispatcher.ts"
import type { Operation } from "../registry/Operation.ts"
import { failure, type OperationFailure } from "../registry/Failure.ts"

const why: Record<Denial["reason"], string> = {
  class_not_granted: "which is not granted",
  tool_narrowed: "which the grant for this tool leaves out",
  not_authenticated: "which needs a caller who has shown who it is"
}

/** The refusal of a principal who may not, or whose mode may not; undefined for one who may. */
export const refusal = (
  policy: Policy,
  principal: Principal,
  { blocked, operation }: Prepared
): OperationFailure | undefined => ungranted(policy, principal, operation) ?? blocked

/** The refusal of a principal who was not granted an operation, whatever its arguments; undefined for one who was. */
export const ungranted = (
  policy: Policy,
  principal: Principal,
  operation: Operation.Any
): OperationFailure | undefined => {
  const denied = policy.denial(principal, operation)
  if (denied === undefined) return undefined
  return failure(
    "permission_denied",
    `${operation.facade}.${operation.name} has effect ${denied.effect}, ${why[denied.reason]}; ${principal.kind} callers have ${
      denied.granted.join(", ") || "nothing"
    }`,
    {
      field: "operation",
      failure_stage: "admission",
      reason_code: denied.reason,
      data: {
        tool: operation.facade,
        operation: operation.name,
        effect: denied.effect,
        principal_kind: principal.kind,
        granted: denied.granted,
        decided_by: denied.source
      }
    }
  )
}
