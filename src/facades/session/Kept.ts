/** Values of the session of the call. */
import { Effect } from "effect"
import { fromService, type OperationFailure } from "../../registry/Failure.ts"
import { SessionStore } from "../../services/SessionStore.ts"
import { SessionView } from "../../services/SessionView.ts"
import { sessionId } from "../shared/session.ts"

export const kept = (name: string): Effect.Effect<unknown, OperationFailure, SessionView> =>
  Effect.gen(function* () {
    const session = yield* sessionId
    const view = yield* SessionView
    return yield* Effect.mapError(view.get(session, name), (cause) => fromService(cause))
  })

/** Keeps a value under a name; undefined takes it away. */
export const keep = (name: string, value: unknown): Effect.Effect<void, OperationFailure, SessionStore> =>
  Effect.gen(function* () {
    const session = yield* sessionId
    const store = yield* SessionStore
    yield* Effect.mapError(
      value === undefined ? store.clear(session, name) : store.set(session, name, value),
      (cause) => fromService(cause)
    )
  })
