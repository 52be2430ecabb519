/** Random choices that come out the same every time. */

/** Numbers in [0, 1) from a seed. */
export const random = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

/** `count` different items, or all of them in another order. */
export const sample = <A>(items: ReadonlyArray<A>, count: number, next: () => number): Array<A> => {
  const pool = [...items]
  const n = Math.min(count, pool.length)
  for (let i = 0; i < n; i++) {
    const j = i + Math.floor(next() * (pool.length - i))
    const chosen = pool[j]!
    pool[j] = pool[i]!
    pool[i] = chosen
  }
  return pool.slice(0, n)
}
