import { describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { assert } from "vitest"
import { type TurnLimits, Turns } from "../../src/pipeline/Turns.ts"

const limits: TurnLimits = {
  running: 2,
  runningOfSession: 1,
  waitingOfSession: 3,
  waiting: 5,
  abandoned: 2
}
/** Sits as long as something runs. */
const seated =
  <A, E>(self: Effect.Effect<A, E>) =>
  (sit: () => () => void): Effect.Effect<A, E> =>
    Effect.acquireUseRelease(
      Effect.sync(sit),
      () => self,
      (leave) => Effect.sync(leave)
    )
const settle = Effect.yieldNow().pipe(Effect.repeatN(20))

describe("turns", () => {
  it.effect("go round between sessions, however many calls one of them has", () =>
    Effect.gen(function* () {
      const turns = new Turns({ ...limits, running: 1 })
      const order: Array<string> = []
      const gate = yield* Deferred.make<void>()
      const call = (session: string, name: string) =>
        Effect.fork(
          turns.take(
            session,
            seated(
              Effect.zipRight(
                Deferred.await(gate),
                Effect.sync(() => void order.push(name))
              )
            )
          )
        )
      const fibers = []
      for (const [session, name] of [
        ["a", "a1"],
        ["a", "a2"],
        ["a", "a3"],
        ["b", "b1"],
        ["b", "b2"],
        ["c", "c1"]
      ] as const) {
        fibers.push(yield* call(session, name))
        yield* settle
      }
      assert.deepInclude({ running: turns.running, waiting: turns.waiting }, { running: 1, waiting: 5 })
      yield* Deferred.succeed(gate, undefined)
      yield* Fiber.joinAll(fibers)
      assert.deepStrictEqual(order, ["a1", "a2", "b1", "c1", "a3", "b2"])
      assert.deepInclude({ running: turns.running, waiting: turns.waiting }, { running: 0, waiting: 0 })
    })
  )

  it.effect("are refused at once beyond what may wait, of a session and in all", () =>
    Effect.gen(function* () {
      const turns = new Turns(limits)
      const start = (session: string) => Effect.fork(turns.take(session, seated(Effect.never)))
      for (let at = 0; at < 4; at++) yield* start("a")
      yield* settle
      const own = yield* Effect.flip(turns.take("a", seated(Effect.void)))
      assert.deepInclude(own, { code: "overloaded", reason_code: "session_queue_full", state_changed: false })
      for (let at = 0; at < 3; at++) yield* start("b")
      yield* settle
      const all = yield* Effect.flip(turns.take("c", seated(Effect.void)))
      assert.deepInclude(all, { code: "overloaded", reason_code: "queue_full" })
    })
  )

  it.effect("are given back by those who stop waiting and by those who are stopped at work", () =>
    Effect.gen(function* () {
      const turns = new Turns(limits)
      const working = yield* Effect.fork(turns.take("a", seated(Effect.never)))
      const waiting = yield* Effect.fork(turns.take("a", seated(Effect.never)))
      yield* settle
      yield* Fiber.interrupt(waiting)
      assert.strictEqual(turns.waiting, 0)
      yield* Fiber.interrupt(working)
      assert.strictEqual(turns.running, 0)
      assert.strictEqual(yield* turns.take("a", seated(Effect.succeed(1))), 1)
      const exits = yield* Effect.forEach(
        Array.from({ length: 200 }, (_, at) => at),
        (at) =>
          Effect.gen(function* () {
            const fiber = yield* Effect.fork(turns.take(`s${at % 2}`, seated(Effect.yieldNow())))
            if (at % 3 === 0) yield* Effect.yieldNow()
            return yield* Fiber.interrupt(fiber)
          })
      )
      assert.lengthOf(exits, 200)
      assert.deepInclude({ running: turns.running, waiting: turns.waiting }, { running: 0, waiting: 0 })
    })
  )

  it.effect("end while too much that was given up has not ended", () =>
    Effect.gen(function* () {
      const turns = new Turns(limits)
      const [first] = [turns.abandon(), turns.abandon()]
      const refused = yield* Effect.flip(turns.take("a", seated(Effect.void)))
      assert.deepInclude(refused, { code: "overloaded", reason_code: "abandoned_calls" })
      first()
      first()
      assert.strictEqual(turns.abandoned, 1)
      yield* turns.take("a", seated(Effect.void))
    })
  )
})
