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

/** Replaces the value under a name in one step, knowing what the other sessions have there; see `SessionStore.modify`. */
export const rekeep = <A>(
  name: string,
  change: (own: unknown, others: ReadonlyArray<unknown>) => readonly [answer: A, value: unknown]
): Effect.Effect<A, OperationFailure, SessionStore> =>
  Effect.gen(function* () {
    const session = yield* sessionId
    const store = yield* SessionStore
    return yield* Effect.mapError(store.modify(session, name, change), (cause) => fromService(cause))
  })
