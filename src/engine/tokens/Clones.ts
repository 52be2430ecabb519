/**
 * Finds bodies that are alike: MinHash over shingles of tokens, bands to bring likely pairs together, and the Jaccard
 * index of the shingles themselves to tell which are. Runs of equal tokens are found by winnowing, so that no run of a
 * given length is missed, and followed to their ends.
 */
import type { FileTokens, Unit } from "./FileTokens.ts"

/** Tokens of a shingle, hashes of a signature and rows of a band. */
const shingle = 6
const size = 48
const rows = 3
/** Tokens of a fingerprint. */
const grain = 20

const factors = Int32Array.from({ length: size }, (_, i) => Math.imul(0x9e3779b1, 2 * i + 1) | 1)
const addends = Int32Array.from({ length: size }, (_, i) => Math.imul(0x85ebca6b, i + 1))

/** Hashes of the shingles of some tokens, ascending and each once. */
export const shinglesOf = (tokens: Int32Array, from: number, to: number): Int32Array => {
  const all = new Int32Array(Math.max(0, to - from - shingle + 1))
  for (let i = 0; i < all.length; i++) {
    let hash = 0x811c9dc5 | 0
    for (let k = 0; k < shingle; k++) {
      hash = Math.imul(hash ^ tokens[from + i + k]!, 0x01000193)
      hash ^= hash >>> 15
    }
    all[i] = hash
  }
  all.sort()
  let count = 0
  for (let i = 0; i < all.length; i++) if (i === 0 || all[i] !== all[i - 1]) all[count++] = all[i]!
  return all.slice(0, count)
}

/** The least value of each hash function over a set. */
export const signatureOf = (shingles: Int32Array): Int32Array => {
  const out = new Int32Array(size).fill(0x7fffffff)
  for (const value of shingles)
    for (let i = 0; i < size; i++) {
      const hash = Math.imul(value, factors[i]!) + addends[i]!
      const mixed = hash ^ (hash >>> 13)
      if (mixed < out[i]!) out[i] = mixed
    }
  return out
}

/** Share of what two ascending sets have in common. */
export const jaccard = (a: Int32Array, b: Int32Array): number => {
  let common = 0
  for (let i = 0, k = 0; i < a.length && k < b.length; ) {
    if (a[i]! === b[k]!) {
      common++
      i++
      k++
    } else if (a[i]! < b[k]!) i++
    else k++
  }
  const all = a.length + b.length - common
  return all === 0 ? 0 : common / all
}

/** Fingerprints of a file: hashes and the tokens they begin at. Any equal run of `run` tokens shares one. */
export interface Prints {
  readonly hashes: Int32Array
  readonly at: Int32Array
}
export const printsOf = (tokens: Int32Array, run: number): Prints => {
  const count = tokens.length - grain + 1
  if (count <= 0) return { hashes: new Int32Array(0), at: new Int32Array(0) }
  const all = new Int32Array(count)
  let power = 1
  for (let k = 1; k < grain; k++) power = Math.imul(power, 0x01000193)
  let hash = 0
  for (let i = 0; i < tokens.length; i++) {
    if (i >= grain) hash = (hash - Math.imul(tokens[i - grain]!, power)) | 0
    hash = (Math.imul(hash, 0x01000193) + tokens[i]!) | 0
    if (i >= grain - 1) all[i - grain + 1] = hash ^ (hash >>> 16)
  }
  const windowed = Math.max(1, run - grain + 1)
  const hashes: Array<number> = []
  const at: Array<number> = []
  let last = -1
  for (let i = 0; i + windowed <= count || (i === 0 && count > 0); i++) {
    const end = Math.min(count, i + windowed)
    let least = i
    // The last one that was taken may still be the least, which spares most looks.
    if (last >= i && all[last]! <= all[end - 1]!) continue
    for (let k = i + 1; k < end; k++) if (all[k]! <= all[least]!) least = k
    if (least !== last) {
      last = least
      hashes.push(all[least]!)
      at.push(least)
    }
  }
  return { hashes: Int32Array.from(hashes), at: Int32Array.from(at) }
}

/** A body and its signature. */
export interface Signed {
  readonly file: number
  readonly unit: Unit
  readonly signature: Int32Array
}

/** Pairs of bodies that agree in a band, each once. In a crowded band each body meets only some others. */
export const candidates = (signed: ReadonlyArray<Signed>): ReadonlyArray<readonly [number, number]> => {
  const out: Array<readonly [number, number]> = []
  const seen = new Set<number>()
  for (let band = 0; band < size / rows; band++) {
    const buckets = new Map<string, Array<number>>()
    signed.forEach(({ signature }, i) => {
      let key = ""
      for (let r = 0; r < rows; r++) key += `${signature[band * rows + r]!} `
      const bucket = buckets.get(key)
      if (bucket === undefined) buckets.set(key, [i])
      else bucket.push(i)
    })
    for (const bucket of buckets.values()) {
      for (let k = 1; k < bucket.length; k++)
        for (let i = k < 16 ? 0 : k - 4; i < k; i++) {
          const key = bucket[i]! * signed.length + bucket[k]!
          if (seen.has(key)) continue
          seen.add(key)
          out.push([bucket[i]!, bucket[k]!])
        }
    }
  }
  return out
}

export interface Run {
  readonly tokens: number
  readonly fileA: number
  readonly fileB: number
  readonly a: number
  readonly b: number
}

/** How many places of one fingerprint are compared with each other; further ones with the first alone. */
const crowd = 6

/** Longest equal runs of at least `least` tokens. `tokensOf` gives the tokens of a file by its number. */
export const runs = (
  prints: ReadonlyArray<Prints>,
  least: number,
  tokensOf: (file: number) => Int32Array | undefined,
  late: () => boolean
): ReadonlyArray<Run> => {
  const places = new Map<number, Array<number>>()
  prints.forEach(({ at, hashes }, file) => {
    for (let i = 0; i < hashes.length; i++) {
      const known = places.get(hashes[i]!)
      if (known === undefined) places.set(hashes[i]!, [file, at[i]!])
      else known.push(file, at[i]!)
    }
  })
  const found: Array<Run> = []
  /** By files and how far apart the places are: up to where in the first a run was followed. */
  const followed = new Map<string, number>()
  for (const list of places.values()) {
    if (list.length < 4) continue
    if (late()) break
    for (let k = 2; k < list.length; k += 2)
      for (let i = 0; i < k && (i === 0 || k < crowd * 2); i += 2) {
        const fileA = list[i]!
        const fileB = list[k]!
        const key = `${fileA} ${fileB} ${list[k + 1]! - list[i + 1]!}`
        if ((followed.get(key) ?? -1) >= list[i + 1]!) continue
        const left = tokensOf(fileA)
        const right = tokensOf(fileB)
        if (left === undefined || right === undefined) continue
        let a = list[i + 1]!
        let b = list[k + 1]!
        const apart = b - a
        while (a > 0 && b > 0 && left[a - 1] === right[b - 1] && (fileA !== fileB || b - 1 !== a - 1)) {
          a--
          b--
        }
        let length = 0
        // In one file a run ends where its copy begins.
        while (
          a + length < left.length &&
          b + length < right.length &&
          left[a + length] === right[b + length] &&
          (fileA !== fileB || length < Math.abs(apart))
        )
          length++
        followed.set(key, a + length - 1)
        if (length >= least) found.push({ tokens: length, fileA, fileB, a, b })
      }
  }
  return found
}

/** The innermost body around a token; the rest of the file where there is none. */
export const unitAt = ({ units }: FileTokens, token: number): Unit => {
  let best = units[units.length - 1]!
  for (const unit of units)
    if (unit.from <= token && token < unit.to && unit.to - unit.from <= best.to - best.from) best = unit
  return best
}
