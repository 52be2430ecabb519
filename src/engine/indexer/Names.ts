/** Brings the names of a worker, numbered in the order it met them, together with those of the workspace. */
import { type FactsBatch, FactsView, renumber } from "../languages/Facts.ts"
import { grown, type Interner } from "../languages/Interner.ts"

/** The names one worker has sent so far. A worker starts with the empty name as number 0, as every interner does. */
export class WorkerNames {
  private map = new Int32Array(1 << 12)
  private count = 1

  constructor(private readonly names: Interner) {}

  /**
   * Takes the names a batch brings and rewrites its facts, in place. Batches must come in the order in which the worker
   * made them. Returns the facts per file, undefined for a file without.
   */
  adopt(batch: FactsBatch): ReadonlyArray<FactsView | undefined> {
    const { bytes, ends } = batch.strings
    const size = this.count + ends.length
    if (size > this.map.length) this.map = grown(this.map, Math.max(size, this.map.length * 2))
    const { map, names } = this
    let from = 0
    for (let i = 0; i < ends.length; i++) {
      const end = ends[i]!
      map[this.count++] = names.bytes(bytes, from, end)
      from = end
    }
    const views = viewsOf(batch)
    for (const view of views) if (view !== undefined) renumber(view, map)
    return views
  }
}

/** The facts per file of a batch, undefined for a file without. */
export const viewsOf = (batch: FactsBatch): ReadonlyArray<FactsView | undefined> =>
  Array.from(batch.at, (at, place) =>
    at < 0 ? undefined : new FactsView(batch.ints, at, batch.text, batch.textAt[place]!)
  )
