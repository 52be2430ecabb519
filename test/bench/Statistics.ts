/** Order statistics of measurements. */

/** Nearest-rank percentile: the smallest value with at least `share` (0 to 1) of the values at or below it. Undefined for none. */
export const percentile = (values: ReadonlyArray<number>, share: number): number | undefined => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.max(0, Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1))]
}

/** The middle value, or the mean of the two in the middle. Undefined for none. */
export const median = (values: ReadonlyArray<number>): number | undefined => {
  const sorted = [...values].sort((a, b) => a - b)
  const upper = sorted.length >> 1
  return sorted.length % 2 === 1
    ? sorted[upper]
    : sorted.length === 0
      ? undefined
      : (sorted[upper - 1]! + sorted[upper]!) / 2
}

/** Numbers from 0 (inclusive) to 1 that are the same for the same seed (mulberry32). */
export const random = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** Up to `count` different members, in random order. */
export const sample = <T>(values: ReadonlyArray<T>, count: number, next: () => number): ReadonlyArray<T> => {
  const rest = [...values]
  const taken: Array<T> = []
  while (taken.length < count && rest.length > 0) {
    const at = Math.floor(next() * rest.length)
    taken.push(rest[at]!)
    rest[at] = rest[rest.length - 1]!
    rest.pop()
  }
  return taken
}
