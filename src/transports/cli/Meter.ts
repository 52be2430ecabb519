/** Progress on standard error: one line that is drawn over on a terminal, nothing where nobody looks. */
import type { OnProgress } from "../../pipeline/Engine.ts"

const width = 24
const redrawMs = 80

export class Meter {
  readonly #out: NodeJS.WriteStream
  #drawnAt = -Infinity
  #drawn = false

  constructor(out: NodeJS.WriteStream = process.stderr) {
    this.#out = out
  }

  readonly report: OnProgress = (done, total, message) => {
    const now = performance.now()
    // A process that was started to index for another one tells that one.
    if (process.send !== undefined && (now - this.#drawnAt >= redrawMs || done === total)) {
      this.#drawnAt = now
      process.send([done, total, message])
      return
    }
    if (!this.#out.isTTY || (now - this.#drawnAt < redrawMs && done !== total)) return
    this.#drawnAt = now
    this.#drawn = true
    const full = total === undefined || total === 0 ? undefined : Math.min(1, done / total)
    const bar = full === undefined ? "" : `${"█".repeat(Math.round(full * width)).padEnd(width, "░")} `
    const count = total === undefined ? `${done}` : `${done}/${total}`
    const line = `${bar}${count}${message === undefined ? "" : ` ${message}`}`
    this.#out.write(`\r\u001b[K${line.slice(0, Math.max(20, (this.#out.columns ?? 80) - 1))}`)
  }

  /** Takes the line away. */
  end(): void {
    if (this.#drawn) this.#out.write("\r\u001b[K")
    this.#drawn = false
  }
}
