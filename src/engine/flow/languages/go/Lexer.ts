/** Tokens of a Go text, or of parts of it one after the other, with automatic semicolons. */
import { endsStatement, keywords, Token } from "../../../languages/go/Token.ts"
import type { Stretch } from "../../../languages/treesitter/Grammar.ts"

/** Thrown where a text is not what the reader knows. */
export const unreadable = new Error("not Go as it is read here")

/** 1 letter, 2 digit, 3 blank. */
const classes = new Uint8Array(128)
for (let i = 0; i < 128; i++) {
  if (i === 95 || (i >= 65 && i <= 90) || (i >= 97 && i <= 122)) classes[i] = 1
  else if (i >= 48 && i <= 57) classes[i] = 2
  else if (i === 32 || i === 9 || i === 13) classes[i] = 3
}
const isWordPart = (c: number): boolean => c >= 128 || classes[c] === 1 || classes[c] === 2

/** Numbers that are more than decimal digits. */
const numbers =
  /(?:0[xX](?:_?[\da-fA-F])*\.?(?:_?[\da-fA-F])*(?:[pP][+-]?\d[\d_]*)?|0[bBoO](?:_?\d)+|(?:\d[\d_]*\.?[\d_]*|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?)i?/y

/** Keywords by first letter. */
const byLetter = Array.from({ length: 128 }, (_, letter) =>
  keywords.filter(([word]) => word.charCodeAt(0) === letter)
)

export class Lexer {
  protected text = ""
  private parts: ReadonlyArray<Stretch> = []
  private part = 0
  private p = 0
  /** End of the part at hand. */
  private n = 0
  /** The current token. */
  protected token: number = Token.end
  protected start = 0
  protected end = 0
  /** End of the last token that was no automatic semicolon. */
  protected lastEnd = 0

  protected open(text: string, parts: ReadonlyArray<Stretch> | undefined): void {
    this.text = text
    this.parts = parts ?? []
    this.part = 0
    const first = this.parts[0]
    this.p = first === undefined ? 0 : first.startIndex
    this.n = first === undefined ? text.length : first.endIndex
    if (this.p === 0 && text.charCodeAt(0) === 0xfeff) this.p = 1
    this.token = Token.end
    this.start = this.end = this.lastEnd = 0
    this.next()
  }

  protected is(token: number): boolean {
    return this.token === token
  }
  /** Goes behind a token that has to be here. */
  protected expect(token: number): void {
    if (this.token !== token) throw unreadable
    this.next()
  }
  /** Whether the text of the current token is a word. */
  protected reads(word: string): boolean {
    return this.end - this.start === word.length && this.text.startsWith(word, this.start)
  }
  /** The current name is followed by `:` but not by `:=`. */
  protected isLabel(): boolean {
    const { n, text } = this
    let { p } = this
    while (p < n && classes[text.charCodeAt(p)] === 3) p++
    return p < n && text.charCodeAt(p) === 58 && text.charCodeAt(p + 1) !== 61
  }

  protected next(): void {
    const { text } = this
    let { n, p } = this
    const semi = endsStatement[this.token] === 1
    if (this.token !== Token.semicolon) this.lastEnd = this.end
    let c: number
    for (;;) {
      if (p >= n) {
        const next = this.parts[this.part + 1]
        if (next !== undefined) {
          this.part++
          p = next.startIndex
          this.n = n = next.endIndex
          continue
        }
        this.start = this.end = this.p = p
        this.token = semi ? Token.semicolon : Token.end
        return
      }
      c = text.charCodeAt(p)
      if (c === 32 || c === 9 || c === 13) p++
      else if (c === 10) {
        if (semi) return this.semicolon(p, p + 1)
        p++
      } else if (c === 47 && text.charCodeAt(p + 1) === 47) {
        const end = text.indexOf("\n", p)
        p = end < 0 || end > n ? n : end
      } else if (c === 47 && text.charCodeAt(p + 1) === 42) {
        const end = text.indexOf("*/", p + 2)
        if (end < 0 || end + 2 > n) throw unreadable
        if (semi) {
          const line = text.indexOf("\n", p)
          if (line >= 0 && line < end) return this.semicolon(p, end + 2)
        }
        p = end + 2
      } else break
    }
    this.start = p
    if (c >= 128 || classes[c] === 1) return this.name(p, n)
    if (classes[c] === 2 || (c === 46 && classes[text.charCodeAt(p + 1)] === 2)) return this.number(c, p, n)
    this.punctuation(c, p)
    if (this.p > n) throw unreadable
  }

  private semicolon(from: number, to: number): void {
    this.token = Token.semicolon
    this.start = this.end = from
    this.p = to
  }

  private name(from: number, n: number): void {
    const { text } = this
    let p = from + 1
    while (p < n && isWordPart(text.charCodeAt(p))) p++
    this.end = this.p = p
    this.token = Token.name
    const length = p - from
    if (length < 2 || length > 11) return
    for (const [word, token] of byLetter[text.charCodeAt(from)] ?? [])
      if (word.length === length && text.startsWith(word, from)) {
        this.token = token
        return
      }
  }

  private number(c: number, from: number, n: number): void {
    const { text } = this
    let p = from
    while (p < n && classes[text.charCodeAt(p)] === 2) p++
    const after = p < n ? text.charCodeAt(p) : 0
    if (c === 46 || after === 46 || isWordPart(after)) {
      numbers.lastIndex = from
      if (!numbers.test(text)) throw unreadable
      p = numbers.lastIndex
      if (p < n && isWordPart(text.charCodeAt(p))) throw unreadable
    }
    this.token = Token.number
    this.end = this.p = p
  }

  private punctuation(c: number, p: number): void {
    const { text } = this
    const d = text.charCodeAt(p + 1)
    switch (c) {
      case 40:
        return this.take(Token.openParen, 1)
      case 41:
        return this.take(Token.closeParen, 1)
      case 44:
        return this.take(Token.comma, 1)
      case 91:
        return this.take(Token.openBracket, 1)
      case 93:
        return this.take(Token.closeBracket, 1)
      case 123:
        return this.take(Token.openBrace, 1)
      case 125:
        return this.take(Token.closeBrace, 1)
      case 59:
        return this.take(Token.semicolon, 1)
      case 126:
        return this.take(Token.tilde, 1)
      case 46:
        return d === 46 && text.charCodeAt(p + 2) === 46
          ? this.take(Token.ellipsis, 3)
          : this.take(Token.dot, 1)
      case 58:
        return d === 61 ? this.take(Token.define, 2) : this.take(Token.colon, 1)
      case 61:
        return d === 61 ? this.take(Token.compare, 2) : this.take(Token.assign, 1)
      case 33:
        return d === 61 ? this.take(Token.compare, 2) : this.take(Token.not, 1)
      case 34:
        return this.quoted(p, 34, Token.string)
      case 39:
        return this.quoted(p, 39, Token.rune)
      case 96: {
        const end = text.indexOf("`", p + 1)
        if (end < 0) throw unreadable
        return this.take(Token.string, end + 1 - p)
      }
      case 60:
        if (d === 45) return this.take(Token.arrow, 2)
        if (d === 60) return this.assigning(Token.binary, 2)
        return this.take(Token.compare, d === 61 ? 2 : 1)
      case 62:
        return d === 62 ? this.assigning(Token.binary, 2) : this.take(Token.compare, d === 61 ? 2 : 1)
      case 38:
        if (d === 38) return this.take(Token.and, 2)
        return d === 94 ? this.assigning(Token.binary, 2) : this.assigning(Token.ampersand, 1)
      case 124:
        return d === 124 ? this.take(Token.or, 2) : this.assigning(Token.pipe, 1)
      case 42:
        return this.assigning(Token.star, 1)
      case 43:
      case 45:
        return d === c ? this.take(Token.step, 2) : this.assigning(Token.sign, 1)
      case 94:
        return this.assigning(Token.sign, 1)
      case 47:
      case 37:
        return this.assigning(Token.binary, 1)
      default:
        throw unreadable
    }
  }

  private take(token: number, length: number): void {
    this.token = token
    this.end = this.p = this.start + length
  }
  /** An operator, or the assignment made of it. */
  private assigning(token: number, length: number): void {
    if (this.text.charCodeAt(this.start + length) === 61) this.take(Token.update, length + 1)
    else this.take(token, length)
  }

  private quoted(from: number, quote: number, token: number): void {
    const { text } = this
    for (let p = from + 1; p < this.n; p++) {
      const c = text.charCodeAt(p)
      if (c === quote) {
        if (token === Token.rune && p === from + 1) break
        return this.take(token, p + 1 - from)
      }
      if (c === 10) break
      if (c === 92) p++
    }
    throw unreadable
  }
}
