/** Bytes that are looked for in many files. */
import { makePairScan, mostBytes, type PairScan } from "./PairScan.ts"

/** Bytes of source code by how often they are met, the commonest first; all others are rarer. */
const common = " etasronilcd\npuhm)(.'gf,/=y-vb;w:}{kxS`T0IE>\"ARC*PNOMB_DL1j[]2F<U|qH?G453WVz$\\6&#+K!8YJ"
const rarity = new Uint8Array(256).fill(255)
for (let i = 0; i < common.length; i++) rarity[common.charCodeAt(i)] = i
/** Bytes of a longer text that are looked at for the rarest two. */
const mostLooked = 4096
/** What a place that is not right costs, in bytes looked at. */
const stop = 32
/** In shorter texts the native search is done before the other has begun. */
const leastText = 256

let scanner: PairScan | undefined | null = null
/** The text the scanner holds. */
let held: Buffer | undefined

/** Lets go of the text that was searched last. */
export const release = (): void => {
  held = undefined
}

/** Finds a text by its two rarest bytes, which few places have both, and looks at those places. */
export class Needle {
  readonly #bytes: Buffer
  /** Places of the two rarest bytes. */
  readonly #first: number
  readonly #second: number

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const rank = (at: number) => rarity[bytes[at]!]!
    let first = 0
    let second = 1
    if (bytes.length > 1 && rank(1) > rank(0)) [first, second] = [1, 0]
    for (let i = 2; i < Math.min(bytes.length, mostLooked); i++) {
      if (rank(i) > rank(first)) [first, second] = [i, bytes[i] === bytes[first] ? second : first]
      else if (rank(i) > rank(second) && bytes[i] !== bytes[first]) second = i
    }
    this.#first = first
    this.#second = second
  }

  /** Where the bytes occur next at or after `from`, or -1. */
  find(hay: Buffer, from: number): number {
    const needle = this.#bytes
    const { length } = needle
    if (length < 2 || hay.length < leastText || hay.length > mostBytes) return hay.indexOf(needle, from)
    if (scanner === null) scanner = makePairScan()
    if (scanner === undefined) return hay.indexOf(needle, from)
    if (held !== hay) {
      scanner.put(hay)
      held = hay
    }
    const last = hay.length - length
    const a = this.#first
    const b = this.#second
    let work = 0
    for (let at = from; ; at++) {
      at = scanner.scan(at, last, needle[a]!, needle[b]!, a, b)
      if (at < 0) return -1
      let same = 0
      while (same < length && hay[at + same] === needle[same]) same++
      if (same === length) return at
      // Places that are many and nearly right: the native search skips by what it has seen.
      work += same + stop
      if (work > 4096 + 4 * (at - from)) return hay.indexOf(needle, at + 1)
    }
  }
}
