/**
 * Words, strings and punctuation of a language that needs no more than that, straight from UTF-8 bytes. One token
 * is current; comments and white space are skipped.
 */
import type { FactsBuilder } from "../FactsBuilder.ts"

/** What distinguishes one language's tokens from another's. */
export interface Lexicon {
  /** Starts of comments that run to the end of the line. */
  readonly lineComments: ReadonlyArray<string>
  /** Whether comments between slash-star pairs exist. */
  readonly blockComments: boolean
  /** Characters that open and close a string or quoted name. */
  readonly quotes: string
  /** Characters of words besides letters, digits and `_`. */
  readonly wordExtra: string
  /** Whether a string may hold line breaks; otherwise an open one ends with its line. */
  readonly multilineStrings?: boolean
  /** Whether three quotes in a row open a string that three end. */
  readonly tripleQuotes?: boolean
  /** Whether `$tag$ … $tag$` is a string (PostgreSQL). */
  readonly dollarQuotes?: boolean
}

export const Kind = { eof: 0, word: 1, string: 2, punctuation: 3 } as const

const codes = (text: string) => Uint8Array.from(text, (c) => c.charCodeAt(0))

export class Tokens {
  readonly bytes: Uint8Array
  readonly length: number
  kind: number = Kind.eof
  /** The byte of a punctuation token, 0 otherwise. */
  byte = 0
  start = 0
  end = 0
  /** Where the token before ended. */
  before = 0
  private readonly word = new Uint8Array(256)
  private readonly quote = new Uint8Array(256)
  private readonly comments: ReadonlyArray<Uint8Array>

  constructor(
    readonly builder: FactsBuilder,
    private readonly lexicon: Lexicon,
    from = 0,
    to = builder.source.bytes.length
  ) {
    this.bytes = builder.source.bytes
    this.length = to
    this.end = from
    for (let c = 0; c < 256; c++) {
      if ((c >= 48 && c <= 57) || (c >= 65 && c <= 90) || (c >= 97 && c <= 122) || c === 95 || c >= 128)
        this.word[c] = 1
    }
    for (const c of codes(lexicon.wordExtra)) this.word[c] = 1
    for (const c of codes(lexicon.quotes)) this.quote[c] = 1
    this.comments = lexicon.lineComments.map(codes)
    if (from === 0 && this.bytes[0] === 0xef && this.bytes[1] === 0xbb && this.bytes[2] === 0xbf) this.end = 3
    this.next()
  }

  next(): void {
    const { bytes, length } = this
    let p = this.end
    this.before = p
    skip: for (;;) {
      while (p < length && bytes[p]! <= 32) p++
      if (p >= length) {
        this.kind = Kind.eof
        this.byte = 0
        this.start = this.end = length
        return
      }
      for (const comment of this.comments) {
        let i = 0
        while (i < comment.length && bytes[p + i] === comment[i]) i++
        if (i === comment.length) {
          while (p < length && bytes[p] !== 10) p++
          continue skip
        }
      }
      if (this.lexicon.blockComments && bytes[p] === 47 && bytes[p + 1] === 42) {
        p += 2
        while (p < length && !(bytes[p] === 42 && bytes[p + 1] === 47)) p++
        p = Math.min(p + 2, length)
        continue
      }
      break
    }
    this.start = p
    const c = bytes[p]!
    this.byte = 0
    if (this.word[c] === 1) {
      this.kind = Kind.word
      while (p < length && this.word[bytes[p]!] === 1) p++
      this.end = p
    } else if (this.quote[c] === 1) {
      this.kind = Kind.string
      this.end = this.quoted(p, c)
    } else if (c === 36 && this.lexicon.dollarQuotes === true && this.dollar(p)) {
      this.kind = Kind.string
    } else {
      this.kind = Kind.punctuation
      this.byte = c
      this.end = p + 1
    }
  }

  private quoted(at: number, c: number): number {
    const { bytes, length } = this
    if (this.lexicon.tripleQuotes === true && bytes[at + 1] === c && bytes[at + 2] === c) {
      let p = at + 3
      while (p < length && !(bytes[p] === c && bytes[p + 1] === c && bytes[p + 2] === c)) p++
      return Math.min(p + 3, length)
    }
    let p = at + 1
    const lines = this.lexicon.multilineStrings === true
    while (p < length && bytes[p] !== c) {
      if (bytes[p] === 10 && !lines) return p
      p += bytes[p] === 92 ? 2 : 1
    }
    return Math.min(p + 1, length)
  }

  private dollar(at: number): boolean {
    const { bytes, length } = this
    let p = at + 1
    while (p < length && p - at < 64 && this.word[bytes[p]!] === 1) p++
    if (bytes[p] !== 36) return false
    const size = p + 1 - at
    for (p++; p < length; p++) {
      if (bytes[p] !== 36) continue
      let i = 1
      while (i < size && bytes[p + i] === bytes[at + i]) i++
      if (i === size) {
        this.end = p + size
        return true
      }
    }
    this.end = length
    return true
  }

  get isWord(): boolean {
    return this.kind === Kind.word
  }
  get isString(): boolean {
    return this.kind === Kind.string
  }
  get done(): boolean {
    return this.kind === Kind.eof
  }
  is(byte: number): boolean {
    return this.byte === byte
  }
  /** Whether the current token is the word, given in lower case, in any case. */
  says(word: string): boolean {
    if (this.kind !== Kind.word || this.end - this.start !== word.length) return false
    for (let i = 0; i < word.length; i++) {
      let c = this.bytes[this.start + i]!
      if (c >= 65 && c <= 90) c += 32
      if (c !== word.charCodeAt(i)) return false
    }
    return true
  }
  saysOne(words: ReadonlyArray<string>): boolean {
    for (const word of words) if (this.says(word)) return true
    return false
  }
  accept(word: string): boolean {
    if (!this.says(word)) return false
    this.next()
    return true
  }
  /** The interned name a word or quoted string stands for. */
  get name(): number {
    return this.kind === Kind.string
      ? this.builder.name(this.start + 1, Math.max(this.start + 1, this.end - 1))
      : this.builder.name(this.start, this.end)
  }
  get nameStart(): number {
    return this.kind === Kind.string ? this.start + 1 : this.start
  }
  /** Skips the bracket that opens at the current token, however deep. */
  skipGroup(): void {
    let open = 0
    while (!this.done) {
      const c = this.byte
      if (c === 40 || c === 91 || c === 123) open++
      else if ((c === 41 || c === 93 || c === 125) && --open <= 0) {
        this.next()
        return
      }
      this.next()
    }
  }
}
