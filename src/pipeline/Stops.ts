/** The calls that somebody may stop by their request id. */
import { Deferred, Effect, Exit, Fiber } from "effect"

export class Stops {
  readonly #running = new Map<string, Deferred.Deferred<string>>()

  /**
   * Runs what may be stopped under a key. Once stopped, it is interrupted; what it came to in spite of that is its outcome,
   * and `stopped` is otherwise.
   */
  around<A, E, R>(
    key: string,
    self: Effect.Effect<A, E, R>,
    stopped: (reason: string) => Effect.Effect<A, E>
  ): Effect.Effect<A, E, R> {
    return Effect.uninterruptibleMask((restore) =>
      Effect.gen(this, function* () {
        const stop = yield* Deferred.make<string>()
        this.#running.set(key, stop)
        const working = yield* Effect.fork(restore(self))
        let why: string | undefined
        const stopping = yield* Effect.fork(
          restore(
            Effect.flatMap(Deferred.await(stop), (reason) => {
              why = reason
              return Fiber.interruptFork(working)
            })
          )
        )
        return yield* restore(Fiber.await(working)).pipe(
          Effect.onInterrupt(() => Fiber.interrupt(working)),
          Effect.flatMap((end) => (why !== undefined && Exit.isInterrupted(end) ? stopped(why) : end)),
          Effect.ensuring(
            Effect.suspend(() => {
              this.#running.delete(key)
              return Fiber.interruptFork(stopping)
            })
          )
        )
      })
    )
  }

  /** Stops what runs under a key. False when nothing does. */
  stop(key: string, reason: string): Effect.Effect<boolean> {
    return Effect.suspend(() => {
      const stop = this.#running.get(key)
      return stop === undefined ? Effect.succeed(false) : Deferred.succeed(stop, reason)
    })
  }

  /** The keys under which something runs now. */
  keys(): ReadonlyArray<string> {
    return [...this.#running.keys()]
  }

  get size(): number {
    return this.#running.size
  }

  /** Whether something runs under a key. */
  has(key: string): boolean {
    return this.#running.has(key)
  }
}
