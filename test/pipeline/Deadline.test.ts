import { describe, it } from "@effect/vitest"
import { Effect, Fiber, TestClock } from "effect"
import { assert } from "vitest"
import { within } from "../../src/pipeline/Deadline.ts"
import { Progress, progress, type Report } from "../../src/registry/Progress.ts"

const limits = { quietMs: 1000, totalMs: 5000 }
const late = (waited: number) => `late after ${waited}`

describe("a deadline", () => {
  it.effect("does not touch what ends in time", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* within(Effect.succeed(1), limits, late), 1)
      assert.strictEqual(yield* Effect.flip(within(Effect.fail("own"), limits, late)), "own")
    })
  )

  it.effect("interrupts what it gives up", () =>
    Effect.gen(function* () {
      let interrupted = false
      const stuck = Effect.onInterrupt(Effect.never, () => Effect.sync(() => void (interrupted = true)))
      const running = yield* Effect.fork(Effect.flip(within(stuck, limits, late)))
      yield* TestClock.adjust(1000)
      assert.strictEqual(yield* Fiber.join(running), "late after 1000")
      yield* Effect.yieldNow()
      assert.isTrue(interrupted)
    })
  )

  it.effect("does not wait for what cannot be interrupted", () =>
    Effect.gen(function* () {
      const running = yield* Effect.fork(
        Effect.flip(within(Effect.uninterruptible(Effect.sleep("1 hour")), limits, late))
      )
      yield* TestClock.adjust(1000)
      assert.strictEqual(yield* Fiber.join(running), "late after 1000")
    })
  )

  it.effect("ends what reports for ever, too", () =>
    Effect.gen(function* () {
      const busy = Effect.forever(Effect.zipRight(progress(1), Effect.sleep(500)))
      const running = yield* Effect.fork(Effect.flip(within(busy, limits, late)))
      for (let at = 0; at < 10; at++) yield* TestClock.adjust(500)
      assert.strictEqual(yield* Fiber.join(running), "late after 5000")
    })
  )

  it.effect("takes reports of work elsewhere for signs of life, and passes them on until the end", () =>
    Effect.gen(function* () {
      const heard: Array<number> = []
      const listeners = new Set<Report>()
      const running = yield* Effect.fork(
        within(Effect.sleep(1800), limits, late, {
          during: (report) => {
            listeners.add(report)
            return () => listeners.delete(report)
          }
        }).pipe(
          Effect.as("done"),
          Effect.provideService(Progress, (done) => Effect.sync(() => void heard.push(done)))
        )
      )
      yield* TestClock.adjust(900)
      for (const report of listeners) yield* report(7)
      yield* TestClock.adjust(900)
      assert.strictEqual(yield* Fiber.join(running), "done")
      assert.deepStrictEqual(heard, [7])
      assert.strictEqual(listeners.size, 0)
    })
  )
})
