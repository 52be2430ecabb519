/**
 * The names of definitions: which definitions bear one, which names begin with a word, hold a word, or are spelt almost
 * like one. Made of a few typed arrays over the snapshot's own names.
 */
import type { Snapshot } from "../graph/Snapshot.ts"
import { D } from "../languages/Facts.ts"
import { Interner } from "../languages/Interner.ts"
import { editDistance } from "./Distance.ts"
import { eachWord, foldHigh, longestWord, stem } from "./Words.ts"

const encoder = new TextEncoder()

/** Letters and digits a name has, as bits; names within two edits differ in at most four. */
const letters = (lower: string): number => {
  let bits = 0
  for (let i = 0; i < lower.length; i++) {
    const c = lower.charCodeAt(i)
    bits |=
      1 << (c >= 97 && c <= 122 ? c - 97 : c >= 48 && c <= 57 ? 26 + (c & 1) : c === 95 ? 28 : 29 + (c % 3))
  }
  return bits
}
const ones = (bits: number): number => {
  let v = bits - ((bits >>> 1) & 0x55555555)
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333)
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

export class NameTable {
  /** Distinct names in order of their lower-case spelling; what others call a name's place is its index here. */
  private readonly sorted: Int32Array
  /** Place of each of the snapshot's names, -1 when no definition bears it. */
  private readonly places: Int32Array
  private readonly starts: Int32Array
  private readonly bearers: Int32Array

  private bits: Int32Array | undefined
  private lengths: Uint8Array | undefined
  private wordTable:
    | {
        readonly terms: Interner
        readonly count: number
        readonly starts: Int32Array
        readonly places: Int32Array
        readonly sizes: Uint8Array
      }
    | undefined

  /** `firsts` are the dense numbers of each file's first definition, with the total at its end. */
  constructor(
    private readonly snapshot: Snapshot,
    firsts: Int32Array
  ) {
    const { files, names } = snapshot
    const counts = new Int32Array(names.size)
    for (const file of files) {
      const view = file?.view
      if (view === undefined) continue
      for (let i = 0, n = view.definitionCount; i < n; i++) counts[view.def(i, D.name)]!++
    }
    const distinct: Array<number> = []
    for (let n = 1; n < counts.length; n++) if (counts[n]! > 0) distinct.push(n)
    const lower = new Map<number, string>()
    for (const n of distinct) lower.set(n, names.text(n).toLowerCase())
    distinct.sort((a, b) => {
      const x = lower.get(a)!
      const y = lower.get(b)!
      return x < y ? -1 : x > y ? 1 : a - b
    })
    this.sorted = Int32Array.from(distinct)
    const places = (this.places = new Int32Array(names.size).fill(-1))
    const starts = (this.starts = new Int32Array(distinct.length + 1))
    distinct.forEach((n, place) => {
      places[n] = place
      starts[place + 1] = starts[place]! + counts[n]!
    })
    const next = starts.slice()
    const bearers = (this.bearers = new Int32Array(starts[distinct.length]!))
    for (let f = 0; f < files.length; f++) {
      const view = files[f]?.view
      if (view === undefined) continue
      for (let i = 0, n = view.definitionCount; i < n; i++) {
        const place = places[view.def(i, D.name)]!
        if (place >= 0) bearers[next[place]!++] = firsts[f]! + i
      }
    }
  }

  get size(): number {
    return this.sorted.length
  }
  text(place: number): string {
    return this.snapshot.names.text(this.sorted[place]!)
  }
  lower(place: number): string {
    return this.text(place).toLowerCase()
  }
  /** Place of one of the snapshot's names, -1 when no definition bears it. */
  placeOf(name: number): number {
    return name < this.places.length ? this.places[name]! : -1
  }
  /** Dense numbers of the definitions that bear the name. */
  each(place: number, visit: (definition: number) => void): void {
    for (let i = this.starts[place]!, end = this.starts[place + 1]!; i < end; i++) visit(this.bearers[i]!)
  }
  count(place: number): number {
    return this.starts[place + 1]! - this.starts[place]!
  }

  /** Places [from, to) whose lower-case spelling begins with a lower-case text. */
  beginning(prefix: string): readonly [from: number, to: number] {
    return [this.bound(prefix), this.bound(`${prefix}\uffff`)]
  }
  /** Places [from, to) whose lower-case spelling is the text. */
  spelt(lower: string): readonly [from: number, to: number] {
    const from = this.bound(lower)
    let to = from
    while (to < this.size && this.lower(to) === lower) to++
    return [from, to]
  }
  private bound(text: string): number {
    let low = 0
    let high = this.size
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.lower(middle) < text) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Places of names with a stem among their words. The array is a view of the table. */
  holding(stemmed: string): Int32Array {
    const { count, places, starts, terms } = this.byWord()
    const term = terms.string(stemmed)
    return term === 0 || term >= count ? none : places.subarray(starts[term]!, starts[term + 1]!)
  }
  /** How many words a name has. */
  wordCount(place: number): number {
    return this.byWord().sizes[place]!
  }
  private byWord() {
    if (this.wordTable !== undefined) return this.wordTable
    const terms = new Interner()
    const word = new Uint8Array(longestWord)
    const sizes = new Uint8Array(this.size)
    let found = new Int32Array(this.size * 4 + 16)
    let owner = new Int32Array(found.length)
    let total = 0
    for (let place = 0; place < this.size; place++) {
      const bytes = encoder.encode(foldHigh(this.text(place)))
      const first = total
      eachWord(bytes, 0, bytes.length, word, (length) => {
        if (sizes[place]! < 255) sizes[place]!++
        const term = terms.bytes(word, 0, stem(word, length))
        for (let i = first; i < total; i++) if (found[i] === term) return
        if (total === found.length) {
          const a = new Int32Array(total * 2)
          a.set(found)
          found = a
          const b = new Int32Array(total * 2)
          b.set(owner)
          owner = b
        }
        found[total] = term
        owner[total++] = place
      })
    }
    const starts = new Int32Array(terms.size + 2)
    for (let i = 0; i < total; i++) starts[found[i]! + 2]!++
    for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1]!
    const places = new Int32Array(total)
    for (let i = 0; i < total; i++) places[starts[found[i]! + 1]!++] = owner[i]!
    return (this.wordTable = { terms, count: terms.size, starts, places, sizes })
  }

  /** Places of names with the lower-case text somewhere inside. */
  containing(lower: string): ReadonlyArray<number> {
    const out: Array<number> = []
    const wanted = letters(lower)
    const { bits, lengths } = this.shapes()
    for (let place = 0; place < this.size; place++) {
      if (
        (bits[place]! & wanted) === wanted &&
        lengths[place]! >= Math.min(lower.length, 255) &&
        this.lower(place).includes(lower)
      )
        out.push(place)
    }
    return out
  }

  /** Places of names within so many edits of a lower-case text, nearest first. */
  near(lower: string, most: number): ReadonlyArray<{ readonly place: number; readonly distance: number }> {
    const out: Array<{ place: number; distance: number }> = []
    const wanted = letters(lower)
    const { bits, lengths } = this.shapes()
    const length = Math.min(lower.length, 255)
    for (let place = 0; place < this.size; place++) {
      if (Math.abs(lengths[place]! - length) > most || ones(bits[place]! ^ wanted) > 2 * most) continue
      const distance = editDistance(lower, this.lower(place), most)
      if (distance <= most) out.push({ place, distance })
    }
    return out.sort((a, b) => a.distance - b.distance || a.place - b.place)
  }
  private shapes() {
    if (this.bits === undefined || this.lengths === undefined) {
      this.bits = new Int32Array(this.size)
      this.lengths = new Uint8Array(this.size)
      for (let place = 0; place < this.size; place++) {
        const lower = this.lower(place)
        this.bits[place] = letters(lower)
        this.lengths[place] = Math.min(lower.length, 255)
      }
    }
    return { bits: this.bits, lengths: this.lengths }
  }

  /** Bytes held by its arrays. */
  get bytes(): number {
    return (
      this.sorted.byteLength +
      this.places.byteLength +
      this.starts.byteLength +
      this.bearers.byteLength +
      (this.bits?.byteLength ?? 0) +
      (this.lengths?.byteLength ?? 0) +
      (this.wordTable === undefined
        ? 0
        : this.wordTable.starts.byteLength +
          this.wordTable.places.byteLength +
          this.wordTable.sizes.byteLength)
    )
  }
}
const none = new Int32Array(0)
