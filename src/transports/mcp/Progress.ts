/** Reports of one call as notifications: not too many, always rising, none lost that matters. */

/** What a notification says. */
export interface Step {
  readonly progress: number
  readonly total?: number
  readonly message?: string
}

/** Milliseconds between two notifications of a call. */
export const interval = 100

/** Sends steps at most once an interval. The protocol wants rising numbers, so a count that starts anew goes on from the last. */
export class ProgressSender {
  readonly #send: (step: Step) => void
  readonly #now: () => number
  readonly #every: number
  #base = 0
  #done = 0
  #sent = -Infinity
  #sentAt = -Infinity
  #pending: Step | undefined

  constructor(
    send: (step: Step) => void,
    now: () => number = () => performance.now(),
    every: number = interval
  ) {
    this.#send = send
    this.#now = now
    this.#every = every
  }

  /** Takes a report: how much is done, of how much if that is known. */
  report(done: number, total?: number, message?: string): void {
    if (done < this.#done) this.#base += this.#done
    this.#done = done
    this.#pending = {
      progress: this.#base + done,
      ...(total === undefined ? {} : { total: this.#base + total }),
      ...(message === undefined ? {} : { message })
    }
    if (this.#now() - this.#sentAt >= this.#every) this.flush()
  }

  /** Sends the newest report, if it has not been. */
  flush(): void {
    const step = this.#pending
    this.#pending = undefined
    if (step === undefined || step.progress <= this.#sent) return
    this.#sent = step.progress
    this.#sentAt = this.#now()
    this.#send(step)
  }
}
