/** Counts by key and by what stands beside it, closed to everything a list of keys does not allow. */
import { isRecord } from "../registry/Json.ts"
import { fits, type Key, type Names } from "./Keys.ts"

/** Counts as they are written and sent. */
export interface Counts {
  readonly [key: string]: { readonly [dimension: string]: number }
}

/** Takes counts in. */
export type Add = (key: string, dimension: string, count?: number) => void

export class Tally {
  readonly #keys: { readonly [key: string]: Key }
  readonly #names: Names | undefined
  readonly #counts = new Map<string, Map<string, number>>()

  /** Without `names`, names of this program pass by their shape: for counts that are read back. */
  constructor(keys: { readonly [key: string]: Key }, names?: Names) {
    this.#keys = keys
    this.#names = names
  }

  /** Adds to a count. What the list does not allow is not counted, and neither is what is no positive whole number. */
  readonly add: Add = (key, dimension, count = 1) => {
    const known = Object.hasOwn(this.#keys, key) ? this.#keys[key] : undefined
    if (known === undefined || !Number.isSafeInteger(count) || count <= 0) return
    const row = this.#counts.get(key)
    const before = row?.get(dimension)
    if (before === undefined && !fits(known.dimension, dimension, this.#names)) return
    if (row === undefined) this.#counts.set(key, new Map([[dimension, count]]))
    else row.set(dimension, (before ?? 0) + count)
  }

  /** Adds whatever of a value from outside is counts that the list allows. */
  addAll(value: unknown): void {
    if (!isRecord(value)) return
    for (const [key, row] of Object.entries(value)) {
      if (!isRecord(row)) continue
      for (const [dimension, count] of Object.entries(row))
        if (typeof count === "number") this.add(key, dimension, count)
    }
  }

  get isEmpty(): boolean {
    return this.#counts.size === 0
  }

  /** The counts, sorted. */
  counts(): Counts {
    const sorted = <A>(map: ReadonlyMap<string, A>) => [...map].sort(([a], [b]) => (a < b ? -1 : 1))
    return Object.fromEntries(
      sorted(this.#counts).map(([key, row]) => [key, Object.fromEntries(sorted(row))])
    )
  }

  clear(): void {
    this.#counts.clear()
  }
}
