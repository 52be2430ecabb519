/** Files a session has overlaid are edited in the overlay: what the session reads of them is not what is on disk. */
import { Effect } from "effect"
import { CallInfo } from "../../registry/CallInfo.ts"
import { failure, type OperationFailure, fromService } from "../../registry/Failure.ts"
import { draft } from "../../registry/FollowUp.ts"
import { OverlayView } from "../../services/OverlayView.ts"
import { ReadFs } from "../../services/ReadFs.ts"

/** Fails where one of the files is overlaid in the session of the call. */
export const refuseOverlaid = (
  files: ReadonlyArray<string>,
  field: string
): Effect.Effect<void, OperationFailure, OverlayView | ReadFs> =>
  Effect.gen(function* () {
    const { session } = yield* CallInfo
    if (session === undefined) return
    const overlays = yield* OverlayView
    const own = yield* Effect.mapError(overlays.files(session), (cause) => fromService(cause))
    if (own.length === 0) return
    const fs = yield* ReadFs
    for (const file of files) {
      // A path that leads nowhere is the writer's to refuse.
      const path = yield* Effect.option(fs.relative(file))
      if (path._tag === "None" || !own.some((one) => one.path === path.value)) continue
      return yield* failure(
        "edit_conflict",
        `${path.value} is overlaid in this session, so what it reads is not what is on disk`,
        {
          field,
          reason_code: "overlaid",
          failure_stage: "preflight",
          data: { path: path.value },
          recovery: draft("fallback_recovery", "overlay", {
            operation: "delete",
            arguments: { path: path.value }
          })
        }
      )
    }
  })
