/**
 * Tokens of JavaScript and TypeScript over UTF-8 bytes, one at a time and without token objects. Where the meaning
 * of a character depends on the grammar (`/`, `<`, `>`, the end of a template substitution, JSX text) the lexer
 * gives the single character and the parser, which knows, reads on.
 */
import type { FactsBuilder } from "../FactsBuilder.ts"
import { Mark } from "../Vocabulary.ts"
import { lastReserved, wordAt } from "./Words.ts"

// Kinds of token. A single punctuation character is its own code.
export const tEof = 0
export const tName = 1
export const tNumber = 2
export const tString = 3
export const tPrivate = 4
export const tArrow = 128
export const tSpread = 129
export const tChain = 130
export const tStep = 131
export const tAnd = 132
export const tOr = 133
export const tNullish = 134
export const tAssign = 135
export const tOperator = 136

const cOther = 0
const cName = 1
const cDigit = 2
const cSpace = 3
const cLine = 4
const cQuote = 5

const classes = new Uint8Array(256)
/** Bytes that continue a name. */
export const namePart = new Uint8Array(256)
/** First letters of the words that mark unfinished work. */
const todoStart = new Uint8Array(256)
for (let i = 0; i < 256; i++) {
  const letter = (i >= 65 && i <= 90) || (i >= 97 && i <= 122) || i === 95 || i === 36 || i >= 128 || i === 92
  const digit = i >= 48 && i <= 57
  classes[i] = letter
    ? cName
    : digit
      ? cDigit
      : i === 32 || i === 9 || i === 13 || i === 11 || i === 12
        ? cSpace
        : i === 10
          ? cLine
          : i === 34 || i === 39
            ? cQuote
            : cOther
  namePart[i] = letter || digit ? 1 : 0
}
const todoWords = ["TODO", "FIXME", "HACK", "XXX"].map((word) => new TextEncoder().encode(word))
for (const word of todoWords) todoStart[word[0]!] = 1

/** Whether a name can start with this byte. */
export const startsName = (byte: number): boolean => classes[byte] === cName

export class Lexer {
  /** The source followed by zeros, so that looking ahead needs no bounds. */
  b = new Uint8Array(1 << 16)
  n = 0
  builder!: FactsBuilder

  /** Where the next token is looked for. */
  p = 0
  tok = tEof
  /** Start and end of the current token. */
  ts = 0
  te = 0
  /** Rolling hash of the current name. */
  th = 0
  /** Number of the current name as a known word, 0 for any other. */
  kw = 0
  /** A line ends between the previous token and this one. */
  nl = false
  /** End of the previous token. */
  prevEnd = 0
  /** Documentation comment directly before the current token, or -1. */
  docStart = -1
  docEnd = -1
  /** Set by {@link after}: it crossed the end of a line. */
  crossed = false

  private todoFrom = 0

  protected start(builder: FactsBuilder): void {
    const { bytes } = builder.source
    this.builder = builder
    this.n = bytes.length
    if (this.b.length < this.n + 16) this.b = new Uint8Array(this.n + (this.n >> 1) + 16)
    this.b.set(bytes)
    this.b.fill(0, this.n, this.n + 16)
    this.p = this.prevEnd = this.te = this.ts = 0
    this.todoFrom = 0
    this.docStart = -1
    if (this.b[0] === 0xef && this.b[1] === 0xbb && this.b[2] === 0xbf) this.p = 3
    if (this.b[this.p] === 35 && this.b[this.p + 1] === 33) this.p = this.lineEnd(this.p)
  }

  /** The current token can stand where an identifier is wanted. */
  get isName(): boolean {
    return this.tok === tName && (this.kw === 0 || this.kw > lastReserved)
  }
  /** The current name, interned. */
  get name(): number {
    return this.builder.interner.hashed(this.b, this.ts, this.te, this.th)
  }

  /** Continues from offset `at`. */
  jump(at: number): void {
    this.p = at
    this.next()
  }

  next(): void {
    const { b, n } = this
    this.prevEnd = this.te
    this.nl = false
    this.docStart = -1
    this.kw = 0
    let p = this.p
    for (;;) {
      const c = b[p]!
      switch (classes[c]) {
        case cSpace:
          p++
          continue
        case cLine:
          this.nl = true
          p++
          continue
        case cName: {
          if (c >= 0xc2) {
            const space = this.wideSpace(p)
            if (space > 0) {
              p += space
              continue
            }
          }
          this.ts = p
          let h = 0
          let x = c
          do {
            h = (Math.imul(h, 31) + x) | 0
            x = b[++p]!
          } while (namePart[x] === 1)
          if (x === 123 && b[p - 1] === 117 && b[p - 2] === 92) [p, h] = this.escapedName(p, h)
          this.tok = tName
          this.th = h
          this.te = this.p = p
          this.kw = c >= 97 && c <= 122 ? wordAt(b, this.ts, p, h) : 0
          return
        }
        case cDigit:
          this.ts = p
          this.number(p)
          return
        case cQuote:
          this.ts = p
          this.te = this.p = this.stringEnd(p)
          this.tok = tString
          return
        default:
          if (c === 47) {
            const d = b[p + 1]
            if (d === 47) {
              p = this.comment(p + 2, this.lineEnd(p))
              continue
            }
            if (d === 42) {
              const end = this.blockEnd(p)
              if (b[p + 2] === 42 && b[p + 3] !== 47) {
                this.docStart = p
                this.docEnd = end
              }
              this.comment(p + 2, end)
              if (!this.nl)
                for (let i = p; i < end; i++)
                  if (b[i] === 10) {
                    this.nl = true
                    break
                  }
              p = end
              continue
            }
          }
          if (p >= n) {
            this.tok = tEof
            this.ts = this.te = this.p = n
            return
          }
          this.ts = p
          this.punctuation(c, p)
          return
      }
    }
  }

  private punctuation(c: number, p: number): void {
    const { b } = this
    const d = b[p + 1]!
    let tok = c
    let e = p + 1
    switch (c) {
      case 61: // =
        if (d === 62) {
          tok = tArrow
          e = p + 2
        } else if (d === 61) {
          tok = tOperator
          e = b[p + 2] === 61 ? p + 3 : p + 2
        }
        break
      case 46: // .
        if (d === 46 && b[p + 2] === 46) {
          tok = tSpread
          e = p + 3
        } else if (d >= 48 && d <= 57) return this.number(p)
        break
      case 63: // ?
        if (d === 46 && !(b[p + 2]! >= 48 && b[p + 2]! <= 57)) {
          tok = tChain
          e = p + 2
        } else if (d === 63) {
          if (b[p + 2] === 61) {
            tok = tAssign
            e = p + 3
          } else {
            tok = tNullish
            e = p + 2
          }
        }
        break
      case 38: // &
        if (d === 38) {
          if (b[p + 2] === 61) {
            tok = tAssign
            e = p + 3
          } else {
            tok = tAnd
            e = p + 2
          }
        } else if (d === 61) {
          tok = tAssign
          e = p + 2
        }
        break
      case 124: // |
        if (d === 124) {
          if (b[p + 2] === 61) {
            tok = tAssign
            e = p + 3
          } else {
            tok = tOr
            e = p + 2
          }
        } else if (d === 61) {
          tok = tAssign
          e = p + 2
        }
        break
      case 43:
      case 45: // + -
        if (d === c) {
          tok = tStep
          e = p + 2
        } else if (d === 61) {
          tok = tAssign
          e = p + 2
        }
        break
      case 33: // !
        if (d === 61) {
          tok = tOperator
          e = b[p + 2] === 61 ? p + 3 : p + 2
        }
        break
      case 42: // *
        if (d === 42) {
          if (b[p + 2] === 61) {
            tok = tAssign
            e = p + 3
          } else {
            tok = tOperator
            e = p + 2
          }
        } else if (d === 61) {
          tok = tAssign
          e = p + 2
        }
        break
      case 37:
      case 94: // % ^
        if (d === 61) {
          tok = tAssign
          e = p + 2
        }
        break
      case 35: // #
        if (startsName(d)) {
          let h = 35
          let x = d
          let q = p + 1
          do {
            h = (Math.imul(h, 31) + x) | 0
            x = b[++q]!
          } while (namePart[x] === 1)
          this.th = h
          tok = tPrivate
          e = q
        }
        break
    }
    this.tok = tok
    this.te = this.p = e
  }

  private number(p: number): void {
    const { b } = this
    const radix =
      b[p] === 48 &&
      (b[p + 1]! | 32) > 97 &&
      ((b[p + 1]! | 32) === 120 || (b[p + 1]! | 32) === 98 || (b[p + 1]! | 32) === 111)
    let dot = radix
    for (;;) {
      const c = b[p]!
      if (c === 46) {
        if (dot) break
        dot = true
        p++
      } else if (namePart[c] === 1) {
        p++
        if (!radix && (c | 32) === 101 && (b[p] === 43 || b[p] === 45) && b[p + 1]! >= 48 && b[p + 1]! <= 57)
          p++
      } else break
    }
    this.tok = tNumber
    this.te = this.p = p
  }

  private escapedName(p: number, h: number): [number, number] {
    const { b } = this
    for (;;) {
      const stop = Math.min(this.n, p + 10)
      while (p < stop && b[p] !== 125) h = (Math.imul(h, 31) + b[p++]!) | 0
      if (b[p] === 125) h = (Math.imul(h, 31) + b[p++]!) | 0
      while (namePart[b[p]!] === 1) h = (Math.imul(h, 31) + b[p++]!) | 0
      if (!(b[p] === 123 && b[p - 1] === 117 && b[p - 2] === 92)) return [p, h]
    }
  }

  /** Length of a white space character beyond ASCII at `p`, 0 if there is none. */
  private wideSpace(p: number): number {
    const { b } = this
    const c = b[p]
    if (c === 0xc2) return b[p + 1] === 0xa0 ? 2 : 0
    if (c === 0xe2 && b[p + 1] === 0x80) {
      const d = b[p + 2]!
      if (d === 0xa8 || d === 0xa9) this.nl = true
      return (d >= 0x80 && d <= 0x8a) || d === 0xa8 || d === 0xa9 || d === 0xaf ? 3 : 0
    }
    if (c === 0xe3) return b[p + 1] === 0x80 && b[p + 2] === 0x80 ? 3 : 0
    return c === 0xef && b[p + 1] === 0xbb && b[p + 2] === 0xbf ? 3 : 0
  }

  /** Offset of the end of the line that `p` is on. */
  protected lineEnd(p: number): number {
    const at = this.b.indexOf(10, p)
    return at < 0 || at > this.n ? this.n : at
  }
  /** Offset behind the block comment that starts at `p`. */
  protected blockEnd(p: number): number {
    const { b, n } = this
    let q = p + 2
    for (;;) {
      q = b.indexOf(42, q)
      if (q < 0 || q >= n) return n
      if (b[q + 1] === 47) return q + 2
      q++
    }
  }
  /** Offset behind the string that starts at `p`; an unterminated one ends with its line. */
  protected stringEnd(p: number): number {
    const { b, n } = this
    const quote = b[p]!
    let q = p + 1
    while (q < n) {
      const c = b[q]!
      if (c === quote) return q + 1
      if (c === 92) {
        q += b[q + 1] === 13 && b[q + 2] === 10 ? 3 : 2
        continue
      }
      if (c === 10) return q
      q++
    }
    return n
  }

  /** Looks for marks of unfinished work in a comment; gives its end. */
  private comment(from: number, end: number): number {
    if (from < this.todoFrom) return end
    const { b } = this
    this.todoFrom = end
    for (let i = from; i < end; i++) {
      if (todoStart[b[i]!] === 0 || namePart[b[i - 1]!] === 1) continue
      for (const word of todoWords) {
        let k = 0
        while (k < word.length && b[i + k] === word[k]) k++
        if (k < word.length || namePart[b[i + k]!] === 1) continue
        let stop = Math.min(this.lineEnd(i), end)
        if (b[stop - 1] === 47 && b[stop - 2] === 42) stop -= 2
        this.builder.mark(Mark.todo, i, stop)
        i = stop
        break
      }
    }
    return end
  }

  /** Offset of the first byte at or behind `q` that is neither white space nor comment. */
  after(q: number): number {
    const { b } = this
    this.crossed = false
    for (;;) {
      const c = b[q]!
      if (c === 32 || c === 9 || c === 13 || c === 11 || c === 12) q++
      else if (c === 10) {
        this.crossed = true
        q++
      } else if (c === 47) {
        if (b[q + 1] === 47) q = this.lineEnd(q)
        else if (b[q + 1] === 42) q = this.blockEnd(q)
        else return q
      } else if (c >= 0xc2) {
        const space = this.wideSpaceQuietly(q)
        if (space === 0) return q
        q += space
      } else return q
    }
  }
  private wideSpaceQuietly(q: number): number {
    const { nl } = this
    const space = this.wideSpace(q)
    this.nl = nl
    return space
  }
  /** First significant byte behind the current token. */
  get following(): number {
    return this.b[this.after(this.te)]!
  }
  /** Offset behind the name at `q`. */
  wordEnd(q: number): number {
    const { b } = this
    while (namePart[b[q]!] === 1) q++
    return q
  }
  /** Number of the known word at `q`, 0 when there is none. */
  wordNumber(q: number): number {
    const { b } = this
    let h = 0
    let e = q
    while (namePart[b[e]!] === 1) h = (Math.imul(h, 31) + b[e++]!) | 0
    return e === q ? 0 : wordAt(b, q, e, h)
  }
}
