/** Tokens of a Python file, one at a time, with logical lines and indentation. */
import type { FactsBuilder } from "../FactsBuilder.ts"
import { Mark } from "../Vocabulary.ts"
import { Token } from "./Token.ts"
import { type Words, wordsOf } from "./Words.ts"

/** 1 letter, 2 digit, 3 blank. */
const classes = new Uint8Array(256)
for (let i = 0; i < 256; i++) {
  if (i >= 128 || i === 95 || (i >= 65 && i <= 90) || (i >= 97 && i <= 122)) classes[i] = 1
  else if (i >= 48 && i <= 57) classes[i] = 2
  else if (i === 32 || i === 9 || i === 13 || i === 12) classes[i] = 3
}
const noteStart = new Uint8Array(256)
for (const c of "TFHX") noteStart[c.charCodeAt(0)] = 1
const ascii = (word: string) => Uint8Array.from(word, (c) => c.charCodeAt(0))
const notes = ["TODO", "FIXME", "HACK", "XXX"].map(ascii)
const sqlWords = ["SELECT", "INSERT", "UPDATE", "DELETE", "CREATE", "WITH", "ALTER", "DROP"].map(ascii)
const web = ascii("http")
const lambda = ascii("lambda")
const blockWords = ["def ", "class ", "async def "].map(ascii)

const matches = (b: Uint8Array, at: number, word: Uint8Array): boolean => {
  for (let i = 0; i < word.length; i++) if (b[at + i] !== word[i]) return false
  return true
}

export class Lexer {
  protected b: Uint8Array = new Uint8Array(0)
  protected n = 0
  protected p = 0
  /** The current token. */
  protected token: number = Token.end
  protected start = 0
  protected end = 0
  /** Interned number of a name. */
  protected id = 0
  /** Class of a name; see Word. */
  protected word = 0
  /** End of the last token that was neither a line end nor indentation. */
  protected lastEnd = 0
  /** Where the content of the current string starts and ends, and the quotes of a formatted one. */
  protected contentStart = 0
  protected contentEnd = 0
  protected quote = 0
  protected triple = false
  protected rawText = false
  /** Open brackets: line ends inside them do not count. */
  protected nest = 0
  private fresh = true
  private indents: Array<number> = [0]
  private dedents = 0
  private noted = 0
  protected words: Words

  constructor(protected readonly facts: FactsBuilder) {
    this.words = wordsOf(facts.interner)
  }

  protected open(): void {
    this.b = this.facts.source.bytes
    this.n = this.b.length
    this.p = this.b[0] === 0xef && this.b[1] === 0xbb && this.b[2] === 0xbf ? 3 : 0
    this.token = Token.newline
    this.start = this.end = this.lastEnd = this.nest = this.dedents = this.noted = 0
    this.fresh = true
    this.indents = [0]
  }

  /** What {@link rewind} needs to come back here. Only for looking ahead on one logical line. */
  protected remember(): readonly [number, number, number, number, number, number, number, number, boolean] {
    return [this.p, this.token, this.start, this.end, this.id, this.word, this.lastEnd, this.nest, this.fresh]
  }
  protected rewind(to: ReturnType<Lexer["remember"]>): void {
    ;[this.p, this.token, this.start, this.end, this.id, this.word, this.lastEnd, this.nest, this.fresh] = to
  }

  /** Whether this is the current token. */
  protected is(token: number): boolean {
    return this.token === token
  }
  private blanks(p: number): number {
    const { b } = this
    while (classes[b[p]!] === 3) p++
    return p
  }
  /** First byte after the current token that is no blank. */
  protected peek(): number {
    const p = this.blanks(this.p)
    return p < this.n ? this.b[p]! : 0
  }
  /** The current name is followed by `=` but not by `==`. */
  protected isKeyword(): boolean {
    const p = this.blanks(this.p)
    return this.b[p] === 61 && this.b[p + 1] !== 61
  }
  /** The current name starts a list of plain names followed by `=`, or is followed by `:`. */
  protected startsTargets(): boolean {
    const { b } = this
    let p = this.p
    let first = true
    for (;;) {
      p = this.blanks(p)
      const c = b[p]!
      if (c === 61) return b[p + 1] !== 61
      if (c === 58 && first) return b[p + 1] !== 61
      if (c !== 44) return false
      first = false
      p = this.blanks(p + 1)
      if (b[p] === 61) return b[p + 1] !== 61
      if (classes[b[p]!] !== 1) return false
      while (classes[b[p]!] === 1 || classes[b[p]!] === 2) p++
    }
  }
  /** The current name is followed by `.name` and then `=` or `:`. */
  protected startsAttribute(): boolean {
    const { b } = this
    let p = this.p
    if (b[p] !== 46) return false
    p++
    if (classes[b[p]!] !== 1) return false
    while (classes[b[p]!] === 1 || classes[b[p]!] === 2) p++
    p = this.blanks(p)
    return (b[p] === 61 && b[p + 1] !== 61) || (b[p] === 58 && b[p + 1] !== 61)
  }
  /** The current name and others alike are each followed by `.name`, separated by commas, and then by `=`. */
  protected startsAttributes(): boolean {
    const { b, start } = this
    const length = this.end - start
    let p = this.p
    for (;;) {
      if (b[p] !== 46 || classes[b[p + 1]!] !== 1) return false
      p++
      while (classes[b[p]!] === 1 || classes[b[p]!] === 2) p++
      p = this.blanks(p)
      if (b[p] === 61) return b[p + 1] !== 61
      if (b[p] !== 44) return false
      p = this.blanks(p + 1)
      for (let i = 0; i < length; i++) if (b[p + i] !== b[start + i]) return false
      p += length
    }
  }
  /** The current token is `=` and a lambda follows. */
  protected assignsLambda(): boolean {
    if (this.token !== Token.assign) return false
    const p = this.blanks(this.p)
    return (
      matches(this.b, p, lambda) &&
      classes[this.b[p + lambda.length]!] !== 1 &&
      classes[this.b[p + lambda.length]!] !== 2
    )
  }
  /** The current name is followed by blanks and another name. */
  protected startsName(): boolean {
    const p = this.blanks(this.p)
    return p > this.p && classes[this.b[p]!] === 1
  }

  protected next(): void {
    const { b, n } = this
    let p = this.p
    const before = this.token
    if (before < Token.newline || before > Token.dedent) this.lastEnd = this.end
    if (this.dedents > 0) {
      this.dedents--
      this.token = Token.dedent
      this.start = this.end = p
      return
    }
    let c = 0
    for (;;) {
      if (this.fresh && this.nest === 0) {
        // Indentation of the line; empty lines and comments have none.
        let column = 0
        for (; p < n; p++) {
          c = b[p]!
          if (c === 32) column++
          else if (c === 9) column = (column | 7) + 1
          else if (c === 12 || c === 13) column = 0
          else break
        }
        if (p < n && c === 10) {
          p++
          continue
        }
        if (p < n && c === 35) {
          p = this.comment(p)
          if (p < n) p++
          continue
        }
        if (p < n && c === 92 && (b[p + 1] === 10 || b[p + 1] === 13)) {
          p += b[p + 1] === 13 ? 3 : 2
          this.fresh = false
          continue
        }
        this.fresh = false
        if (p >= n) column = 0
        const { indents } = this
        const top = indents[indents.length - 1]!
        if (column > top && p < n) {
          indents.push(column)
          this.token = Token.indent
          this.start = this.end = this.p = p
          return
        }
        if (column < top) {
          let count = 0
          while (indents.length > 1 && indents[indents.length - 1]! > column) {
            indents.pop()
            count++
          }
          if (indents[indents.length - 1]! < column) {
            this.facts.addParseError()
            indents.push(column)
            count--
          }
          if (count > 0) {
            this.dedents = count - 1
            this.token = Token.dedent
            this.start = this.end = this.p = p
            return
          }
        }
      }
      if (p >= n) {
        this.start = this.end = this.p = n
        if (
          before !== Token.newline &&
          before !== Token.dedent &&
          before !== Token.end &&
          before !== Token.indent
        ) {
          this.nest = 0
          this.fresh = true
          this.token = Token.newline
        } else if (this.indents.length > 1) {
          this.dedents = this.indents.length - 2
          this.indents.length = 1
          this.token = Token.dedent
        } else this.token = Token.end
        return
      }
      c = b[p]!
      if (c === 32 || c === 9 || c === 13 || c === 12) p++
      else if (c === 10) {
        if (this.nest === 0 || this.opensBlock(p + 1)) {
          if (this.nest !== 0) {
            this.facts.addParseError()
            this.nest = 0
          }
          this.token = Token.newline
          this.start = p
          this.end = this.p = p + 1
          this.fresh = true
          return
        }
        p++
      } else if (c === 35) p = this.comment(p)
      else if (c === 92 && (b[p + 1] === 10 || (b[p + 1] === 13 && b[p + 2] === 10)))
        p += b[p + 1] === 13 ? 3 : 2
      else break
    }
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
      if ((x === 34 || x === 39) && p - this.start <= 2 && p < n && this.isPrefix(this.start, p))
        return this.string(p)
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
        if ((x === 43 || x === 45) && !hex && (b[p - 1]! | 32) === 101) continue
        break
      }
      this.token = Token.number
      this.end = this.p = p
      return
    }
    if (c === 34 || c === 39) return this.string(p)
    this.punctuation(c, p)
  }

  /** Inside open brackets, a line that starts a definition means that a bracket was never closed. */
  private opensBlock(p: number): boolean {
    const { b } = this
    p = this.blanks(p)
    const c = b[p]!
    if (c !== 100 && c !== 99 && c !== 97) return false
    for (const w of blockWords) if (matches(b, p, w)) return true
    return false
  }
  private isPrefix(from: number, to: number): boolean {
    for (let i = from; i < to; i++) {
      const c = this.b[i]! | 32
      if (c !== 114 && c !== 98 && c !== 117 && c !== 102 && c !== 116) return false
    }
    return true
  }

  private punctuation(c: number, p: number): void {
    const d = p + 1 < this.n ? this.b[p + 1]! : 0
    let token: number = Token.other
    let length = 1
    switch (c) {
      case 40:
        token = Token.openParen
        this.nest++
        break
      case 91:
        token = Token.openBracket
        this.nest++
        break
      case 123:
        token = Token.openBrace
        this.nest++
        break
      case 41:
        token = Token.closeParen
        if (this.nest > 0) this.nest--
        break
      case 93:
        token = Token.closeBracket
        if (this.nest > 0) this.nest--
        break
      case 125:
        token = Token.closeBrace
        if (this.nest > 0) this.nest--
        break
      case 44:
        token = Token.comma
        break
      case 59:
        token = Token.semicolon
        break
      case 126:
        token = Token.tilde
        break
      case 46:
        if (d === 46 && this.b[p + 2] === 46) {
          token = Token.ellipsis
          length = 3
        } else token = Token.dot
        break
      case 58:
        if (d === 61) {
          token = Token.walrus
          length = 2
        } else token = Token.colon
        break
      case 61:
        if (d === 61) {
          token = Token.compare
          length = 2
        } else token = Token.assign
        break
      case 33:
        if (d === 61) {
          token = Token.compare
          length = 2
        }
        break
      case 60:
      case 62:
        if (d === c) {
          length = this.b[p + 2] === 61 ? 3 : 2
          token = length === 3 ? Token.update : Token.binary
        } else {
          token = Token.compare
          if (d === 61 || (c === 60 && d === 62)) length = 2
        }
        break
      case 42:
      case 47:
        if (d === c) {
          length = this.b[p + 2] === 61 ? 3 : 2
          token = length === 3 ? Token.update : c === 42 ? Token.power : Token.binary
        } else if (d === 61) {
          token = Token.update
          length = 2
        } else token = c === 42 ? Token.star : Token.binary
        break
      case 45:
      case 43:
      case 37:
      case 38:
      case 94:
      case 124:
      case 64:
        if (d === 62 && c === 45) {
          token = Token.arrow
          length = 2
        } else if (d === 61) {
          token = Token.update
          length = 2
        } else
          token =
            c === 43 || c === 45 ? Token.sign : c === 124 ? Token.pipe : c === 64 ? Token.at : Token.binary
        break
      default:
        this.facts.addParseError()
    }
    this.token = token
    this.end = this.p = p + length
  }

  /** A string whose opening quote is at `p`; a prefix may start before. */
  private string(p: number): void {
    const { b, n } = this
    const q = b[p]!
    let formatted = false
    this.rawText = false
    for (let i = this.start; i < p; i++) {
      const c = b[i]! | 32
      if (c === 102 || c === 116) formatted = true
      else if (c === 114) this.rawText = true
    }
    this.triple = b[p + 1] === q && b[p + 2] === q
    this.quote = q
    p += this.triple ? 3 : 1
    this.contentStart = p
    if (formatted) {
      this.token = Token.formatted
      this.end = this.p = Math.min(p, n)
      return
    }
    this.token = Token.string
    if (this.triple) {
      for (;;) {
        p = b.indexOf(q, p)
        if (p < 0 || p >= n) {
          this.facts.addParseError()
          this.contentEnd = this.end = this.p = n
          return
        }
        if (b[p - 1] === 92 && this.escaped(p)) {
          p++
          continue
        }
        if (b[p + 1] === q && b[p + 2] === q) break
        p++
      }
      this.contentEnd = p
      this.end = this.p = p + 3
    } else {
      for (; p < n; p++) {
        const c = b[p]!
        if (c === q || c === 10) break
        if (c === 92) {
          p++
          if (b[p] === 13 && b[p + 1] === 10) p++
        }
      }
      if (p > n) p = n
      this.contentEnd = p
      if (p < n && b[p] === q) p++
      else this.facts.addParseError()
      this.end = this.p = p
    }
    this.text(this.contentStart, this.contentEnd)
  }
  private escaped(p: number): boolean {
    let count = 0
    for (let i = p - 1; i >= this.contentStart && this.b[i] === 92; i--) count++
    return (count & 1) === 1
  }

  /**
   * In a formatted string with the given quotes, at `p`: runs to the next replacement field and stays after its
   * brace (true), or past the closing quotes (false). `spec` is inside a field's format, which ends at its brace.
   */
  protected textPiece(quote: number, triple: boolean, raw: boolean, spec: boolean): boolean {
    const { b, n } = this
    let p = this.p
    for (; p < n; p++) {
      const c = b[p]!
      if (c === quote) {
        if (!triple) {
          this.p = p + 1
          return false
        }
        if (b[p + 1] === quote && b[p + 2] === quote) {
          this.p = p + 3
          return false
        }
      } else if (c === 123) {
        if (b[p + 1] === 123 && !spec) p++
        else {
          this.p = p + 1
          return true
        }
      } else if (c === 125 && spec) {
        this.p = p
        return false
      } else if (c === 10 && !triple) break
      else if (c === 92) {
        if (!raw && b[p + 1] === 78 && b[p + 2] === 123) {
          // A named character.
          p += 2
          while (p < n && b[p] !== 125 && b[p] !== 10 && b[p] !== quote) p++
          if (b[p] !== 125) p--
        } else if (b[p + 1] !== 123 && b[p + 1] !== 125) p++
      }
    }
    this.facts.addParseError()
    this.p = Math.min(p, n)
    return false
  }

  /** Marks a literal that is a web address or looks like SQL. */
  protected text(from: number, to: number): void {
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
    if (c < 65 || c > 87) return
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

  private comment(from: number): number {
    const { b } = this
    let to = b.indexOf(10, from)
    if (to < 0 || to > this.n) to = this.n
    if (from < this.noted) return to
    for (let p = from + 1; p < to; p++) {
      if (noteStart[b[p]!] === 0 || classes[b[p - 1]!] === 1) continue
      for (const w of notes) {
        if (matches(b, p, w) && classes[b[p + w.length]!] !== 1) {
          this.facts.mark(Mark.todo, p, to)
          p = to
          break
        }
      }
    }
    this.noted = to
    return to
  }
}
