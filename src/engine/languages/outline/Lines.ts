/**
 * The lines of a byte source one after another, for formats whose structure is in their lines.
 */
import type { FactsBuilder } from "../FactsBuilder.ts"

export class Lines {
  readonly bytes: Uint8Array
  readonly length: number
  /** The current line without its line break. */
  start = 0
  end = 0
  /** The first byte of the line that is neither blank nor tab; `end` on an empty line. */
  text = 0
  private following: number

  constructor(readonly builder: FactsBuilder) {
    this.bytes = builder.source.bytes
    this.length = this.bytes.length
    this.following = this.bytes[0] === 0xef && this.bytes[1] === 0xbb && this.bytes[2] === 0xbf ? 3 : 0
  }

  /** Moves to the next line; false after the last. */
  next(): boolean {
    const { bytes, length } = this
    if (this.following >= length) return false
    let p = (this.start = this.following)
    while (p < length && bytes[p] !== 10) p++
    this.following = p + 1
    this.end = p > this.start && bytes[p - 1] === 13 ? p - 1 : p
    p = this.start
    while (p < this.end && (bytes[p] === 32 || bytes[p] === 9)) p++
    this.text = p
    return true
  }
  get blank(): boolean {
    return this.text >= this.end
  }
  get indent(): number {
    return this.text - this.start
  }
  /** The end without trailing blanks. */
  get trimmed(): number {
    let p = this.end
    while (p > this.text && this.bytes[p - 1]! <= 32) p--
    return p
  }
  /** Where a byte first occurs in the line from `from` on; -1 if it does not. */
  find(byte: number, from = this.text): number {
    for (let p = from; p < this.end; p++) if (this.bytes[p] === byte) return p
    return -1
  }
}

/** Most definitions a data file contributes. */
export const keyLimit = 2000
/** Deepest level of keys a data file contributes. */
export const keyDepth = 4
