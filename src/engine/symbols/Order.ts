/** Names in order of their lower-case spelling, sorted by their bytes: no string is made of a name in ASCII. */
import type { Interner } from "../languages/Interner.ts"

/** Bits of a sorting key that tell a name's place before; four bytes of its spelling lie above them. */
const places = 2 ** 21
/** Groups up to this size are sorted by insertion. */
const few = 12

const folded = new Uint8Array(256)
for (let byte = 0; byte < 256; byte++) folded[byte] = byte >= 65 && byte <= 90 ? byte + 32 : byte

/** Whether a name's bytes can be told apart as they are: all of them ASCII, and none a NUL. */
export const isPlain = (store: Uint8Array, from: number, to: number): boolean => {
  for (let i = from; i < to; i++) if (store[i]! >= 0x80 || store[i] === 0) return false
  return true
}

/** Whether the name in `[a, aEnd)` comes after the one in `[b, bEnd)`; neither holds a NUL. */
const isAfter = (store: Uint8Array, a: number, aEnd: number, b: number, bEnd: number): boolean => {
  const end = a + Math.min(aEnd - a, bEnd - b)
  while (a < end) {
    const x = folded[store[a]!]!
    const y = folded[store[b]!]!
    if (x !== y) return x > y
    a++
    b++
  }
  return aEnd - a > bEnd - b
}

/**
 * Sorts `ids[low, high)` by the folded bytes from `depth` on. Those before are the same for all, and equal names keep
 * their order.
 */
const sort = (
  ids: Int32Array,
  low: number,
  high: number,
  depth: number,
  store: Uint8Array,
  offsets: Int32Array
): void => {
  if (high - low <= few) {
    for (let i = low + 1; i < high; i++) {
      const id = ids[i]!
      const from = offsets[id]! + depth
      const end = offsets[id + 1]!
      let to = i
      for (; to > low; to--) {
        const other = ids[to - 1]!
        if (!isAfter(store, offsets[other]! + depth, offsets[other + 1]!, from, end)) break
        ids[to] = other
      }
      ids[to] = id
    }
    return
  }
  if (high - low > places) {
    const after = (a: number, b: number) =>
      isAfter(store, offsets[a]!, offsets[a + 1]!, offsets[b]!, offsets[b + 1]!)
    ids.subarray(low, high).sort((a, b) => (after(a, b) ? 1 : after(b, a) ? -1 : a - b))
    return
  }
  const before = ids.slice(low, high)
  const keys = new Float64Array(before.length)
  for (let i = 0; i < keys.length; i++) {
    const id = before[i]!
    const end = offsets[id + 1]!
    let key = 0
    for (let at = offsets[id]! + depth, k = 0; k < 4; k++, at++)
      key = (key << 8) | (at < end ? folded[store[at]!]! : 0)
    keys[i] = (key >>> 0) * places + i
  }
  keys.sort()
  let first = 0
  let shared = -1
  const ended = (to: number) => {
    // A last byte of 0 is past the end of the name: the names of the group are the same.
    if (to - first > 1 && shared % 256 !== 0) sort(ids, low + first, low + to, depth + 4, store, offsets)
  }
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i]!
    ids[low + i] = before[key % places]!
  }
  for (let i = 0; i < keys.length; i++) {
    const spelt = Math.floor(keys[i]! / places)
    if (spelt === shared) continue
    ended(i)
    first = i
    shared = spelt
  }
  ended(keys.length)
}

/** Numbers of the names in `[from, to)` by lower-case spelling in UTF-16 order; those spelt alike by number. */
export const byLowerCase = (names: Interner, from: number, to: number): Int32Array<ArrayBuffer> => {
  const { offsets, store } = names.columns()
  const plain = new Int32Array(Math.max(0, to - from))
  const others: Array<{ readonly n: number; readonly lower: string }> = []
  let count = 0
  for (let n = from; n < to; n++) {
    if (isPlain(store, offsets[n]!, offsets[n + 1]!)) plain[count++] = n
    else others.push({ n, lower: names.text(n).toLowerCase() })
  }
  const sorted = plain.subarray(0, count)
  sort(sorted, 0, count, 0, store, offsets)
  if (others.length === 0) return sorted
  others.sort((a, b) => (a.lower < b.lower ? -1 : a.lower > b.lower ? 1 : a.n - b.n))
  return merged(names, sorted, others)
}

/** A sorted list with other names put where they belong. Both are in order. */
export const merged = (
  names: Interner,
  old: Int32Array,
  fresh: ReadonlyArray<{ readonly n: number; readonly lower: string }>
): Int32Array<ArrayBuffer> => {
  const out = new Int32Array(old.length + fresh.length)
  let from = 0
  let to = 0
  for (const { lower, n } of fresh) {
    let low = from
    let high = old.length
    while (low < high) {
      const middle = (low + high) >> 1
      const at = names.text(old[middle]!).toLowerCase()
      if (at < lower || (at === lower && old[middle]! < n)) low = middle + 1
      else high = middle
    }
    out.set(old.subarray(from, low), to)
    to += low - from
    out[to++] = n
    from = low
  }
  out.set(old.subarray(from), to)
  return out
}
