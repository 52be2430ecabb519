import { Context, Effect } from "effect"

/** Tells whoever waits how far the call has come. `total` is absent while it is not known. */
export type Report = (done: number, total?: number, message?: string) => Effect.Effect<void>

/** Progress of the call in hand. It has a default and carries no authority, so it never shows in requirements. */
export class Progress extends Context.Reference<Progress>()("portico/Progress", {
  defaultValue: (): Report => () => Effect.void
}) {}

/** Reports progress of the call in hand. */
export const progress: Report = (done, total, message) =>
  Effect.flatMap(Progress, (report) => report(done, total, message))

/** Runs an effect whose progress is nobody's business: it goes on beside the call, or after it. */
export const quietly = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.provideService(effect, Progress, () => Effect.void)
