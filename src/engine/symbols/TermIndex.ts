/**
 * Words of signatures and documentation by definition, and words of paths by file: postings in one Int32Array each.
 */
import type { Snapshot } from "../graph/Snapshot.ts"
import { D } from "../languages/Facts.ts"
import { Interner } from "../languages/Interner.ts"
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
  items = new Int32Array(1 << 16)
  length = 0
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

export class TermIndex {
  private readonly terms = new Interner()
  private readonly count: number
  private readonly starts: Int32Array
  /** Definition in the low 24 bits, weight above. */
  private readonly postings: Int32Array
  private readonly fileStarts: Int32Array
  private readonly files: Int32Array
  /** Weighted words of each definition, at most 255. */
  readonly lengths: Uint8Array
  readonly averageLength: number
  /** Definitions beyond this many have no text postings: a posting has 24 bits for them. */
  static readonly limit = 1 << 24

  constructor(snapshot: Snapshot, firsts: Int32Array) {
    const { files } = snapshot
    const total = Math.min(firsts[files.length]!, TermIndex.limit)
    const lengths = (this.lengths = new Uint8Array(total))
    const { terms } = this
    const word = new Uint8Array(longestWord)
    const found = new Int32Array(mostWords)
    const weights = new Int32Array(mostWords)
    let size = 0
    let weight = 0
    let most = mostWords
    const take = (length: number) => {
      if (length < 2) return
      const term = terms.bytes(word, 0, stem(word, length))
      for (let i = 0; i < size; i++) {
        if (found[i] === term) {
          weights[i]! += weight
          return
        }
      }
      if (size === most) return
      found[size] = term
      weights[size++] = weight
    }
    const keys = new Numbers()
    const values = new Numbers()
    const fileKeys = new Numbers()
    const fileValues = new Numbers()
    let sum = 0
    for (let f = 0; f < files.length; f++) {
      const file = files[f]
      if (file === undefined) continue
      const path = encoder.encode(foldHigh(file.path))
      size = 0
      weight = 1
      most = mostPathWords
      eachWord(path, 0, path.length, word, take)
      for (let i = 0; i < size; i++) {
        fileKeys.push(found[i]!)
        fileValues.push(f)
      }
      most = mostWords
      const { view } = file
      if (view === undefined) continue
      const { text, textAt } = view
      for (let i = 0, n = view.definitionCount; i < n; i++) {
        const definition = firsts[f]! + i
        if (definition >= total) break
        size = 0
        const docLength = view.def(i, D.docLength)
        const signatureLength = view.def(i, D.signatureLength)
        weight = inSignature
        if (signatureLength > 0) {
          const at = textAt + view.def(i, D.signature)
          eachWord(text, at, at + Math.min(signatureLength, signatureBytes), word, take)
        }
        weight = inDoc
        if (docLength > 0) {
          const at = textAt + view.def(i, D.doc)
          eachWord(text, at, at + Math.min(docLength, docBytes), word, take)
        }
        let length = 0
        for (let k = 0; k < size; k++) {
          keys.push(found[k]!)
          values.push(definition | (Math.min(weights[k]!, mostWeight) << 24))
          length += weights[k]!
        }
        lengths[definition] = Math.min(length, 255)
        sum += lengths[definition]!
      }
    }
    this.count = terms.size
    ;[this.starts, this.postings] = grouped(keys, values, this.count)
    ;[this.fileStarts, this.files] = grouped(fileKeys, fileValues, this.count)
    this.averageLength = total === 0 ? 1 : Math.max(1, sum / total)
  }

  private term(stemmed: string): number {
    const term = this.terms.string(stemmed)
    return term >= this.count ? 0 : term
  }
  /** How many definitions have the stem in signature or documentation. */
  frequency(stemmed: string): number {
    const term = this.term(stemmed)
    return term === 0 ? 0 : this.starts[term + 1]! - this.starts[term]!
  }
  /** Definitions with the stem in signature or documentation, and its weight there. */
  each(stemmed: string, visit: (definition: number, weight: number) => void): void {
    const term = this.term(stemmed)
    if (term === 0) return
    for (let i = this.starts[term]!, end = this.starts[term + 1]!; i < end; i++)
      visit(this.postings[i]! & 0xffffff, this.postings[i]! >>> 24)
  }
  /** Ids of files with the stem in their path. The array is a view of the index. */
  paths(stemmed: string): Int32Array {
    const term = this.term(stemmed)
    return term === 0
      ? this.files.subarray(0, 0)
      : this.files.subarray(this.fileStarts[term]!, this.fileStarts[term + 1]!)
  }
  /** Bytes held by its arrays. */
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
