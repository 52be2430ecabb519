/** Words and what the shell expands in them: variables, arithmetic, commands, quotes. */
import { Space } from "../FactsBuilder.ts"
import { ResultUse, Role } from "../Vocabulary.ts"
import { Byte, Class, classes, isName } from "./Characters.ts"
import { HereDocumentReader } from "./HereDocuments.ts"

/** How far is looked for the end of `((`, which begins arithmetic or a subshell in a subshell. */
const arithmeticLimit = 1 << 14
/** Parameters of one character that are no names, beside digits. */
const special = new Uint8Array(256)
for (const c of "@*#?-$!") special[c.charCodeAt(0)] = 1

/** What closes constructs: how many are open that end so. */
export class Closers {
  paren = 0
  brace = 0
  if = 0
  loop = 0
  case = 0
}

export abstract class ExpansionReader extends HereDocumentReader {
  protected closers = new Closers()

  /** Reads the statements of a substitution up to what closes it. `use` is what becomes of what a command prints. */
  protected abstract substituted(use: number): void

  protected override open(): void {
    super.open()
    this.closers = new Closers()
  }

  protected override within(to: number, read: () => void): void {
    const { closers, n } = this
    this.n = to
    this.closers = new Closers()
    read()
    this.n = n
    this.closers = closers
  }

  // ---- words ------------------------------------------------------------------------------------

  /**
   * Reads a word. Says whether it is plain: nothing in it is quoted, expanded or in brackets. A backslash takes away the
   * meaning of one character in a plain word too. A regular expression may have parentheses and bars.
   */
  protected word(regex = false): boolean {
    const { b } = this
    const from = this.p
    let plain = true
    let nested = 0
    for (;;) {
      let { p } = this
      while (p < this.n && (classes[b[p]!]! & (Class.ends | Class.makes)) === 0) p++
      this.p = p
      if (p >= this.n) return plain
      const c = b[p]!
      switch (c) {
        case Byte.open:
          if (nested === 0 && !regex && (p === from || !isPattern(b[p - 1]!))) return plain
          nested++
          plain = false
          this.p++
          break
        case Byte.close:
          if (nested === 0) return plain
          nested--
          this.p++
          break
        case Byte.less:
        case Byte.greater:
          if (this.byte(p + 1) === Byte.open) {
            plain = false
            this.p += 2
            this.substitution()
          } else if (nested > 0) this.p++
          else return plain
          break
        case Byte.pipe:
          if (nested === 0 && !(regex && this.byte(p + 1) !== Byte.pipe)) return plain
          this.p++
          break
        case Byte.line:
          return plain
        case Byte.backslash: {
          const line = this.byte(p + 1) === Byte.return ? p + 2 : p + 1
          this.p = Math.min(this.byte(line) === Byte.line ? line + 1 : p + 2, this.n)
          break
        }
        case Byte.single:
          plain = false
          this.raw()
          break
        case Byte.double:
          plain = false
          this.double()
          break
        case Byte.dollar:
          plain = false
          this.dollar(false)
          break
        case Byte.backtick:
          plain = false
          this.backticks()
          break
        default:
          if ((classes[c]! & Class.ends) !== 0) {
            if (nested === 0) return plain
          } else plain = false
          this.p++
      }
    }
  }

  /** A string between single quotes. */
  private raw(): void {
    const from = this.p
    const end = this.b.indexOf(Byte.single, from + 1)
    if (end < 0 || end >= this.n) {
      this.error()
      this.p = this.n
      return
    }
    this.p = end + 1
    this.literal(from, this.p)
  }
  /** A string between `$'` and `'`. */
  private escaped(): void {
    const { b } = this
    for (this.p += 2; this.p < this.n; this.p++) {
      const c = b[this.p]!
      if (c === Byte.single) {
        this.p++
        return
      }
      if (c === Byte.backslash) this.p++
    }
    this.p = this.n
    this.error()
  }
  /** A string between double quotes. */
  protected double(): void {
    const { b } = this
    const from = this.p++
    for (;;) {
      let { p } = this
      while (p < this.n && (classes[b[p]!]! & Class.quoted) === 0) p++
      this.p = p
      if (p >= this.n) {
        this.p = this.n
        this.error()
        return
      }
      switch (b[p]) {
        case Byte.double:
          this.p++
          this.literal(from, this.p)
          return
        case Byte.dollar:
          this.dollar(true)
          break
        case Byte.backtick:
          this.backticks()
          break
        default:
          this.p += 2
      }
    }
  }

  // ---- expansions -------------------------------------------------------------------------------

  protected read(from: number, to: number): void {
    this.facts.reference(this.facts.name(from, to), from, Role.read, Space.value)
  }
  /** The end of the name at the offset. */
  protected nameEnd(at: number): number {
    while (this.is(at, isName)) at++
    return at
  }

  protected override dollar(quoted: boolean): void {
    const at = this.p + 1
    const c = this.byte(at)
    if (this.is(at, Class.letter)) {
      this.p = this.nameEnd(at)
      this.read(at, this.p)
    } else if (c === Byte.open) {
      if (!this.enter()) this.p = at + 1
      else {
        if (this.byte(at + 1) === Byte.open && this.isArithmetic(at + 2)) {
          this.p = at + 2
          this.arithmetic(Byte.close)
        } else {
          this.p = at + 1
          this.closed(ResultUse.assigned)
        }
        this.leave()
      }
    } else if (c === Byte.brace) {
      if (!this.enter()) this.p = at + 1
      else {
        this.p = at + 1
        this.parameter(quoted)
        this.leave()
      }
    } else if (c === Byte.bracket && this.closesBracket(at + 1)) {
      this.p = at + 1
      this.arithmetic(Byte.unbracket)
    } else if (c === Byte.single && !quoted) this.escaped()
    else this.p = at + (this.is(at, Class.digit) || special[c] === 1 ? 1 : 0)
  }

  /** A process substitution whose parenthesis was read. */
  private substitution(): void {
    if (!this.enter()) return
    this.closed(ResultUse.unknown)
    this.leave()
  }
  /** Statements up to a parenthesis. */
  private closed(use: number): void {
    const { closers } = this
    this.closers = new Closers()
    this.closers.paren = 1
    this.substituted(use)
    this.closers = closers
    if (this.byte(this.p) === Byte.close) this.p++
    else this.error()
  }
  protected override backticks(): void {
    const { b, n } = this
    const from = this.p + 1
    let end = from
    while (end < n && b[end] !== Byte.backtick) end += b[end] === Byte.backslash ? 2 : 1
    if (end >= n) {
      this.error()
      this.p = from
      return
    }
    this.p = from
    if (this.enter()) {
      this.within(end, () => this.substituted(ResultUse.assigned))
      this.leave()
    }
    this.p = end + 1
  }

  /** One character of an expansion's inside, or what it begins: an escape, a string, another expansion. */
  private piece(quoted: boolean, quotes = true): void {
    switch (this.b[this.p]) {
      case Byte.backslash:
        this.p += 2
        break
      case Byte.single:
        if (quotes) this.raw()
        else this.p++
        break
      case Byte.double:
        this.double()
        break
      case Byte.dollar:
        this.dollar(quoted)
        break
      case Byte.backtick:
        this.backticks()
        break
      default:
        this.p++
    }
  }

  /** What stands between `${` and `}`. */
  private parameter(quoted: boolean): void {
    const { b } = this
    let c = this.byte(this.p)
    if ((c === Byte.bang || c === Byte.hash) && this.byte(this.p + 1) !== Byte.unbrace) {
      const next = this.p + 1
      if (this.is(next, isName) || this.byte(next) === Byte.at || this.byte(next) === Byte.star) this.p++
      c = this.byte(this.p)
    }
    if (this.is(this.p, Class.letter)) {
      const from = this.p
      this.p = this.nameEnd(from)
      this.read(from, this.p)
    } else if (this.is(this.p, Class.digit)) this.p = this.nameEnd(this.p)
    else if (special[c] === 1) this.p++
    if (this.byte(this.p) === Byte.bracket) this.subscript()
    c = this.byte(this.p)
    if (c === Byte.colon && !alternative[this.byte(this.p + 1)]) {
      this.p++
      return this.arithmetic(Byte.unbrace)
    }
    // Between double quotes a single quote is a character like any other, except in a pattern.
    const quotes = !quoted || c === Byte.hash || c === Byte.percent || c === Byte.slash
    while (this.p < this.n) {
      if (b[this.p] === Byte.unbrace) {
        this.p++
        return
      }
      this.piece(quoted, quotes)
    }
    this.p = this.n
    this.error()
  }

  /** An index in brackets. It may be arithmetic or a key, so that only what a `$` expands is read. */
  protected subscript(): void {
    const { b } = this
    let nested = 0
    while (this.p < this.n) {
      switch (b[this.p]) {
        case Byte.bracket:
          nested++
          this.p++
          break
        case Byte.unbracket:
          this.p++
          if (--nested === 0) return
          break
        case Byte.line:
        case Byte.unbrace:
          return
        default:
          this.piece(true)
      }
    }
    this.p = Math.min(this.p, this.n)
  }

  // ---- arithmetic -------------------------------------------------------------------------------

  /** Whether the parentheses opened just before the offset are closed by two that stand together. */
  protected isArithmetic(at: number): boolean {
    const { b } = this
    const limit = Math.min(this.n, at + arithmeticLimit)
    let nested = 0
    for (let p = at; p < limit; p++) {
      switch (b[p]) {
        case Byte.open:
          nested++
          break
        case Byte.close:
          if (nested-- === 0) return this.byte(p + 1) === Byte.close
          break
        case Byte.backslash:
          p++
          break
        case Byte.single:
        case Byte.double: {
          const end = b.indexOf(b[p]!, p + 1)
          if (end < 0 || end >= limit) return false
          p = end
        }
      }
    }
    return false
  }
  /** Whether a bracket closes before the line or string ends. */
  private closesBracket(at: number): boolean {
    for (let p = at; p < this.n; p++) {
      const c = this.b[p]!
      if (c === Byte.unbracket) return p > at
      if (c === Byte.line || c === Byte.double || c === Byte.bracket) return false
    }
    return false
  }

  /** Arithmetic up to what closes it, which is two parentheses, a bracket or a brace. */
  protected arithmetic(closer: number): void {
    const { b } = this
    let nested = 0
    while (this.p < this.n) {
      const c = b[this.p]!
      if ((classes[c]! & Class.letter) !== 0) {
        const from = this.p
        this.p = this.nameEnd(from)
        this.read(from, this.p)
        if (this.byte(this.p) === Byte.bracket) this.subscript()
        continue
      }
      if ((classes[c]! & Class.digit) !== 0) {
        do this.p++
        while (this.is(this.p, isName) || this.byte(this.p) === Byte.hash || this.byte(this.p) === Byte.at)
        continue
      }
      if (c === closer && nested === 0) {
        this.p++
        if (closer !== Byte.close) return
        if (this.byte(this.p) === Byte.close) this.p++
        else this.error()
        return
      }
      switch (c) {
        case Byte.open:
          nested++
          this.p++
          break
        case Byte.close:
          nested--
          this.p++
          break
        default:
          this.piece(true)
      }
    }
    this.p = this.n
    this.error()
  }
}

/** What follows the colon of `${name:-word}` and the like. */
const alternative: ReadonlyArray<boolean> = Array.from({ length: 256 }, (_, c) =>
  [Byte.minus, Byte.equals, Byte.question, Byte.plus].includes(c as never)
)
/** Whether a parenthesis after the character opens a list of patterns. */
const isPattern = (c: number): boolean =>
  c === Byte.question || c === Byte.star || c === Byte.plus || c === Byte.at || c === Byte.bang
