/** Stopping what runs by its key. */
import { describe, it } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { assert } from "vitest"
import { Stops } from "../../src/pipeline/Stops.ts"

/** As the fiber that {@link Stops.around} asks for. */
const apart = <A, E>(self: Effect.Effect<A, E>) => Effect.uninterruptible(Effect.fork(self))

const stopped = (reason: string) => Effect.succeed(`stopped: ${reason}`)

describe("what may be stopped", () => {
  it.effect("is interrupted and answered for", () =>
    Effect.gen(function* () {
      const stops = new Stops()
      const begun = yield* Deferred.make<void>()
      let ended = false
      const running = yield* apart(
        stops.around(
          "a",
          Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never).pipe(
            Effect.onInterrupt(() => Effect.sync(() => (ended = true)))
          ),
          stopped
        )
      )
      yield* Deferred.await(begun)
      assert.isFalse(yield* stops.stop("b", "why"))
      assert.isTrue(yield* stops.stop("a", "why"))
      assert.strictEqual(yield* Fiber.join(running), "stopped: why")
      assert.isTrue(ended)
      assert.strictEqual(stops.size, 0)
    })
  )

  it.effect("keeps the outcome it came to in spite of that", () =>
    Effect.gen(function* () {
      const stops = new Stops()
      const begun = yield* Deferred.make<void>()
      const go = yield* Deferred.make<void>()
      const running = yield* apart(
        stops.around(
          "a",
          Effect.uninterruptible(
            Deferred.succeed(begun, undefined).pipe(Effect.zipRight(Deferred.await(go)), Effect.as("done"))
          ),
          stopped
        )
      )
      yield* Deferred.await(begun)
      yield* stops.stop("a", "why")
      yield* Deferred.succeed(go, undefined)
      assert.strictEqual(yield* Fiber.join(running), "done")
    })
  )

  it.effect("is not known any more once it is over, whichever way it ended", () =>
    Effect.gen(function* () {
      const stops = new Stops()
      assert.strictEqual(yield* stops.around("a", Effect.succeed("done"), stopped), "done")
      assert.isTrue(Exit.isFailure(yield* Effect.exit(stops.around("a", Effect.fail("no"), stopped))))
      const running = yield* apart(stops.around("a", Effect.never, stopped))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(running)
      assert.deepStrictEqual(stops.keys(), [])
      assert.isFalse(yield* stops.stop("a", "late"))
    })
  )
})
