/** The session of the call. */
import { Effect } from "effect"
import { CallInfo } from "../../registry/CallInfo.ts"
import { failure, type OperationFailure } from "../../registry/Failure.ts"

/** Its id. Fails for a call without one, such as one of the command line. */
export const sessionId: Effect.Effect<string, OperationFailure> = Effect.flatMap(CallInfo, ({ session }) =>
  session === undefined
    ? failure("capability_unavailable", "this call belongs to no session, so nothing can be kept for it", {
        reason_code: "session_unknown",
        failure_stage: "resolve"
      })
    : Effect.succeed(session)
)
