/**
 * Tells the operator of operations that keep everybody else waiting. A server hears of other calls and of cancellations
 * between the turns of its event loop only. One that took long is noticed by a timer that comes late, or by the call that
 * held it as it ends. The timer goes on for a moment after the last call: mostly another one comes.
 */

/** How often a turn is looked for while calls run, in milliseconds; what is told may be so much too little. */
const everyMs = 100
/** Milliseconds of one turn that are told of. */
const longMs = 1000

export class Watchdog {
  /** How many calls of each operation run. */
  readonly #running = new Map<string, number>()
  /** Operations that were told of; once is enough. */
  readonly #told = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #turn = 0

  constructor(
    private readonly log: (text: string) => void,
    /** Milliseconds since some moment. */
    private readonly now: () => number = () => performance.now()
  ) {}

  /** Says that a call of an operation runs; answers how to say that it is over. */
  during(operation: string): () => void {
    if (this.#running.size === 0) this.#turn = this.now()
    this.#timer ??= setInterval(() => this.#tick(), everyMs).unref()
    this.#running.set(operation, (this.#running.get(operation) ?? 0) + 1)
    let over = false
    return () => {
      if (over) return
      over = true
      this.#late()
      const others = this.#running.get(operation)! - 1
      if (others > 0) this.#running.set(operation, others)
      else this.#running.delete(operation)
    }
  }

  #tick(): void {
    if (this.#running.size === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
      return
    }
    this.#late()
    this.#turn = this.now()
  }

  #late(): void {
    const at = this.now()
    const held = at - this.#turn - everyMs
    if (held < longMs) return
    const names = [...this.#running.keys()]
    if (names.some((name) => !this.#told.has(name))) {
      for (const name of names) this.#told.add(name)
      this.log(
        `the event loop was blocked for ${(held / 1000).toFixed(1)} s during ${names.join(" and ")}; further times are not told`
      )
    }
    this.#turn = at
  }
}
