/**
 * Rust tokens straight from UTF-8 bytes. One token is current; `next` moves on, skipping white space and comments.
 * `<` and `>` are always single tokens so that generic lists need no splitting; `&` and `|` likewise.
 */
import type { FactsBuilder } from "../FactsBuilder.ts"
import type { Interner } from "../Interner.ts"
import { Mark } from "../Vocabulary.ts"
import { type Names, namesOf, T } from "./Names.ts"

const C = { punctuation: 0, space: 1, identifier: 2, digit: 3, quote: 4, apostrophe: 5, slash: 6 } as const
const classes = new Uint8Array(256)
for (let c = 0; c < 256; c++) {
  if (c === 32 || (c >= 9 && c <= 13)) classes[c] = C.space
  else if ((c >= 65 && c <= 90) || (c >= 97 && c <= 122) || c === 95 || c >= 128) classes[c] = C.identifier
  else if (c >= 48 && c <= 57) classes[c] = C.digit
  else if (c === 34) classes[c] = C.quote
  else if (c === 39) classes[c] = C.apostrophe
  else if (c === 47) classes[c] = C.slash
}
/** Whether a byte continues an identifier. */
const part = new Uint8Array(256)
for (let c = 0; c < 256; c++) part[c] = classes[c] === C.identifier || classes[c] === C.digit ? 1 : 0

const todoWords = ["TODO", "FIXME", "HACK", "XXX"].map((w) => Uint8Array.from(w, (c) => c.charCodeAt(0)))
const todoStarts = new Uint8Array(256)
for (const w of todoWords) todoStarts[w[0]!] = 1

export class Lexer {
  protected readonly bytes: Uint8Array
  protected readonly length: number
  protected readonly interner: Interner
  protected readonly names: Names
  private readonly keyword: Uint8Array

  /** The current token: its code, its span, and the interned name of an identifier or keyword. */
  protected token = 0
  protected start = 0
  protected end = 0
  protected name = 0
  /** Where the token before ended. */
  protected before = 0
  /** The span of a string literal's content. */
  protected contentStart = 0
  protected contentEnd = 0
  /** Outer documentation comments directly before the current token; -1 without. */
  protected docStart = -1
  protected docEnd = -1

  constructor(protected readonly builder: FactsBuilder) {
    this.bytes = builder.source.bytes
    this.length = this.bytes.length
    this.interner = builder.interner
    this.names = namesOf(this.interner)
    this.keyword = this.names.keyword
    const b = this.bytes
    if (this.length > 2 && b[0] === 0xef && b[1] === 0xbb && b[2] === 0xbf) this.end = 3
    if (b[this.end] === 35 && b[this.end + 1] === 33) {
      // An interpreter line, unless it is an inner attribute.
      let p = this.end + 2
      while (p < this.length && (b[p] === 32 || b[p] === 9)) p++
      if (b[p] !== 91) {
        while (p < this.length && b[p] !== 10) p++
        this.end = p
      }
    }
  }

  protected next(): void {
    const { bytes, length } = this
    let p = this.end
    this.before = p
    this.docStart = -1
    let c = 0
    let kind = 0
    for (;;) {
      if (p >= length) {
        this.token = T.eof
        this.start = this.end = length
        return
      }
      c = bytes[p]!
      kind = classes[c]!
      if (kind === C.space) {
        p++
        continue
      }
      if (kind === C.slash && p + 1 < length) {
        const d = bytes[p + 1]!
        if (d === 47) {
          p = this.lineComment(p)
          continue
        }
        if (d === 42) {
          p = this.blockComment(p)
          continue
        }
      }
      break
    }
    this.start = p
    switch (kind) {
      case C.identifier: {
        if ((c === 114 || c === 98 || c === 99) && p + 1 < length && this.prefixed(p, c)) return
        return this.identifier(p)
      }
      case C.digit:
        return this.numeral(p)
      case C.quote:
        return this.quoted(p + 1)
      case C.apostrophe:
        return this.apostrophe(p)
      default:
        return this.punctuation(p, c)
    }
  }

  private identifier(from: number): void {
    const { bytes, length } = this
    let h = 0
    let p = from
    while (p < length) {
      const c = bytes[p]!
      if (part[c] === 0) break
      h = (Math.imul(h, 31) + c) | 0
      p++
    }
    this.end = p
    const id = (this.name = this.interner.hashed(bytes, from, p, h))
    const k = id < this.keyword.length ? this.keyword[id]! : 0
    this.token = k === 0 ? T.identifier : k
  }

  /** Tokens that begin with `r`, `b` or `c` and are no plain identifiers. */
  private prefixed(at: number, c: number): boolean {
    const { bytes, length } = this
    let p = at + 1
    let d = bytes[p]!
    if (c !== 114) {
      if (d === 34) {
        this.quoted(p + 1)
        return true
      }
      if (c === 98 && d === 39) {
        this.character(p + 1)
        return true
      }
      if (d !== 114) return false
      p++
      d = p < length ? bytes[p]! : 0
    }
    if (d === 34) {
      this.raw(p + 1, 0)
      return true
    }
    if (d !== 35) return false
    let hashes = 0
    while (p < length && bytes[p] === 35) {
      hashes++
      p++
    }
    if (p >= length) return false
    if (bytes[p] === 34) {
      this.raw(p + 1, hashes)
      return true
    }
    if (c === 114 && hashes === 1 && classes[bytes[p]!] === C.identifier) {
      this.identifier(p)
      this.token = T.identifier
      return true
    }
    return false
  }

  private quoted(from: number): void {
    const { bytes, length } = this
    let p = from
    while (p < length) {
      const c = bytes[p]!
      if (c === 34) break
      p += c === 92 ? 2 : 1
    }
    if (p > length) p = length
    this.token = T.string
    this.contentStart = from
    this.contentEnd = p
    this.end = p < length ? p + 1 : length
  }

  private raw(from: number, hashes: number): void {
    const { bytes, length } = this
    this.token = T.string
    this.contentStart = from
    for (let p = from; p < length; p++) {
      if (bytes[p] !== 34) continue
      let k = 0
      while (k < hashes && p + 1 + k < length && bytes[p + 1 + k] === 35) k++
      if (k === hashes) {
        this.contentEnd = p
        this.end = p + 1 + hashes
        return
      }
    }
    this.contentEnd = this.end = length
  }

  /** A character literal whose content starts at `p`. */
  private character(p: number): void {
    const { bytes, length } = this
    this.token = T.char
    while (p < length) {
      const c = bytes[p]!
      if (c === 39) {
        this.end = p + 1
        return
      }
      if (c === 10) break
      p += c === 92 ? 2 : 1
    }
    this.end = Math.min(p, length)
  }

  private apostrophe(at: number): void {
    const { bytes, length } = this
    const p = at + 1
    if (p < length) {
      const c = bytes[p]!
      if (c === 92) return this.character(p)
      const size = c < 0x80 ? 1 : c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2
      if (p + size < length && bytes[p + size] === 39) {
        this.token = T.char
        this.end = p + size + 1
        return
      }
      if (part[c] === 1) {
        let q = p + 1
        while (q < length && part[bytes[q]!] === 1) q++
        // `'r#name` is a raw lifetime.
        if (
          q === p + 1 &&
          c === 114 &&
          bytes[q] === 35 &&
          q + 1 < length &&
          classes[bytes[q + 1]!] === C.identifier
        ) {
          q++
          while (q < length && part[bytes[q]!] === 1) q++
        }
        this.token = T.lifetime
        this.end = q
        return
      }
    }
    this.token = 39
    this.end = p
  }

  private numeral(from: number): void {
    const { bytes, length } = this
    let p = from
    this.token = T.number
    if (
      bytes[p] === 48 &&
      p + 1 < length &&
      (bytes[p + 1] === 120 || bytes[p + 1] === 98 || bytes[p + 1] === 111)
    ) {
      p += 2
      while (p < length && part[bytes[p]!] === 1) p++
      this.end = p
      return
    }
    const digits = (q: number) => {
      while (q < length) {
        const c = bytes[q]!
        if (part[c] === 0) {
          // The sign of an exponent.
          if (
            (c === 43 || c === 45) &&
            (bytes[q - 1] === 101 || bytes[q - 1] === 69) &&
            q + 1 < length &&
            classes[bytes[q + 1]!] === C.digit &&
            this.exponent(from, q - 1)
          ) {
            q++
            continue
          }
          break
        }
        q++
      }
      return q
    }
    p = digits(p)
    if (p < length && bytes[p] === 46) {
      const d = p + 1 < length ? classes[bytes[p + 1]!]! : C.space
      if (d === C.digit) p = digits(p + 1)
      else if (d !== C.identifier && !(p + 1 < length && bytes[p + 1] === 46)) p++
    }
    this.end = p
  }

  /** Whether everything of a number before its `e` is digits, `_` and a point. */
  private exponent(from: number, e: number): boolean {
    for (let p = from; p < e; p++) {
      const c = this.bytes[p]!
      if (classes[c] !== C.digit && c !== 95 && c !== 46) return false
    }
    return true
  }

  private punctuation(p: number, c: number): void {
    const { bytes, length } = this
    const d = p + 1 < length ? bytes[p + 1]! : 0
    let token = c
    let size = 1
    switch (c) {
      case 58: // :
        if (d === 58) {
          token = T.path
          size = 2
        }
        break
      case 45: // -
        if (d === 62) {
          token = T.arrow
          size = 2
        } else if (d === 61) {
          token = T.opAssign
          size = 2
        }
        break
      case 61: // =
        if (d === 62) {
          token = T.fatArrow
          size = 2
        } else if (d === 61) {
          token = T.equal
          size = 2
        }
        break
      case 46: // .
        if (d === 46) {
          token = T.dots
          size = p + 2 < length && (bytes[p + 2] === 46 || bytes[p + 2] === 61) ? 3 : 2
          // `..=>` is a rest pattern before an arrow.
          if (size === 3 && bytes[p + 2] === 61 && p + 3 < length && bytes[p + 3] === 62) size = 2
        }
        break
      case 33: // !
        if (d === 61) {
          token = T.notEqual
          size = 2
        }
        break
      case 60: // <
        if (d === 61) {
          token = T.lessEqual
          size = 2
        }
        break
      case 43:
      case 42:
      case 47:
      case 37:
      case 94:
      case 38:
      case 124: // + * / % ^ & |
        if (d === 61 && !(p + 2 < length && bytes[p + 2] === 62)) {
          token = T.opAssign
          size = 2
        }
        break
    }
    this.token = token
    this.end = p + size
  }

  private lineComment(from: number): number {
    const { bytes, length } = this
    let p = from + 2
    const third = p < length ? bytes[p]! : 10
    let todo = -1
    while (p < length) {
      const c = bytes[p]!
      if (c === 10) break
      if (todoStarts[c] === 1 && todo < 0 && this.isTodo(p)) todo = p
      p++
    }
    if (todo >= 0) this.builder.mark(Mark.todo, todo, p)
    if (third === 47 && bytes[from + 3] !== 47) this.doc(from, p > from && bytes[p - 1] === 13 ? p - 1 : p)
    return p
  }

  private blockComment(from: number): number {
    const { bytes, length } = this
    let p = from + 2
    let depth = 1
    let marked = 0
    while (p < length) {
      const c = bytes[p]!
      if (c === 42 && p + 1 < length && bytes[p + 1] === 47) {
        p += 2
        if (--depth === 0) break
      } else if (c === 47 && p + 1 < length && bytes[p + 1] === 42) {
        p += 2
        depth++
      } else {
        if (todoStarts[c] === 1 && p >= marked && this.isTodo(p)) {
          marked = p
          while (
            marked < length &&
            bytes[marked] !== 10 &&
            !(bytes[marked] === 42 && bytes[marked + 1] === 47)
          )
            marked++
          this.builder.mark(Mark.todo, p, marked)
        }
        p++
      }
    }
    if (bytes[from + 2] === 42 && bytes[from + 3] !== 42 && bytes[from + 3] !== 47) this.doc(from, p)
    return p
  }

  private isTodo(at: number): boolean {
    const { bytes } = this
    if (part[bytes[at - 1]!] === 1) return false
    word: for (const w of todoWords) {
      for (let i = 0; i < w.length; i++) if (bytes[at + i] !== w[i]) continue word
      const after = at + w.length
      return after >= this.length || part[bytes[after]!] === 0
    }
    return false
  }

  private doc(from: number, to: number): void {
    if (this.docStart < 0) this.docStart = from
    this.docEnd = to
  }

  protected is(token: number): boolean {
    return this.token === token
  }
  /** The first byte after the current token that is no white space; 0 at the end. */
  protected peek(): number {
    const { bytes, length } = this
    let p = this.end
    while (p < length && classes[bytes[p]!] === C.space) p++
    return p < length ? bytes[p]! : 0
  }
  /** The two bytes {@link peek} sees first are `c` and then something other than `d`. */
  protected peekIs(c: number, d: number): boolean {
    const { bytes, length } = this
    let p = this.end
    while (p < length && classes[bytes[p]!] === C.space) p++
    return p < length && bytes[p] === c && !(p + 1 < length && bytes[p + 1] === d)
  }
  /** Whether the next token is an identifier or keyword. */
  protected peekWord(): boolean {
    return classes[this.peek()] === C.identifier
  }
  /** Goes back (or on) to the token that starts at `at`. */
  protected seek(at: number): void {
    this.end = at
    this.next()
  }
}

/** Whether a byte continues an identifier. */
export const isWordByte = (c: number): boolean => part[c] === 1
/** Whether a byte starts an identifier. */
export const isWordStart = (c: number): boolean => classes[c] === C.identifier
