/** The calls that run now: each ends with its own signal, all of them with the process. */
import { type Exit, type Fiber, FiberId } from "effect"

/** What tells that nobody waits for a call any longer. An `AbortSignal` is one. */
export interface Signal {
  readonly aborted: boolean
  readonly addEventListener: (
    type: "abort",
    listener: () => void,
    options?: { readonly once?: boolean }
  ) => void
  readonly removeEventListener: (type: "abort", listener: () => void) => void
}

export class Running {
  readonly #stops = new Set<() => void>()
  #ended = false

  /**
   * Settles when a fiber is done, with how it ended. An aborted signal interrupts it. Keeps nothing of a call that is
   * over: a combined signal would leave a trace in its longer-lived part for every call.
   */
  exit<A, E>(fiber: Fiber.RuntimeFiber<A, E>, signal?: Signal): Promise<Exit.Exit<A, E>> {
    return new Promise((resolve) => {
      const stop = () => fiber.unsafeInterruptAsFork(FiberId.none)
      if (this.#ended || signal?.aborted === true) stop()
      else {
        this.#stops.add(stop)
        signal?.addEventListener("abort", stop, { once: true })
      }
      fiber.addObserver((exit) => {
        this.#stops.delete(stop)
        signal?.removeEventListener("abort", stop)
        resolve(exit)
      })
    })
  }

  /** Interrupts every call, those to come included. */
  end(): void {
    this.#ended = true
    for (const stop of this.#stops) stop()
    this.#stops.clear()
  }

  /** How many calls run. */
  get size(): number {
    return this.#stops.size
  }
}
