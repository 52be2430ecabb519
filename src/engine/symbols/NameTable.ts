/**
 * The names of definitions: which definitions bear one, which names begin with a word, hold a word, or are spelt almost
 * like one. Made of a few typed arrays over the snapshot's own names.
 */
import type { Snapshot } from "../graph/Snapshot.ts"
import { D } from "../languages/Facts.ts"
import { Interner } from "../languages/Interner.ts"
import { editDistance } from "./Distance.ts"
import type { NumberBase, Numbering } from "./Numbering.ts"
import { byLowerCase, isPlain, merged } from "./Order.ts"
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
  private bits = new Int32Array(0)
  private lengths = new Uint8Array(0)

  /** Letters and length, up to 255, of a name's lower-case spelling. */
  shape(names: Interner, name: number): readonly [bits: number, length: number] {
    if (name >= this.lengths.length) {
      const bits = new Int32Array(names.size + (names.size >> 4))
      bits.set(this.bits)
      this.bits = bits
      const lengths = new Uint8Array(bits.length)
      lengths.set(this.lengths)
      this.lengths = lengths
    }
    if (this.lengths[name] === 0) {
      const lower = names.text(name).toLowerCase()
      this.bits[name] = letters(lower)
      this.lengths[name] = Math.min(lower.length, 255)
    }
    return [this.bits[name]!, this.lengths[name]!]
  }

  /** Numbers of all names by lower-case spelling, number 0 left out. */
  order(names: Interner): Int32Array {
    const size = names.size
    if (size > this.ordered) {
      const fresh = byLowerCase(names, this.ordered, size)
      this.sorted =
        this.sorted.length === 0
          ? fresh
          : merged(
              names,
              this.sorted,
              Array.from(fresh, (n) => ({ n, lower: names.text(n).toLowerCase() }))
            )
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
      let first = total
      let n = this.worded
      const take = (length: number) => {
        if (this.wordSizes[n]! < 255) this.wordSizes[n]!++
        const term = this.terms.bytes(word, 0, stem(word, length))
        for (let i = first; i < total; i++) if (this.wordList[i] === term) return
        if (total === this.wordList.length) {
          const more = new Int32Array(total * 2)
          more.set(this.wordList)
          this.wordList = more
        }
        this.wordList[total++] = term
      }
      const { offsets, store } = names.columns()
      for (; n < size; n++) {
        first = total
        const from = offsets[n]!
        const to = offsets[n + 1]!
        if (isPlain(store, from, to)) eachWord(store, from, to, word, take)
        else {
          const bytes = encoder.encode(foldHigh(names.text(n)))
          eachWord(bytes, 0, bytes.length, word, take)
        }
        this.wordEnds[n] = total
      }
      // Most of a first pass's room would never be used.
      if (this.worded === 0) this.wordList = this.wordList.slice(0, total + (total >> 4))
      this.worded = size
    }
    return { terms: this.terms, list: this.wordList, ends: this.wordEnds, sizes: this.wordSizes }
  }

  get bytes(): number {
    return (
      this.sorted.byteLength +
      this.wordList.byteLength +
      this.wordEnds.byteLength +
      this.wordSizes.byteLength +
      this.bits.byteLength +
      this.lengths.byteLength
    )
  }
}
const spellings = new WeakMap<Interner, Spelling>()
const spellingOf = (names: Interner): Spelling => {
  let known = spellings.get(names)
  if (known === undefined) spellings.set(names, (known = new Spelling()))
  return known
}

/** The names of a base's definitions. */
export class NameBase {
  /** Distinct names in order of their lower-case spelling. */
  readonly sorted: Int32Array
  /** Place of each name in that order, -1 when no definition bears it. */
  readonly places: Int32Array
  /** The definitions that bear the name at a place. */
  readonly starts: Int32Array
  readonly bearers: Int32Array
  private words:
    | { readonly count: number; readonly starts: Int32Array; readonly places: Int32Array }
    | undefined

  constructor(
    base: NumberBase,
    names: Interner,
    readonly spelling: Spelling
  ) {
    const { files, firsts } = base
    const counts = new Int32Array(names.size)
    for (const file of files) {
      const view = file?.view
      if (view === undefined) continue
      for (let i = 0, n = view.definitionCount; i < n; i++) counts[view.def(i, D.name)]!++
    }
    const distinct = (this.sorted = spelling.order(names).filter((n) => counts[n]! > 0))
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

  /** Places of the names with each word, by the word's number. */
  byWord(names: Interner) {
    if (this.words !== undefined) return this.words
    const { sorted } = this
    const { ends, list, terms } = this.spelling.words(names)
    const starts = new Int32Array(terms.size + 2)
    let total = 0
    for (const name of sorted) {
      for (let i = name === 0 ? 0 : ends[name - 1]!; i < ends[name]!; i++) starts[list[i]! + 2]!++
      total += ends[name]! - (name === 0 ? 0 : ends[name - 1]!)
    }
    for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1]!
    const places = new Int32Array(total)
    for (let place = 0; place < sorted.length; place++) {
      const name = sorted[place]!
      for (let i = name === 0 ? 0 : ends[name - 1]!; i < ends[name]!; i++)
        places[starts[list[i]! + 1]!++] = place
    }
    return (this.words = { count: terms.size, starts, places })
  }

  get bytes(): number {
    return (
      this.spelling.bytes +
      this.sorted.byteLength +
      this.places.byteLength +
      this.starts.byteLength +
      this.bearers.byteLength +
      (this.words === undefined ? 0 : this.words.starts.byteLength + this.words.places.byteLength)
    )
  }
}

export class NameTable {
  /** Distinct names in order of their lower-case spelling; what others call a name's place is its index here. */
  private readonly sorted: Int32Array
  /** Place of each of the snapshot's names, -1 when no definition bears it. */
  private readonly places: Int32Array
  private readonly starts: Int32Array

  private readonly base: NameBase
  private readonly spelling: Spelling
  /** Names that the base does not have, in order. */
  private readonly fresh: ReadonlyArray<number>
  /** Definitions of changed files by their name's place, and how many of the base's no longer count. */
  private readonly more = new Map<number, Array<number>>()
  private readonly less = new Map<number, number>()

  constructor(
    private readonly snapshot: Snapshot,
    private readonly numbering: Numbering
  ) {
    const { files, names } = snapshot
    const { base: numbers, changed, firsts } = numbering
    const spelling = (this.spelling = spellingOf(names))
    const base = (this.base = numbers.names ??= new NameBase(numbers, names, spelling))
    const added = new Set<number>()
    for (const f of changed) {
      const view = files[f]?.view
      if (view === undefined) continue
      for (let i = 0, n = view.definitionCount; i < n; i++) {
        const name = view.def(i, D.name)
        if (name !== 0 && (base.places[name] ?? -1) < 0) added.add(name)
      }
    }
    const lower = (name: number) => names.text(name).toLowerCase()
    this.fresh = [...added].sort((a, b) => {
      const x = lower(a)
      const y = lower(b)
      return x < y ? -1 : x > y ? 1 : a - b
    })
    if (this.fresh.length === 0) {
      this.sorted = base.sorted
      this.places = base.places
      this.starts = base.starts
    } else {
      const old = base.sorted
      const sorted = (this.sorted = new Int32Array(old.length + this.fresh.length))
      const starts = (this.starts = new Int32Array(sorted.length + 1))
      let from = 0
      let to = 0
      const copy = (end: number) => {
        sorted.set(old.subarray(from, end), to)
        starts.set(base.starts.subarray(from, end), to)
        to += end - from
        from = end
      }
      for (const name of this.fresh) {
        const text = lower(name)
        let low = from
        let high = old.length
        while (low < high) {
          const middle = (low + high) >> 1
          const at = lower(old[middle]!)
          if (at < text || (at === text && old[middle]! < name)) low = middle + 1
          else high = middle
        }
        copy(low)
        sorted[to] = name
        starts[to++] = base.starts[low]!
      }
      copy(old.length)
      starts[to] = base.starts[old.length]!
      const places = (this.places = new Int32Array(names.size).fill(-1))
      for (let place = 0; place < sorted.length; place++) places[sorted[place]!] = place
    }
    for (const f of changed) {
      const old = numbers.files[f]?.view
      for (let i = 0, n = old?.definitionCount ?? 0; i < n; i++) {
        const place = this.seat(old!.def(i, D.name))
        if (place >= 0) this.less.set(place, (this.less.get(place) ?? 0) + 1)
      }
      const view = files[f]?.view
      for (let i = 0, n = view?.definitionCount ?? 0; i < n; i++) {
        const place = this.seat(view!.def(i, D.name))
        if (place < 0) continue
        const list = this.more.get(place)
        if (list === undefined) this.more.set(place, [firsts[f]! + i])
        else list.push(firsts[f]! + i)
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
    const place = this.seat(name)
    // The base's names keep their places when their last definition is gone.
    return place >= 0 && this.less.size > 0 && this.count(place) === 0 ? -1 : place
  }
  private seat(name: number): number {
    return name < this.places.length ? this.places[name]! : -1
  }
  /** Dense numbers of the definitions that bear the name. */
  each(place: number, visit: (definition: number) => void): void {
    const { bearers } = this.base
    const { numbering } = this
    for (let i = this.starts[place]!, end = this.starts[place + 1]!; i < end; i++)
      if (!numbering.isDead(bearers[i]!)) visit(bearers[i]!)
    this.more.get(place)?.forEach(visit)
  }
  count(place: number): number {
    return (
      this.starts[place + 1]! -
      this.starts[place]! -
      (this.less.get(place) ?? 0) +
      (this.more.get(place)?.length ?? 0)
    )
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

  /** Places of names with a stem among their words, ascending. The array may be a view of the table. */
  holding(stemmed: string): Int32Array {
    const { names } = this.snapshot
    const { count, places, starts } = this.base.byWord(names)
    const { ends, list, terms } = this.spelling.words(names)
    const term = terms.string(stemmed)
    const known = term === 0 || term >= count ? none : places.subarray(starts[term]!, starts[term + 1]!)
    if (term === 0 || this.fresh.length === 0) return known
    const added = this.fresh.filter((name) => list.subarray(ends[name - 1]!, ends[name]!).includes(term))
    const out = new Int32Array(known.length + added.length)
    for (let i = 0; i < known.length; i++) out[i] = this.places[this.base.sorted[known[i]!]!]!
    added.forEach((name, i) => (out[known.length + i] = this.places[name]!))
    return out.sort()
  }
  /** How many words a name has. */
  wordCount(place: number): number {
    return this.spelling.words(this.snapshot.names).sizes[this.sorted[place]!]!
  }

  /** Places of names with the lower-case text somewhere inside. */
  containing(lower: string): ReadonlyArray<number> {
    const out: Array<number> = []
    const wanted = letters(lower)
    const least = Math.min(lower.length, 255)
    for (let place = 0; place < this.size; place++) {
      const [bits, length] = this.spelling.shape(this.snapshot.names, this.sorted[place]!)
      if ((bits & wanted) === wanted && length >= least && this.lower(place).includes(lower)) out.push(place)
    }
    return out
  }

  /** Places of names within so many edits of a lower-case text, nearest first. */
  near(lower: string, most: number): ReadonlyArray<{ readonly place: number; readonly distance: number }> {
    const out: Array<{ place: number; distance: number }> = []
    const wanted = letters(lower)
    const own = Math.min(lower.length, 255)
    for (let place = 0; place < this.size; place++) {
      const [bits, length] = this.spelling.shape(this.snapshot.names, this.sorted[place]!)
      if (Math.abs(length - own) > most || ones(bits ^ wanted) > 2 * most) continue
      const distance = editDistance(lower, this.lower(place), most)
      if (distance <= most) out.push({ place, distance })
    }
    return out.sort((a, b) => a.distance - b.distance || a.place - b.place)
  }

  /** Bytes held by its arrays and those it shares. */
  get bytes(): number {
    return (
      this.base.bytes +
      (this.fresh.length === 0 ? 0 : this.sorted.byteLength + this.places.byteLength + this.starts.byteLength)
    )
  }
}
const none = new Int32Array(0)
