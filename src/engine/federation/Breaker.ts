/** A circuit breaker: who fails repeatedly is left alone for a while, then tried once before being trusted again. */

export interface BreakerLimits {
  /** Failures in a row that open it. */
  readonly failures: number
  /** Milliseconds it stays open before one attempt is let through. */
  readonly restMs: number
}

export class Breaker {
  readonly #limits: BreakerLimits
  #failures = 0
  #openedAt: number | undefined
  #trying = false

  constructor(limits: BreakerLimits) {
    this.#limits = limits
  }

  /** Whether an attempt may be made now. A `true` is to be followed by one of the others. */
  admits(now: number): boolean {
    if (this.#openedAt === undefined) return true
    if (this.#trying || now - this.#openedAt < this.#limits.restMs) return false
    return (this.#trying = true)
  }

  succeeded(): void {
    this.#failures = 0
    this.#openedAt = undefined
    this.#trying = false
  }

  failed(now: number): void {
    this.#failures++
    this.#trying = false
    if (this.#openedAt !== undefined || this.#failures >= this.#limits.failures) this.#openedAt = now
  }

  /** The attempt was given up before it came to anything. */
  abandoned(): void {
    this.#trying = false
  }
}
