/**
 * Lets readers of one view of the documents in together, and readers of different views one view after another: a
 * server sees one state of its documents at a time.
 */
import { Effect } from "effect"

interface Turn {
  readonly view: string
  readonly enter: () => void
}

/** A lock over the views of one server. First come, first served: a reader does not pass one that waits for another view. */
export class ViewLock {
  private view: string | undefined
  private inside = 0
  private readonly queue: Array<Turn> = []

  /** Readers inside. */
  get readers(): number {
    return this.inside
  }

  /** Runs an effect while the view is this one and stays it. */
  with<A, E, R>(view: string, body: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.acquireUseRelease(
      Effect.interruptible(this.enter(view)),
      () => body,
      () => Effect.sync(() => this.leave())
    )
  }

  private enter(view: string): Effect.Effect<void> {
    return Effect.async<void>((resume) => {
      if (this.queue.length === 0 && (this.inside === 0 || this.view === view)) {
        this.view = view
        this.inside++
        return resume(Effect.void)
      }
      let entered = false
      const turn: Turn = {
        view,
        enter: () => {
          entered = true
          resume(Effect.void)
        }
      }
      this.queue.push(turn)
      return Effect.sync(() => {
        const at = this.queue.indexOf(turn)
        if (at >= 0) this.queue.splice(at, 1)
        // Interrupted between being let in and going on.
        if (entered) this.leave()
        else this.admit()
      })
    })
  }

  private leave(): void {
    this.inside--
    this.admit()
  }

  private admit(): void {
    for (;;) {
      const [next] = this.queue
      if (next === undefined || (this.inside > 0 && this.view !== next.view)) return
      this.queue.shift()
      this.view = next.view
      this.inside++
      next.enter()
    }
  }
}
