/** The calls that somebody may stop by their request id. */
import { Cause, Effect, Fiber } from "effect"

export class Stops {
  /** How to stop what runs under a key. */
  readonly #running = new Map<string, (reason: string) => Effect.Effect<void>>()

  /**
   * Runs what may be stopped under a key. Once stopped, it is interrupted; what it came to in spite of that is its outcome,
   * and `stopped` is otherwise. To be run in a fiber of its own that cannot be interrupted elsewhere: it is the fiber that
   * is interrupted.
   */
  around<A, E, R>(
    key: string,
    self: Effect.Effect<A, E, R>,
    stopped: (reason: string) => Effect.Effect<A, E>
  ): Effect.Effect<A, E, R> {
    return Effect.withFiberRuntime<A, E, R>((fiber) => {
      let why: string | undefined
      this.#running.set(key, (reason) => {
        if (why !== undefined) return Effect.void
        why = reason
        // What is about to end does.
        return Effect.asVoid(Effect.forkDaemon(Effect.zipRight(Effect.yieldNow(), Fiber.interrupt(fiber))))
      })
      return Effect.matchCauseEffect(Effect.interruptible(self), {
        onFailure: (cause) => {
          this.#running.delete(key)
          return why !== undefined && Cause.isInterrupted(cause) ? stopped(why) : Effect.failCause(cause)
        },
        onSuccess: (value) => {
          this.#running.delete(key)
          return Effect.succeed(value)
        }
      })
    })
  }

  /** Stops what runs under a key. False when nothing does. */
  stop(key: string, reason: string): Effect.Effect<boolean> {
    return Effect.suspend(() => {
      const stop = this.#running.get(key)
      return stop === undefined ? Effect.succeed(false) : Effect.as(stop(reason), true)
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
