/** Tokens of a Go file, one at a time, with automatic semicolons and the comment above each token. */
import type { FactsBuilder } from "../FactsBuilder.ts"
import { Mark } from "../Vocabulary.ts"
import { endsStatement, Token } from "./Token.ts"
import { type Words, wordsOf } from "./Words.ts"

/** 1 letter, 2 digit, 3 blank. */
const classes = new Uint8Array(256)
for (let i = 0; i < 256; i++) {
  if (i >= 128 || i === 95 || (i >= 65 && i <= 90) || (i >= 97 && i <= 122)) classes[i] = 1
  else if (i >= 48 && i <= 57) classes[i] = 2
  else if (i === 32 || i === 9 || i === 13) classes[i] = 3
}
/** First letters of the words looked for in comments. */
const noteStart = new Uint8Array(256)
for (const c of "TFHXD") noteStart[c.charCodeAt(0)] = 1
const notes = ["TODO", "FIXME", "HACK", "XXX"].map((w) => Uint8Array.from(w, (c) => c.charCodeAt(0)))
const deprecation = Uint8Array.from("Deprecated:", (c) => c.charCodeAt(0))
const sqlWords = ["SELECT", "INSERT", "UPDATE", "DELETE", "CREATE", "WITH", "ALTER", "DROP"].map((w) =>
  Uint8Array.from(w, (c) => c.charCodeAt(0))
)
const web = Uint8Array.from("http", (c) => c.charCodeAt(0))

const matches = (b: Uint8Array, at: number, word: Uint8Array): boolean => {
  for (let i = 0; i < word.length; i++) if (b[at + i] !== word[i]) return false
  return true
}

export class Lexer {
  protected b: Uint8Array = new Uint8Array(0)
  protected n = 0
  private p = 0
  /** The current token. */
  protected token: number = Token.end
  protected start = 0
  protected end = 0
  /** Interned number of a name. */
  protected id = 0
  /** Class of a name; see Word. */
  protected word = 0
  /** End of the last token that was no semicolon. */
  protected lastEnd = 0
  /** The comment directly above the current token; -1 when there is none. */
  protected docStart = -1
  protected docEnd = -1
  /** Where the last deprecation notice in a comment was. */
  protected deprecatedAt = -1
  private fresh = true
  private noted = 0
  protected words: Words

  constructor(protected readonly facts: FactsBuilder) {
    this.words = wordsOf(facts.interner)
  }

  protected open(): void {
    this.b = this.facts.source.bytes
    this.n = this.b.length
    this.p = this.b[0] === 0xef && this.b[1] === 0xbb && this.b[2] === 0xbf ? 3 : 0
    this.token = Token.end
    this.start = this.end = this.lastEnd = 0
    this.docStart = this.docEnd = this.deprecatedAt = -1
    this.fresh = true
    this.noted = 0
  }

  /** What {@link rewind} needs to come back here. */
  protected remember(): readonly [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    boolean
  ] {
    return [
      this.p,
      this.token,
      this.start,
      this.end,
      this.id,
      this.word,
      this.lastEnd,
      this.docStart,
      this.docEnd,
      this.fresh
    ]
  }
  protected rewind(to: ReturnType<Lexer["remember"]>): void {
    ;[
      this.p,
      this.token,
      this.start,
      this.end,
      this.id,
      this.word,
      this.lastEnd,
      this.docStart,
      this.docEnd,
      this.fresh
    ] = to
  }

  /** First byte after the current token that is no blank. */
  protected peek(): number {
    const { b } = this
    let p = this.p
    while (classes[b[p]!] === 3) p++
    return p < this.n ? b[p]! : 0
  }
  /** The current name is followed by `:` but not by `:=`. */
  protected isKey(): boolean {
    const { b } = this
    let p = this.p
    while (classes[b[p]!] === 3) p++
    return b[p] === 58 && b[p + 1] !== 61
  }
  /** The current name starts a list of names followed by `:=`. */
  protected startsDefinition(): boolean {
    const { b, n } = this
    let p = this.p
    for (;;) {
      while (classes[b[p]!] === 3) p++
      const c = b[p]!
      if (c === 58) return b[p + 1] === 61
      if (c !== 44) return false
      p++
      while (p < n && (classes[b[p]!] === 3 || b[p] === 10)) p++
      const from = p
      while (p < n && (classes[b[p]!] === 1 || classes[b[p]!] === 2)) p++
      if (p === from) return false
    }
  }

  protected next(): void {
    const { b, n } = this
    let p = this.p
    const before = this.token
    const semi = endsStatement[before] === 1
    if (before !== Token.semicolon) this.lastEnd = this.end
    let doc = -1
    let docEnd = -1
    let lines = 0
    let own = this.fresh
    this.fresh = false
    let c = 0
    for (;;) {
      if (p >= n) {
        this.start = this.end = this.p = n
        this.token = semi ? Token.semicolon : Token.end
        return
      }
      c = b[p]!
      if (c === 32 || c === 9 || c === 13) p++
      else if (c === 10) {
        if (semi) {
          this.token = Token.semicolon
          this.start = p
          this.end = this.p = p + 1
          this.fresh = true
          return
        }
        p++
        lines++
        own = true
      } else if (c === 47 && (b[p + 1] === 47 || b[p + 1] === 42)) {
        const from = p
        const line = b[p + 1] === 47
        p = line ? this.lineComment(p) : this.blockComment(p)
        if (semi && (line || this.spansLines(from, p))) {
          this.token = Token.semicolon
          this.start = this.end = this.p = from
          return
        }
        if (own) {
          if (doc < 0 || lines > 1) doc = from
          docEnd = p
          lines = 0
        }
      } else break
    }
    if (doc >= 0 && lines <= 1) {
      this.docStart = doc
      this.docEnd = docEnd
    } else this.docStart = -1
    this.start = p
    const kind = classes[c]!
    if (kind === 1) {
      let h = 0
      let x = c
      do {
        h = (Math.imul(h, 31) + x) | 0
        x = b[++p]!
      } while (classes[x] === 1 || classes[x] === 2)
      if (p > n) p = n
      const id = (this.id = this.facts.interner.hashed(b, this.start, p, h))
      const table = this.words.classes
      const word = id < table.length ? table[id]! : 0
      if (word !== 0 && word < 100) this.token = word
      else {
        this.token = Token.name
        this.word = word
      }
      this.end = this.p = p
      return
    }
    if (kind === 2 || (c === 46 && classes[b[p + 1]!] === 2)) {
      const hex = c === 48 && (b[p + 1]! | 32) === 120
      p++
      for (; p < n; p++) {
        const x = b[p]!
        if (classes[x] === 1 || classes[x] === 2 || x === 46) continue
        const e = b[p - 1]! | 32
        if ((x === 43 || x === 45) && (hex ? e === 112 : e === 101)) continue
        break
      }
      this.token = Token.number
      this.end = this.p = p
      return
    }
    this.punctuation(c, p)
  }

  private punctuation(c: number, p: number): void {
    const { b, n } = this
    const d = p + 1 < n ? b[p + 1]! : 0
    let token: number = Token.binary
    let length = 1
    switch (c) {
      case 40:
        token = Token.openParen
        break
      case 41:
        token = Token.closeParen
        break
      case 44:
        token = Token.comma
        break
      case 91:
        token = Token.openBracket
        break
      case 93:
        token = Token.closeBracket
        break
      case 123:
        token = Token.openBrace
        break
      case 125:
        token = Token.closeBrace
        break
      case 59:
        token = Token.semicolon
        break
      case 46:
        if (d === 46 && b[p + 2] === 46) {
          token = Token.ellipsis
          length = 3
        } else token = Token.dot
        break
      case 58:
        if (d === 61) {
          token = Token.define
          length = 2
        } else token = Token.colon
        break
      case 61:
        if (d === 61) {
          token = Token.compare
          length = 2
        } else token = Token.assign
        break
      case 34:
        return this.interpreted(p)
      case 96:
        return this.raw(p)
      case 39:
        return this.rune(p)
      case 33:
        if (d === 61) {
          token = Token.compare
          length = 2
        } else token = Token.not
        break
      case 126:
        token = Token.tilde
        break
      case 60:
        if (d === 45) {
          token = Token.arrow
          length = 2
        } else if (d === 60) {
          length = b[p + 2] === 61 ? 3 : 2
          if (length === 3) token = Token.update
        } else {
          token = Token.compare
          if (d === 61) length = 2
        }
        break
      case 62:
        if (d === 62) {
          length = b[p + 2] === 61 ? 3 : 2
          if (length === 3) token = Token.update
        } else {
          token = Token.compare
          if (d === 61) length = 2
        }
        break
      case 38:
        if (d === 38) {
          token = Token.and
          length = 2
        } else if (d === 94) {
          length = b[p + 2] === 61 ? 3 : 2
          if (length === 3) token = Token.update
        } else if (d === 61) {
          token = Token.update
          length = 2
        } else token = Token.ampersand
        break
      case 124:
        if (d === 124) {
          token = Token.or
          length = 2
        } else if (d === 61) {
          token = Token.update
          length = 2
        } else token = Token.pipe
        break
      case 42:
      case 43:
      case 45:
      case 94:
      case 47:
      case 37:
        if (d === 61) {
          token = Token.update
          length = 2
        } else if ((c === 43 || c === 45) && d === c) {
          token = Token.step
          length = 2
        } else if (c === 42) token = Token.star
        else if (c !== 47 && c !== 37) token = Token.sign
        break
      default:
        // A byte that starts no token.
        this.facts.addParseError()
        this.p = p + 1
        this.token = Token.binary
        this.end = p + 1
        return
    }
    this.token = token
    this.end = this.p = p + length
  }

  private interpreted(from: number): void {
    const { b, n } = this
    let p = from + 1
    for (; p < n; p++) {
      const c = b[p]!
      if (c === 34 || c === 10) break
      if (c === 92) p++
    }
    if (p >= n || b[p] !== 34) {
      this.facts.addParseError()
      this.end = this.p = Math.min(p, n)
    } else this.end = this.p = p + 1
    this.token = Token.string
    this.text(from + 1, Math.min(p, n))
  }
  private raw(from: number): void {
    let p = this.b.indexOf(96, from + 1)
    if (p < 0) {
      this.facts.addParseError()
      p = this.n - 1
    }
    this.token = Token.string
    this.end = this.p = p + 1
    this.text(from + 1, p)
  }
  private rune(from: number): void {
    const { b, n } = this
    let p = from + 1
    for (; p < n; p++) {
      const c = b[p]!
      if (c === 39 || c === 10) break
      if (c === 92) p++
    }
    if (p < n && b[p] === 39) p++
    else this.facts.addParseError()
    this.token = Token.rune
    this.end = this.p = Math.min(p, n)
  }

  /** Marks a literal that is a web address or looks like SQL. */
  private text(from: number, to: number): void {
    const { b } = this
    if (from < this.noted || to - from < 7) return
    let p = from
    while (p < to && (b[p] === 10 || classes[b[p]!] === 3)) p++
    const c = b[p]!
    if (c === 104) {
      if (matches(b, p, web)) {
        const q = b[p + 4] === 115 ? p + 5 : p + 4
        if (b[q] === 58 && b[q + 1] === 47 && b[q + 2] === 47) this.note(Mark.url, p, to)
      }
      return
    }
    if (c < 65 || c > 119) return
    for (const w of sqlWords) {
      if (matches(b, p, w)) {
        const x = b[p + w.length]!
        if (x === 32 || x === 10 || x === 9) this.note(Mark.sql, p, to)
        return
      }
    }
  }
  private note(kind: number, from: number, to: number): void {
    this.facts.mark(kind, from, to)
    this.noted = from + 1
  }

  private lineComment(from: number): number {
    const { b } = this
    let end = b.indexOf(10, from)
    if (end < 0) end = this.n
    this.comment(from + 2, end)
    return end
  }
  private blockComment(from: number): number {
    const { b, n } = this
    let p = from + 2
    for (;;) {
      p = b.indexOf(42, p)
      if (p < 0) {
        this.facts.addParseError()
        p = n
        break
      }
      if (b[p + 1] === 47) {
        p += 2
        break
      }
      p++
    }
    this.comment(from + 2, p)
    return p
  }
  private comment(from: number, to: number): void {
    if (from < this.noted) return
    const { b } = this
    for (let p = from; p < to; p++) {
      const c = b[p]!
      if (noteStart[c] === 0 || classes[b[p - 1]!] === 1) continue
      if (c === 68) {
        if (matches(b, p, deprecation)) this.deprecatedAt = p
        continue
      }
      for (const w of notes) {
        if (matches(b, p, w) && p + w.length <= to && classes[b[p + w.length]!] !== 1) {
          let end = b.indexOf(10, p)
          if (end < 0 || end > to) end = to
          if (end === to && b[to - 1] === 47 && b[to - 2] === 42) end = to - 2
          this.facts.mark(Mark.todo, p, end)
          p = end
          break
        }
      }
    }
    this.noted = to
  }
  private spansLines(from: number, to: number): boolean {
    const at = this.b.indexOf(10, from)
    return at >= 0 && at < to
  }
}
