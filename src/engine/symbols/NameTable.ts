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

/**
 * What a name's spelling alone tells: its place among all names and its words. Names are only ever added, so all
 * snapshots that share them share this too, and a new one pays for its new names only.
 */
class Spelling {
  private sorted = new Int32Array(0)
  private ordered = 1
  readonly terms = new Interner()
  private wordList = new Int32Array(1 << 12)
  private wordEnds = new Int32Array(1 << 10)
  private wordSizes = new Uint8Array(1 << 10)
  private worded = 0

  /** Numbers of all names by lower-case spelling, number 0 left out. */
  order(names: Interner): Int32Array {
    const size = names.size
    if (size > this.ordered) {
      const fresh: Array<{ readonly n: number; readonly lower: string }> = []
      for (let n = this.ordered; n < size; n++) fresh.push({ n, lower: names.text(n).toLowerCase() })
      fresh.sort((a, b) => (a.lower < b.lower ? -1 : a.lower > b.lower ? 1 : a.n - b.n))
      const old = this.sorted
      const merged = new Int32Array(old.length + fresh.length)
      let from = 0
      let to = 0
      for (const { lower, n } of fresh) {
        // Where the new name belongs among the old ones.
        let low = from
        let high = old.length
        while (low < high) {
          const middle = (low + high) >> 1
          const at = names.text(old[middle]!).toLowerCase()
          if (at < lower || (at === lower && old[middle]! < n)) low = middle + 1
          else high = middle
        }
        merged.set(old.subarray(from, low), to)
        to += low - from
        merged[to++] = n
        from = low
      }
      merged.set(old.subarray(from), to)
      this.sorted = merged
      this.ordered = size
    }
    return this.sorted
  }

  /** The distinct stems of every name: those of name n end at `ends[n]`; `sizes` counts words, up to 255. */
  words(names: Interner): {
    readonly terms: Interner
    readonly list: Int32Array
    readonly ends: Int32Array
    readonly sizes: Uint8Array
  } {
    const size = names.size
    if (size > this.worded) {
      if (size > this.wordEnds.length) {
        const ends = new Int32Array(size + (size >> 3))
        ends.set(this.wordEnds)
        const sizes = new Uint8Array(ends.length)
        sizes.set(this.wordSizes)
        this.wordEnds = ends
        this.wordSizes = sizes
      }
      const word = new Uint8Array(longestWord)
      let total = this.worded === 0 ? 0 : this.wordEnds[this.worded - 1]!
      for (let n = this.worded; n < size; n++) {
        const bytes = encoder.encode(foldHigh(names.text(n)))
        const first = total
        eachWord(bytes, 0, bytes.length, word, (length) => {
          if (this.wordSizes[n]! < 255) this.wordSizes[n]!++
          const term = this.terms.bytes(word, 0, stem(word, length))
          for (let i = first; i < total; i++) if (this.wordList[i] === term) return
          if (total === this.wordList.length) {
            const more = new Int32Array(total * 2)
            more.set(this.wordList)
            this.wordList = more
          }
          this.wordList[total++] = term
        })
        this.wordEnds[n] = total
      }
      this.worded = size
    }
    return { terms: this.terms, list: this.wordList, ends: this.wordEnds, sizes: this.wordSizes }
  }

  get bytes(): number {
    return (
      this.sorted.byteLength + this.wordList.byteLength + this.wordEnds.byteLength + this.wordSizes.byteLength
    )
  }
}
const spellings = new WeakMap<Interner, Spelling>()
const spellingOf = (names: Interner): Spelling => {
  let known = spellings.get(names)
  if (known === undefined) spellings.set(names, (known = new Spelling()))
  return known
}

export class NameTable {
  /** Distinct names in order of their lower-case spelling; what others call a name's place is its index here. */
  private readonly sorted: Int32Array
  /** Place of each of the snapshot's names, -1 when no definition bears it. */
  private readonly places: Int32Array
  private readonly starts: Int32Array
  private readonly bearers: Int32Array

  private readonly spelling: Spelling
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
    this.spelling = spellingOf(names)
    const distinct = Array.from(this.spelling.order(names)).filter((n) => counts[n]! > 0)
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
    const { ends, list, sizes: all, terms } = this.spelling.words(this.snapshot.names)
    const sizes = new Uint8Array(this.size)
    const starts = new Int32Array(terms.size + 2)
    let total = 0
    for (let place = 0; place < this.size; place++) {
      const name = this.sorted[place]!
      sizes[place] = all[name]!
      for (let i = name === 0 ? 0 : ends[name - 1]!; i < ends[name]!; i++) starts[list[i]! + 2]!++
      total += ends[name]! - (name === 0 ? 0 : ends[name - 1]!)
    }
    for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1]!
    const places = new Int32Array(total)
    for (let place = 0; place < this.size; place++) {
      const name = this.sorted[place]!
      for (let i = name === 0 ? 0 : ends[name - 1]!; i < ends[name]!; i++)
        places[starts[list[i]! + 1]!++] = place
    }
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
      this.spelling.bytes +
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
