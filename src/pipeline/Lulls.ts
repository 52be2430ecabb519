/**
 * Work that can wait until nobody waits: done between calls, one step after the other, and not before it has been quiet
 * for a moment.
 */

/** Milliseconds without a call after which work goes on. */
const quietMs = 100

/** A step of some work; answers whether there is more of it. */
export type Step = () => Promise<boolean>

export class Lulls {
  readonly #works: Array<Step> = []
  #timer: NodeJS.Timeout | undefined
  /** Calls in work that somebody waits for. */
  #waiting = 0
  #ended = false
  #running = false

  /** Adds work, to be done after what was added before. A step that fails is the last one of its work. */
  add(step: Step): void {
    this.#works.push(step)
    this.#arm()
  }

  /** Says that somebody waits; answers how to say that it is over. */
  during(): () => void {
    this.#waiting++
    clearTimeout(this.#timer)
    return () => {
      this.#waiting--
      this.#arm()
    }
  }

  /** Ends it for good. */
  end(): void {
    this.#ended = true
    clearTimeout(this.#timer)
    this.#works.length = 0
  }

  #arm(): void {
    clearTimeout(this.#timer)
    if (this.#ended || this.#waiting > 0 || this.#running || this.#works.length === 0) return
    this.#timer = setTimeout(() => void this.#run(), quietMs).unref()
  }

  async #run(): Promise<void> {
    this.#running = true
    while (this.#waiting === 0 && this.#works.length > 0) {
      const more = await this.#works[0]!().catch(() => false)
      if (!more) this.#works.shift()
      // What has arrived meanwhile goes first.
      await new Promise((next) => setImmediate(next))
    }
    this.#running = false
    this.#arm()
  }
}
