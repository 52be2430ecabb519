/**
 * Brings what was written beside a database into its file, on another thread: that waits for the disk, and calls should
 * not wait with it.
 */
import type Background from "libsql/promise"

/** Statements after which it is done. */
const every = 500

/**
 * Beside those who write on, who wait for nothing of it; what they write meanwhile is brought in by the second. Where
 * somebody always writes something is left in the end, which the one who comes to the most pages there may be brings in.
 */
const steps = "PRAGMA wal_checkpoint(PASSIVE); PRAGMA wal_checkpoint(PASSIVE)"

export class Checkpoints {
  readonly #file: string
  #connection: Background | undefined
  #statements = 0
  #working: Promise<void> | undefined
  #closed = false

  constructor(file: string) {
    this.#file = file
  }

  /** Counts a statement. */
  count(): void {
    if (++this.#statements < every || this.#working !== undefined || this.#closed) return
    this.#statements = 0
    this.#working = this.#run().finally(() => {
      this.#working = undefined
    })
  }

  /** Settles when none is under way any more and none will be. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#working
    this.#connection?.close()
    this.#connection = undefined
  }

  /** What cannot be done now is done after as many statements more, or with the last connection. */
  async #run(): Promise<void> {
    try {
      const { default: Database } = await import("libsql/promise")
      this.#connection ??= new Database(this.#file, {})
      await this.#connection.exec(steps)
    } catch {
      this.#connection?.close()
      this.#connection = undefined
    }
  }
}
