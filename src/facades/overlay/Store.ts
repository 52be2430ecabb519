/** Calls of the store of overlays, for the session of the call. */
import { type Context, Effect } from "effect"
import { type FailureDetail, fromService, type OperationFailure } from "../../registry/Failure.ts"
import { draft } from "../../registry/FollowUp.ts"
import { OverlayStore } from "../../services/OverlayStore.ts"
import type { OverlayLife } from "../../services/OverlayView.ts"
import type { ServiceFailure } from "../../services/ServiceFailure.ts"
import { sessionId } from "../shared/session.ts"

/** What makes an expired overlay usable again. */
const anew = draft("fallback_recovery", "overlay", { operation: "register" })

export const store = <A>(
  use: (
    overlays: Context.Tag.Service<typeof OverlayStore>,
    session: string
  ) => Effect.Effect<A, ServiceFailure>,
  detail: FailureDetail = {}
): Effect.Effect<A, OperationFailure, OverlayStore> =>
  Effect.gen(function* () {
    const session = yield* sessionId
    const overlays = yield* OverlayStore
    return yield* Effect.mapError(use(overlays, session), (cause) =>
      fromService(cause, {
        failure_stage: "resolve",
        state_changed: false,
        ...detail,
        ...(cause.reason === "overlay_session_unknown" ? { recovery: anew } : {})
      })
    )
  })

/** How long an overlay lives, as answers show it. */
export const lifeOf = ({ branch, expired, session, workspace, ...life }: OverlayLife) => ({
  session_id: session,
  workspace_id: workspace,
  branch,
  ...life,
  ...(expired ? { expired } : {})
})
