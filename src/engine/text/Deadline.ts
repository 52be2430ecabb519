/** Thrown by {@link Deadline.poll}; never leaves this room. */
export class DeadlinePassed extends Error {
  readonly _tag = "DeadlinePassed"
}

/** A point in time after which a search stops. */
export class Deadline {
  private readonly at: number
  private readonly now: () => number

  /** `milliseconds` from now; `Infinity` for never. */
  constructor(milliseconds: number, now: () => number = () => performance.now()) {
    this.now = now
    this.at = milliseconds === Infinity ? Infinity : now() + milliseconds
  }

  get passed(): boolean {
    return this.at !== Infinity && this.now() >= this.at
  }

  /** Throws {@link DeadlinePassed} once the time is over. */
  poll(): void {
    if (this.passed) throw new DeadlinePassed()
  }
}
