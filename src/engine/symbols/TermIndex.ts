/**
 * Words of signatures and documentation by definition, and words of paths by file: postings in one Int32Array each.
 */
import { D, type FactsView } from "../languages/Facts.ts"
import { Interner } from "../languages/Interner.ts"
import type { NumberBase, Numbering } from "./Numbering.ts"
import { eachWord, foldHigh, longestWord, stem } from "./Words.ts"

const encoder = new TextEncoder()

/** Weight of a word in a signature and in documentation, in the units of a posting's weight. */
const inSignature = 3
const inDoc = 2
const mostWeight = 255
/** Bytes of documentation and signature that are read; the first sentences say it. */
const docBytes = 600
const signatureBytes = 400
/** Distinct words kept of one definition. */
const mostWords = 80
/** Distinct words kept of one path. */
const mostPathWords = 40

class Numbers {
  items: Int32Array<ArrayBuffer>
  length = 0
  constructor(room = 1 << 16) {
    this.items = new Int32Array(room)
  }
  push(n: number): void {
    if (this.length === this.items.length) {
      const more = new Int32Array(this.length * 2)
      more.set(this.items)
      this.items = more
    }
    this.items[this.length++] = n
  }
}

/** Groups values by key: where each key's values start, and the values. */
const grouped = (keys: Numbers, values: Numbers, size: number): readonly [Int32Array, Int32Array] => {
  const starts = new Int32Array(size + 2)
  for (let i = 0; i < keys.length; i++) starts[keys.items[i]! + 2]!++
  for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1]!
  const out = new Int32Array(values.length)
  for (let i = 0; i < keys.length; i++) out[starts[keys.items[i]! + 1]!++] = values.items[i]!
  return [starts, out]
}

/** Reads the words of one file after another. */
class Reader {
  private readonly word = new Uint8Array(longestWord)
  private readonly found = new Int32Array(mostWords)
  private readonly weights = new Int32Array(mostWords)
  private size = 0
  private weight = 0
  private most = mostWords
  private readonly take = (length: number) => {
    if (length < 2) return
    const { found, size, weights } = this
    const term = this.terms.bytes(this.word, 0, stem(this.word, length))
    for (let i = 0; i < size; i++) {
      if (found[i] === term) {
        weights[i]! += this.weight
        return
      }
    }
    if (size === this.most) return
    found[size] = term
    weights[size] = this.weight
    this.size++
  }

  constructor(readonly terms: Interner) {}

  /** The words of a path. */
  path(path: string, visit: (term: number) => void): void {
    const bytes = encoder.encode(foldHigh(path))
    this.size = 0
    this.weight = 1
    this.most = mostPathWords
    eachWord(bytes, 0, bytes.length, this.word, this.take)
    for (let i = 0; i < this.size; i++) visit(this.found[i]!)
  }

  /** The words of a definition with their weights; answers the weights' sum, at most 255. */
  definition(view: FactsView, i: number, visit: (term: number, weight: number) => void): number {
    const { text, textAt } = view
    this.size = 0
    this.most = mostWords
    const docLength = view.def(i, D.docLength)
    const signatureLength = view.def(i, D.signatureLength)
    this.weight = inSignature
    if (signatureLength > 0) {
      const at = textAt + view.def(i, D.signature)
      eachWord(text, at, at + Math.min(signatureLength, signatureBytes), this.word, this.take)
    }
    this.weight = inDoc
    if (docLength > 0) {
      const at = textAt + view.def(i, D.doc)
      eachWord(text, at, at + Math.min(docLength, docBytes), this.word, this.take)
    }
    let length = 0
    for (let k = 0; k < this.size; k++) {
      visit(this.found[k]!, Math.min(this.weights[k]!, mostWeight))
      length += this.weights[k]!
    }
    return Math.min(length, 255)
  }
}

/**
 * Postings there is room for while all are gathered. An array as large as this is given back to the system when it is
 * done with, and what is never written of it takes no memory.
 */
const scratch = (33 << 20) / Int32Array.BYTES_PER_ELEMENT

/** Definitions beyond this many have no text postings: a posting has 24 bits for them. */
const limit = 1 << 24

/** The words of one file: term, definition and weight of each posting, and per definition the weights' sum. */
interface FileTerms {
  readonly postings: Int32Array
  readonly lengths: Uint8Array
  readonly sum: number
}

/** The words of a base's definitions and files. */
export class TermBase {
  readonly terms = new Interner()
  readonly count: number
  readonly starts: Int32Array
  /** Definition in the low 24 bits, weight above. */
  readonly postings: Int32Array
  readonly fileStarts: Int32Array
  readonly files: Int32Array
  /** Weighted words of each definition, at most 255. */
  readonly lengths: Uint8Array
  readonly sum: number
  /** Words of the definitions of files that changed. */
  private readonly others = new WeakMap<FactsView, FileTerms>()

  /** The words of a file's definitions, kept while its facts are. */
  of(view: FactsView): FileTerms {
    let known = this.others.get(view)
    if (known === undefined) {
      const reader = new Reader(this.terms)
      const postings: Array<number> = []
      const lengths = new Uint8Array(view.definitionCount)
      let sum = 0
      for (let i = 0; i < lengths.length; i++) {
        lengths[i] = reader.definition(view, i, (term, weight) => postings.push(term, i, weight))
        sum += lengths[i]!
      }
      this.others.set(view, (known = { postings: Int32Array.from(postings), lengths, sum }))
    }
    return known
  }

  constructor(base: NumberBase) {
    const { files, firsts } = base
    const total = Math.min(base.total, limit)
    const lengths = (this.lengths = new Uint8Array(total))
    const reader = new Reader(this.terms)
    const found = new Numbers(scratch)
    const counts = new Uint8Array(total)
    const fileKeys = new Numbers()
    const fileValues = new Numbers()
    let sum = 0
    let definition = 0
    const take = (term: number, weight: number) => {
      found.push(term | (weight << 24))
      counts[definition]!++
    }
    for (let f = 0; f < files.length; f++) {
      const file = files[f]
      if (file === undefined) continue
      reader.path(file.path, (term) => {
        fileKeys.push(term)
        fileValues.push(f)
      })
      const { view } = file
      if (view === undefined) continue
      for (let i = 0, n = view.definitionCount; i < n; i++) {
        definition = firsts[f]! + i
        if (definition >= total) break
        lengths[definition] = reader.definition(view, i, take)
        sum += lengths[definition]!
      }
    }
    this.sum = sum
    this.count = this.terms.size
    const starts = (this.starts = new Int32Array(this.count + 2))
    for (let i = 0; i < found.length; i++) starts[(found.items[i]! & 0xffffff) + 2]!++
    for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1]!
    const postings = (this.postings = new Int32Array(found.length))
    for (let d = 0, i = 0; d < total; d++)
      for (const end = i + counts[d]!; i < end; i++) {
        const one = found.items[i]!
        postings[starts[(one & 0xffffff) + 1]!++] = d | (one & ~0xffffff)
      }
    ;[this.fileStarts, this.files] = grouped(fileKeys, fileValues, this.count)
  }
  get bytes(): number {
    return (
      this.starts.byteLength +
      this.postings.byteLength +
      this.fileStarts.byteLength +
      this.files.byteLength +
      this.lengths.byteLength
    )
  }
}

export class TermIndex {
  private readonly base: TermBase
  /** Weighted words of each definition, at most 255. */
  readonly lengths: Uint8Array
  readonly averageLength: number
  /** Postings of changed files by word, and how many of the base's no longer count. */
  private readonly more = new Map<number, Array<number>>()
  private readonly less = new Map<number, number>()
  /** Changed files by the words of their paths. */
  private readonly morePaths = new Map<number, Array<number>>()

  constructor(private readonly numbering: Numbering) {
    const { base: numbers, changed, files, firsts, live, total } = numbering
    const base = (this.base = numbers.terms ??= new TermBase(numbers))
    let { sum } = base
    if (changed.length === 0) this.lengths = base.lengths
    else {
      this.lengths = new Uint8Array(Math.min(total, limit))
      this.lengths.set(base.lengths)
      const reader = new Reader(base.terms)
      const put = (map: Map<number, Array<number>>, term: number, value: number) => {
        const list = map.get(term)
        if (list === undefined) map.set(term, [value])
        else list.push(value)
      }
      for (const f of changed) {
        const old = numbers.files[f]?.view
        if (old !== undefined && numbers.firsts[f + 1]! <= limit) {
          const { postings, sum: less } = base.of(old)
          for (let p = 0; p < postings.length; p += 3)
            this.less.set(postings[p]!, (this.less.get(postings[p]!) ?? 0) + 1)
          sum -= less
        }
        const file = files[f]
        if (file === undefined) continue
        reader.path(file.path, (term) => put(this.morePaths, term, f))
        const { view } = file
        const first = firsts[f]!
        if (view === undefined || first + view.definitionCount > limit) continue
        const { lengths, postings, sum: more } = base.of(view)
        for (let p = 0; p < postings.length; p += 3)
          put(this.more, postings[p]!, (first + postings[p + 1]!) | (postings[p + 2]! << 24))
        this.lengths.set(lengths, first)
        sum += more
      }
    }
    this.averageLength = live === 0 ? 1 : Math.max(1, sum / Math.min(live, limit))
  }

  private term(stemmed: string): number {
    return this.base.terms.string(stemmed)
  }
  private known(term: number): number {
    const { count, starts } = this.base
    return term === 0 || term >= count ? 0 : starts[term + 1]! - starts[term]!
  }
  /** How many definitions have the stem in signature or documentation. */
  frequency(stemmed: string): number {
    const term = this.term(stemmed)
    return this.known(term) - (this.less.get(term) ?? 0) + (this.more.get(term)?.length ?? 0)
  }
  /** Definitions with the stem in signature or documentation, and its weight there. */
  each(stemmed: string, visit: (definition: number, weight: number) => void): void {
    const term = this.term(stemmed)
    const { postings, starts } = this.base
    const { numbering } = this
    if (this.known(term) > 0) {
      for (let i = starts[term]!, end = starts[term + 1]!; i < end; i++) {
        const definition = postings[i]! & 0xffffff
        if (!numbering.isDead(definition)) visit(definition, postings[i]! >>> 24)
      }
    }
    this.more.get(term)?.forEach((posting) => visit(posting & 0xffffff, posting >>> 24))
  }
  /** Ids of files with the stem in their path. The array may be a view of the index. */
  paths(stemmed: string): Int32Array {
    const term = this.term(stemmed)
    const { count, files, fileStarts } = this.base
    const { changed } = this.numbering
    const known =
      term === 0 || term >= count
        ? files.subarray(0, 0)
        : files.subarray(fileStarts[term]!, fileStarts[term + 1]!)
    if (changed.length === 0) return known
    const more = this.morePaths.get(term) ?? []
    return Int32Array.from([...known.filter((f) => !changed.includes(f)), ...more])
  }
  /** Bytes held by its arrays and those it shares. */
  get bytes(): number {
    return this.base.bytes + (this.lengths === this.base.lengths ? 0 : this.lengths.byteLength)
  }
}
