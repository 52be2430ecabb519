import * as Class from "./CharacterClass.ts"
import type { CharacterClass } from "./CharacterClass.ts"

/** A condition on the two characters around a position. */
export type Look =
  | "startText"
  | "endText"
  | "startLine"
  | "endLine"
  | "startCrlf"
  | "endCrlf"
  | "word"
  | "notWord"
  | "wordStart"
  | "wordEnd"
  | "wordStartHalf"
  | "wordEndHalf"

/** A parsed pattern. Groups leave no trace: nothing here asks what they captured. */
export type Pattern =
  | { readonly kind: "empty" }
  | { readonly kind: "class"; readonly set: CharacterClass }
  | { readonly kind: "look"; readonly look: Look; readonly ascii: boolean }
  | { readonly kind: "concat"; readonly parts: ReadonlyArray<Pattern> }
  | { readonly kind: "alternate"; readonly parts: ReadonlyArray<Pattern> }
  | {
      readonly kind: "repeat"
      readonly body: Pattern
      readonly min: number
      readonly max: number
      readonly greedy: boolean
    }

/** Why a pattern was refused; `position` is a 0-based UTF-16 offset into it. */
export class InvalidPattern extends Error {
  readonly _tag = "InvalidPattern"
  readonly code = "invalid_pattern"
  readonly pattern: string
  readonly position: number
  readonly reason: string
  constructor(fields: { readonly pattern: string; readonly position: number; readonly reason: string }) {
    super(`invalid pattern at ${fields.position}: ${fields.reason}`)
    this.pattern = fields.pattern
    this.position = fields.position
    this.reason = fields.reason
  }
}

export interface PatternOptions {
  readonly ignoreCase: boolean
  /** Whether a match may hold a line feed. When false no class holds one. */
  readonly multiline: boolean
  /** `.` also matches a line feed; only with `multiline`. */
  readonly dotAll: boolean
  /** Matches must begin and end where no word character touches them from outside. */
  readonly word: boolean
}

const empty: Pattern = { kind: "empty" }
const lineFeed: CharacterClass = [10, 10]

interface Flags {
  readonly ignoreCase: boolean
  readonly multiLine: boolean
  readonly dotAll: boolean
  readonly swapGreed: boolean
  readonly unicode: boolean
  readonly crlf: boolean
  readonly extended: boolean
}

const posix: Readonly<Record<string, CharacterClass>> = {
  alnum: [48, 57, 65, 90, 97, 122],
  alpha: [65, 90, 97, 122],
  ascii: [0, 127],
  blank: [9, 9, 32, 32],
  cntrl: [0, 31, 127, 127],
  digit: [48, 57],
  graph: [33, 126],
  lower: [97, 122],
  print: [32, 126],
  punct: [33, 47, 58, 64, 91, 96, 123, 126],
  space: [9, 13, 32, 32],
  upper: [65, 90],
  word: [48, 57, 65, 90, 95, 95, 97, 122],
  xdigit: [48, 57, 65, 70, 97, 102]
}

const maxDepth = 250

/**
 * Reads the syntax of Rust's `regex` crate, which is ripgrep's: no look-around
 * and no backreferences. `^` and `$` match at lines. With `(?-u)` only ASCII
 * perl classes and word boundaries are taken; what would match single bytes
 * of a character is refused.
 */
class Parser {
  private at = 0
  private depth = 0
  private flags: Flags
  private readonly names = new Set<string>()
  private readonly source: string
  private readonly options: PatternOptions

  constructor(source: string, options: PatternOptions) {
    this.source = source
    this.options = options
    this.flags = {
      ignoreCase: options.ignoreCase,
      multiLine: true,
      dotAll: options.dotAll && options.multiline,
      swapGreed: false,
      unicode: true,
      crlf: false,
      extended: false
    }
  }

  fail(reason: string, position = this.at): never {
    throw new InvalidPattern({ pattern: this.source, position, reason })
  }

  parse(): Pattern {
    const found = this.alternation()
    if (this.at < this.source.length)
      this.fail("unopened group: `)` without `(`; write `\\)` for the character")
    return found
  }

  private peek(): string {
    return this.source.charAt(this.at)
  }

  private take(text: string): boolean {
    if (!this.source.startsWith(text, this.at)) return false
    this.at += text.length
    return true
  }

  private point(): number {
    const point = this.source.codePointAt(this.at)
    if (point === undefined) this.fail("unexpected end of the pattern")
    this.at += point > 0xffff ? 2 : 1
    return point
  }

  private skipExtended(): void {
    if (!this.flags.extended) return
    while (this.at < this.source.length) {
      const next = this.peek()
      if (/\s/.test(next)) this.at++
      else if (next === "#") {
        const end = this.source.indexOf("\n", this.at)
        this.at = end < 0 ? this.source.length : end + 1
      } else return
    }
  }

  private alternation(): Pattern {
    if (++this.depth > maxDepth) this.fail(`nested deeper than ${maxDepth}`)
    const parts = [this.concatenation()]
    while (this.take("|")) parts.push(this.concatenation())
    this.depth--
    return parts.length === 1 ? parts[0]! : { kind: "alternate", parts }
  }

  private concatenation(): Pattern {
    const parts: Array<Pattern> = []
    for (;;) {
      this.skipExtended()
      const next = this.peek()
      if (next === "" || next === "|" || next === ")") break
      const start = this.at
      if (next === "(") {
        const group = this.group()
        if (group !== undefined) parts.push(this.quantified(group, start))
        else {
          this.skipExtended()
          if (/^[*+?{]/.test(this.peek())) this.fail("nothing to repeat")
        }
        continue
      }
      if (next === "*" || next === "+" || next === "?")
        this.fail(`nothing to repeat: \`${next}\`; write \`\\${next}\` for the character`)
      if (next === "{") this.fail("nothing to repeat: `{`; write `\\{` for the character")
      parts.push(this.quantified(this.atom(), start))
    }
    return parts.length === 0 ? empty : parts.length === 1 ? parts[0]! : { kind: "concat", parts }
  }

  private quantified(atom: Pattern, start: number): Pattern {
    let body = atom
    let nested = 0
    for (;;) {
      this.skipExtended()
      const at = this.at
      let min: number
      let max: number
      if (this.take("*")) [min, max] = [0, Infinity]
      else if (this.take("+")) [min, max] = [1, Infinity]
      else if (this.take("?")) [min, max] = [0, 1]
      else if (this.peek() === "{") [min, max] = this.counts()
      else return body
      if (++nested + this.depth > maxDepth) this.fail(`nested deeper than ${maxDepth}`, start)
      if (min > max) this.fail(`the least count ${min} is larger than the greatest ${max}`, at)
      const greedy = this.take("?") === this.flags.swapGreed
      body = { kind: "repeat", body, min, max, greedy }
    }
  }

  private counts(): [number, number] {
    const found = /^\{\s*(\d+)\s*(,?)\s*(\d*)\s*\}/.exec(this.source.slice(this.at, this.at + 64))
    if (found === null || (found[2] === "" && found[3] !== "")) {
      this.fail("`{` must open a count such as {2} or {2,5}; write `\\{` for the character")
    }
    this.at += found[0].length
    const min = Number(found[1])
    const max = found[2] === "" ? min : found[3] === "" ? Infinity : Number(found[3])
    if (min > 0xffffffff || (max !== Infinity && max > 0xffffffff)) this.fail("the count is too large")
    return [min, max]
  }

  /** A group, or undefined for flags that hold to the end of the enclosing group. */
  private group(): Pattern | undefined {
    const start = this.at
    this.at++
    const outer = this.flags
    const look = /^\?(=|!|<=|<!)/.exec(this.source.slice(this.at, this.at + 3))
    if (look !== null) this.fail("look-around is not supported: the search runs in linear time", start)
    if (this.take("?")) {
      if (this.take("P<") || this.take("<")) this.name()
      else if (
        /^(P?[=>']|[|&>(#R0-9'])/.test(this.source.slice(this.at, this.at + 2)) &&
        !/^R[):a-zA-Z-]/.test(this.source.slice(this.at, this.at + 2))
      ) {
        this.fail("this kind of group is not supported", start)
      } else if (this.setFlags(start)) return undefined
    }
    const body = this.alternation()
    if (!this.take(")")) this.fail("unclosed group; write `\\(` for the character", start)
    this.flags = outer
    return body
  }

  private name(): void {
    const start = this.at
    const found = /^[\p{Alphabetic}_][\p{Alphabetic}\p{Nd}_.[\]]*/u.exec(this.source.slice(this.at))
    if (found === null) this.fail("a group name must begin with a letter or `_`")
    this.at += found[0].length
    if (!this.take(">")) this.fail("unclosed group name")
    if (this.names.has(found[0])) this.fail(`two groups are named ${found[0]}`, start)
    this.names.add(found[0])
  }

  /** Reads flags; true when they end with `)`, false when with `:`. */
  private setFlags(start: number): boolean {
    let value = true
    let flags = this.flags
    let count = 0
    const seen = new Set<string>()
    for (;;) {
      const flag = this.peek()
      if (flag === "") this.fail("unclosed group; write `\\(` for the character", start)
      this.at++
      if (flag === "-") {
        if (!value) this.fail("`-` twice in the flags", this.at - 1)
        value = false
        count = 0
        continue
      }
      if (flag === ":" || flag === ")") {
        if (!value && count === 0) this.fail("`-` without a flag", this.at - 1)
        if (flag === ")" && value && count === 0) this.fail("nothing to repeat: empty flags", start)
        this.flags = flags
        return flag === ")"
      }
      if (seen.has(flag)) this.fail(`flag ${flag} twice`, this.at - 1)
      seen.add(flag)
      count++
      switch (flag) {
        case "i":
          flags = { ...flags, ignoreCase: value }
          break
        case "m":
          flags = { ...flags, multiLine: value }
          break
        case "s":
          flags = { ...flags, dotAll: value }
          break
        case "U":
          flags = { ...flags, swapGreed: value }
          break
        case "u":
          flags = { ...flags, unicode: value }
          break
        case "R":
          flags = { ...flags, crlf: value }
          break
        case "x":
          flags = { ...flags, extended: value }
          break
        default:
          this.fail(`unknown flag ${flag}`, this.at - 1)
      }
    }
  }

  private look(look: Look): Pattern {
    return { kind: "look", look, ascii: !this.flags.unicode }
  }

  /** The class as a pattern: case variants added, line feeds taken out. */
  private set(set: CharacterClass, start: number, fold = true): Pattern {
    const folded = fold && this.flags.ignoreCase ? Class.foldCase(set) : set
    if (this.options.multiline) return { kind: "class", set: folded }
    if (folded.length === 2 && folded[0] === 10 && folded[1] === 10) {
      this.fail("a line feed can only match with the multiline option", start)
    }
    return { kind: "class", set: Class.contains(folded, 10) ? Class.subtract(folded, lineFeed) : folded }
  }

  private atom(): Pattern {
    const start = this.at
    const next = this.peek()
    switch (next) {
      case ".": {
        this.at++
        if (!this.flags.unicode) this.fail("`.` that matches single bytes is not supported", start)
        const excluded = this.flags.dotAll ? [] : this.flags.crlf ? [10, 10, 13, 13] : lineFeed
        return this.set(Class.negate(excluded), start, false)
      }
      case "^":
        this.at++
        return this.look(!this.flags.multiLine ? "startText" : this.flags.crlf ? "startCrlf" : "startLine")
      case "$":
        this.at++
        return this.look(!this.flags.multiLine ? this.textEnd() : this.flags.crlf ? "endCrlf" : "endLine")
      case "[":
        return this.set(this.bracket(), start, false)
      case "\\":
        return this.escape()
      default: {
        const point = this.point()
        return this.set([point, point], start)
      }
    }
  }

  // As in ripgrep: without the multiline option `\z` is the end of each line, while `\A` stays the start of the file.
  private textEnd(): Look {
    return this.options.multiline ? "endText" : "endLine"
  }

  private escape(): Pattern {
    const start = this.at
    const letter = this.source.charAt(this.at + 1)
    switch (letter) {
      case "A":
        this.at += 2
        return this.look("startText")
      case "z":
        this.at += 2
        return this.look(this.textEnd())
      case "B":
        this.at += 2
        return this.look("notWord")
      case "<":
        this.at += 2
        return this.look("wordStart")
      case ">":
        this.at += 2
        return this.look("wordEnd")
      case "b": {
        this.at += 2
        const named = /^\{([a-z-]*)(\}?)/.exec(this.source.slice(this.at))
        if (named === null || !/^[a-z-]/.test(named[1]!)) return this.look("word")
        const looks: Readonly<Record<string, Look>> = {
          start: "wordStart",
          end: "wordEnd",
          "start-half": "wordStartHalf",
          "end-half": "wordEndHalf"
        }
        const found = Object.hasOwn(looks, named[1]!) ? looks[named[1]!] : undefined
        if (found === undefined || named[2] === "") {
          this.fail("`\\b{` must be one of start, end, start-half, end-half")
        }
        this.at += named[0].length
        return this.look(found)
      }
    }
    const perl = this.classEscape()
    if (perl !== undefined) return this.set(perl, start, false)
    const point = this.character()
    return this.set([point, point], start)
  }

  /** `\d \s \w \p{…}` and their negations, or undefined. */
  private classEscape(): CharacterClass | undefined {
    const start = this.at
    const letter = this.source.charAt(this.at + 1)
    const unicode = this.flags.unicode
    const lower = letter.toLowerCase()
    if (letter === "" || !"dswp".includes(lower)) return undefined
    this.at += 2
    const negated = letter !== lower
    let set: CharacterClass
    if (lower === "p") {
      if (!unicode) this.fail("a Unicode property needs the flag u", start)
      set = this.property(start)
      if (this.flags.ignoreCase) set = Class.foldCase(set)
    } else if (lower === "d") set = unicode ? Class.digit() : Class.asciiDigit
    else if (lower === "s") set = unicode ? Class.space() : Class.asciiSpace
    else set = unicode ? Class.word() : Class.asciiWord
    if (negated && !unicode) this.fail("a negated class that matches single bytes is not supported", start)
    return negated ? Class.negate(set) : set
  }

  private property(start: number): CharacterClass {
    let name: string
    let negated = false
    if (this.take("{")) {
      const end = this.source.indexOf("}", this.at)
      if (end < 0) this.fail("unclosed property name", start)
      name = this.source.slice(this.at, end)
      const unequal = name.indexOf("!=")
      if (unequal >= 0) {
        negated = !negated
        name = `${name.slice(0, unequal)}=${name.slice(unequal + 2)}`
      }
      this.at = end + 1
    } else name = String.fromCodePoint(this.point())
    const set = Class.property(name)
    if (set === undefined) this.fail(`unknown Unicode property ${name}`, start)
    return negated ? Class.negate(set) : set
  }

  /** One escaped character. */
  private character(): number {
    const start = this.at
    this.at++
    if (this.at >= this.source.length) this.fail("a lone `\\` at the end", start)
    const letter = this.peek()
    if (/[0-9]/.test(letter))
      this.fail("backreferences are not supported: the search runs in linear time", start)
    const control = "aftnrv".indexOf(letter)
    if (control >= 0) {
      this.at++
      return [7, 12, 9, 10, 13, 11][control]!
    }
    if (letter === "x" || letter === "u" || letter === "U") {
      this.at++
      const width = letter === "x" ? 2 : letter === "u" ? 4 : 8
      let digits: string
      if (this.take("{")) {
        const end = this.source.indexOf("}", this.at)
        if (end < 0) this.fail("unclosed code point", start)
        digits = this.source.slice(this.at, end)
        this.at = end + 1
      } else {
        digits = this.source.slice(this.at, this.at + width)
        if (digits.length < width) this.fail(`\\${letter} needs ${width} hexadecimal digits`, start)
        this.at += width
      }
      if (!/^[0-9a-fA-F]+$/.test(digits)) this.fail("not a hexadecimal number", start)
      const point = parseInt(digits, 16)
      if (point > Class.lastCodePoint || (point >= 0xd800 && point <= 0xdfff))
        this.fail("not a Unicode scalar value", start)
      if (!this.flags.unicode && point > 127) this.fail("single bytes beyond ASCII are not supported", start)
      return point
    }
    const point = this.point()
    if (point > 127 || /[A-Za-z<>]/.test(letter))
      this.fail(`unknown escape \\${String.fromCodePoint(point)}`, start)
    return point
  }

  /** A bracketed class, with nested ones and the operators `&&`, `--`, `~~`. */
  private bracket(): CharacterClass {
    if (++this.depth > maxDepth) this.fail(`nested deeper than ${maxDepth}`)
    const start = this.at
    this.at++
    const negated = this.take("^")
    const folded = (set: CharacterClass): CharacterClass =>
      this.flags.ignoreCase ? Class.foldCase(set) : set
    let left: CharacterClass | undefined
    let operator = ""
    let items: Array<number> = []
    const combine = (): CharacterClass => {
      const right = folded(Class.normalise(items))
      items = []
      if (left === undefined) return right
      if (operator === "&&") return Class.intersect(left, right)
      if (operator === "--") return Class.subtract(left, right)
      return Class.union(Class.subtract(left, right), Class.subtract(right, left))
    }
    this.skipExtended()
    // A bracket or hyphens right at the beginning stand for themselves.
    while (this.take("-")) items.push(45, 45)
    if (items.length === 0 && this.take("]")) items.push(93, 93)
    for (;;) {
      this.skipExtended()
      if (this.at >= this.source.length) this.fail("unclosed class; write `\\[` for the character", start)
      if (this.take("]")) break
      if (this.peek() === "[") {
        const named = this.posix()
        if (named !== undefined) items.push(...named)
        else items.push(...this.bracket())
        continue
      }
      const pair = this.source.slice(this.at, this.at + 2)
      if (pair === "&&" || pair === "--" || pair === "~~") {
        left = combine()
        operator = pair
        this.at += 2
        continue
      }
      items.push(...this.range())
    }
    this.depth--
    const set = combine()
    if (negated && !this.flags.unicode)
      this.fail("a negated class that matches single bytes is not supported", start)
    return negated ? Class.negate(set) : set
  }

  private posix(): CharacterClass | undefined {
    const found = /^\[:(\^?)([a-z]+):\]/.exec(this.source.slice(this.at, this.at + 16))
    if (found === null || !Object.hasOwn(posix, found[2]!)) return undefined
    this.at += found[0].length
    const set = posix[found[2]!]!
    if (found[1] === "") return set
    if (!this.flags.unicode) this.fail("a negated class that matches single bytes is not supported")
    return Class.negate(this.flags.ignoreCase ? Class.foldCase(set) : set)
  }

  private range(): CharacterClass {
    const start = this.at
    const low = this.member()
    if (typeof low !== "number") return low
    this.skipExtended()
    if (
      this.peek() !== "-" ||
      this.source.charAt(this.at + 1) === "]" ||
      this.source.charAt(this.at + 1) === "-"
    )
      return [low, low]
    this.at++
    this.skipExtended()
    const high = this.member()
    if (typeof high !== "number") this.fail("a class cannot end a range", start)
    if (low > high) this.fail("the range is out of order", start)
    return [low, high]
  }

  private member(): number | CharacterClass {
    if (this.peek() !== "\\") {
      const point = this.point()
      if (!this.flags.unicode && point > 127) this.fail("single bytes beyond ASCII are not supported")
      return point
    }
    const letter = this.source.charAt(this.at + 1)
    if ("AzBb".includes(letter) && letter !== "") this.fail("an assertion cannot stand in a class")
    return this.classEscape() ?? this.character()
  }
}

const surround = (pattern: Pattern, word: boolean): Pattern =>
  word
    ? {
        kind: "concat",
        parts: [
          { kind: "look", look: "wordStartHalf", ascii: false },
          pattern,
          { kind: "look", look: "wordEndHalf", ascii: false }
        ]
      }
    : pattern

/** Parses a regular expression. Throws {@link InvalidPattern}. */
export const parseRegex = (source: string, options: PatternOptions): Pattern =>
  surround(new Parser(source, options).parse(), options.word)

/** The pattern that matches `text` itself. Throws {@link InvalidPattern} for a line feed without `multiline`. */
export const parseLiteral = (text: string, options: PatternOptions): Pattern => {
  const feed = text.indexOf("\n")
  if (feed >= 0 && !options.multiline) {
    throw new InvalidPattern({
      pattern: text,
      position: feed,
      reason: "a line feed can only match with the multiline option"
    })
  }
  const parts = Array.from(text, (character): Pattern => {
    const point = character.codePointAt(0)!
    return { kind: "class", set: options.ignoreCase ? Class.foldCase([point, point]) : [point, point] }
  })
  return surround(
    parts.length === 1 ? parts[0]! : parts.length === 0 ? empty : { kind: "concat", parts },
    options.word
  )
}
