/** Services this build has no implementation of, as implementations that say so whenever they are asked. */
import { type Context, Effect, Layer } from "effect"
import { ServiceFailure } from "../../services/ServiceFailure.ts"

/**
 * What a service consists of. Members that can fail are named by their form and will fail; a member that cannot is given
 * as it is.
 */
export type Members<S> = {
  readonly [K in keyof S]: S[K] extends (...args: ReadonlyArray<never>) => Effect.Effect<unknown, infer E>
    ? ServiceFailure extends E
      ? "method"
      : S[K]
    : S[K] extends Effect.Effect<unknown, infer E>
      ? ServiceFailure extends E
        ? "effect"
        : S[K]
      : S[K]
}

/** Why a service is not there. `reason` is `unavailable` unless said. */
export interface Absence {
  readonly detail: string
  readonly reason?: string
}

/** A layer whose service refuses everything. Nothing is changed by asking. */
export const unavailable = <I, S extends object>(
  tag: Context.Tag<I, S>,
  { detail, reason = "unavailable" }: Absence,
  members: Members<S>
): Layer.Layer<I> => {
  const refuse = Effect.suspend(() =>
    Effect.fail(
      new ServiceFailure({
        service: tag.key.slice(tag.key.lastIndexOf("/") + 1),
        reason,
        detail,
        stateChanged: false
      })
    )
  )
  const service = Object.fromEntries(
    Object.entries<unknown>(members).map(([name, form]) => [
      name,
      form === "method" ? () => refuse : form === "effect" ? refuse : form
    ])
  )
  return Layer.succeed(tag, service as S)
}
