/** What lies between the words of a script: blanks, line ends, comments; and what is marked in its texts. */
import type { FactsBuilder } from "../FactsBuilder.ts"
import { Flag, Mark } from "../Vocabulary.ts"
import { Byte, Class, classes, isName } from "./Characters.ts"
import { type Words, wordsOf } from "./Words.ts"

const decoder = new TextDecoder()
const ascii = (word: string) => Uint8Array.from(word, (c) => c.charCodeAt(0))
const notes = ["TODO", "FIXME", "HACK", "XXX"].map(ascii)
const noteStart = new Uint8Array(256)
for (const [first] of notes) noteStart[first!] = 1
const web = /^https?:\/\/\S/
const sql =
  /^\s*(?:SELECT\s|INSERT\s+INTO\s|UPDATE\s+\S+\s+SET\b|DELETE\s+FROM\s|CREATE\s+(?:TABLE|INDEX|VIEW|UNIQUE|TEMP)|ALTER\s+TABLE\s|WITH\s+\w+\s+AS\b)/i
/** How a text starts that may be marked. */
const marked = new Uint8Array(256)
for (const c of "hsiudcawSIUDCAW \t\r\n") marked[c.charCodeAt(0)] = 1
const deprecated = /[@\\]deprecated\b/i

/** Constructs inside of each other that are followed; what is nested deeper is read as plain characters. */
const deepest = 120

export class Lexer {
  protected b: Uint8Array = new Uint8Array(0)
  /** Where reading ends: the file's end, or that of the part being read. */
  protected n = 0
  protected p = 0
  protected readonly words: Words
  // The comment block read last that stands on lines of its own.
  private docStart = -1
  private docEnd = -1
  private depth = 0

  constructor(protected readonly facts: FactsBuilder) {
    this.words = wordsOf(facts.interner)
  }

  protected open(): void {
    this.b = this.facts.source.bytes
    this.n = this.b.length
    this.p = this.b[0] === 0xef && this.b[1] === 0xbb && this.b[2] === 0xbf ? 3 : 0
    this.docStart = this.docEnd = -1
    this.depth = 0
  }

  protected error(): void {
    this.facts.addParseError()
  }
  /** Goes one construct deeper, to be left with {@link leave}; false, and a parse error, where that is too deep. */
  protected enter(): boolean {
    if (this.depth >= deepest) {
      this.error()
      return false
    }
    this.depth++
    return true
  }
  protected leave(): void {
    this.depth--
  }

  protected text(from: number, to: number): string {
    return decoder.decode(this.b.subarray(from, to))
  }
  /** The byte at the offset, 0 from the end of what is read on. */
  protected byte(at: number): number {
    return at < this.n ? this.b[at]! : 0
  }
  /** Whether no word goes on at the offset. */
  protected ends(at: number): boolean {
    return at >= this.n || (classes[this.b[at]!]! & Class.ends) !== 0
  }
  protected is(at: number, bits: number): boolean {
    return at < this.n && (classes[this.b[at]!]! & bits) !== 0
  }

  /** The first offset from `at` on that is neither a blank nor a line end that a backslash takes away. */
  protected afterBlanks(at: number): number {
    const { b, n } = this
    for (;;) {
      while (at < n && (classes[b[at]!]! & Class.blank) !== 0) at++
      if (at >= n || b[at] !== Byte.backslash) return at
      const line = b[at + 1] === Byte.return ? at + 2 : at + 1
      if (line >= n || b[line] !== Byte.line) return at
      at = line + 1
    }
  }
  protected blanks(): void {
    this.p = this.afterBlanks(this.p)
  }
  /** Skips blanks, line ends and comments. */
  protected lines(): void {
    for (;;) {
      this.blanks()
      const c = this.byte(this.p)
      if (c === Byte.line) this.newline()
      else if (c === Byte.hash) this.comment()
      else return
    }
  }
  /** Goes past a line end. */
  protected newline(): void {
    this.p++
  }

  /** Reads the comment at the current offset, up to the end of its line. */
  protected comment(): void {
    const { b } = this
    const from = this.p
    let to = b.indexOf(Byte.line, from)
    if (to < 0 || to > this.n) to = this.n
    this.p = to
    if (to > from && b[to - 1] === Byte.return) to--
    if (b[from + 1] !== Byte.bang && this.startsLine(from)) {
      if (this.docEnd < 0 || !this.adjoins(this.docEnd, from)) this.docStart = from
      this.docEnd = to
    }
    for (let p = from + 1; p < to; p++) {
      if (noteStart[b[p]!] === 0 || (classes[b[p - 1]!]! & isName) !== 0) continue
      const note = notes.find((word) => word.every((c, i) => b[p + i] === c))
      if (note === undefined || (classes[b[p + note.length]!]! & isName) !== 0) continue
      const text = this.text(p, to)
      const left = text.replace(/\s*(?:\*\/|-->|\]\])?\s*$/, "")
      this.facts.mark(Mark.todo, p, to - (Buffer.byteLength(text) - Buffer.byteLength(left)))
      return
    }
  }
  private startsLine(at: number): boolean {
    const { b } = this
    let p = at - 1
    while (p >= 0 && (b[p] === 32 || b[p] === Byte.tab)) p--
    return p < 0 || b[p] === Byte.line || (p === 2 && b[0] === 0xef)
  }
  /** Whether only white space with at most one line end lies between the offsets. */
  private adjoins(from: number, to: number): boolean {
    const { b } = this
    let lines = 0
    for (let p = from; p < to; p++) {
      const c = b[p]!
      if (c === Byte.line) lines++
      else if (c !== 32 && c !== Byte.tab && c !== Byte.return) return false
    }
    return lines <= 1
  }
  /** Where the documentation starts that ends directly above the offset, -1 without any. */
  protected documentation(at: number): number {
    return this.docEnd >= 0 && this.docEnd <= at && this.adjoins(this.docEnd, at) ? this.docStart : -1
  }
  /** Documents a definition with the comment block that starts at `from`; -1 for none. */
  protected document(definition: number, from: number, end: number): void {
    if (from < 0) return
    this.facts.setDoc(definition, from, end)
    if (deprecated.test(this.text(from, end))) this.facts.addFlags(definition, Flag.deprecated)
  }
  protected get documented(): number {
    return this.docEnd
  }

  /** Marks the content of a string that is a web address or looks like SQL. */
  protected literal(from: number, to: number): void {
    const { b } = this
    const isQuote = (c: number | undefined) => c === Byte.double || c === Byte.single || c === Byte.backtick
    while (from < to && isQuote(b[from])) from++
    while (to > from && isQuote(b[to - 1])) to--
    if (to - from < 8) return
    const c = b[from]!
    if (marked[c] === 0) return
    const head = this.text(from, Math.min(to, from + 40))
    if (web.test(head)) this.facts.mark(Mark.url, from, to)
    else if (sql.test(head)) this.facts.mark(Mark.sql, from, to)
  }
}
