/**
 * Long work in turns. A server hears of other calls, of cancellations and of files that change between the turns of its
 * event loop only, so work over a whole repository lets go of it every few milliseconds.
 */
import { Effect } from "effect"

/** Milliseconds of work at a time. */
const longest = 12

/** One turn of the event loop, in which others are heard. */
export const nextTurn: Effect.Effect<void> = Effect.async<void>((resume) => {
  const waiting = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(waiting))
})

/** Visits each of some items in order, with pauses in which others have their turn. An interruption ends it there. */
export const inTurns = <A>(items: Iterable<A>, visit: (item: A) => void): Effect.Effect<void> =>
  Effect.gen(function* () {
    let began = performance.now()
    for (const item of items) {
      visit(item)
      if (performance.now() - began < longest) continue
      yield* nextTurn
      began = performance.now()
    }
  })
