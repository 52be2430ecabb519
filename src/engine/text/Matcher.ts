import { Automaton, characterWidth, PatternTooLarge } from "./Automaton.ts"
import type { Deadline } from "./Deadline.ts"
import { InvalidPattern, parseLiteral, parseRegex, type Pattern } from "./Pattern.ts"
import { type Literal, requiredLiteral, trigramQuery } from "./Plan.ts"
import type { TrigramQuery } from "./Trigrams.ts"

export interface MatcherOptions {
  /** Read the pattern as a regular expression (Rust syntax). Default false: it is literal text. */
  readonly regexp?: boolean
  readonly ignoreCase?: boolean
  /** Only matches that no word character touches from outside. */
  readonly word?: boolean
  /** A match may span lines. */
  readonly multiline?: boolean
  /** With `multiline`: `.` also matches a line feed. */
  readonly dotAll?: boolean
}

const lineFeed = 10

/**
 * A compiled pattern. Without `multiline` it finds, over a whole file, just
 * what it would find in each line by itself. `$` stands before `\n` only, so
 * in a file with CRLF `x$` does not match `x\r\n`; `(?R)$` does.
 */
export class Matcher {
  readonly query: TrigramQuery
  readonly multiline: boolean
  private readonly literal: Literal | undefined
  private readonly automaton: Automaton
  /** Bounds of the match that {@link find} found last, byte offsets. */
  start = -1
  end = -1
  /** The line looked at last, so that a long one is not measured for every match in it. */
  private lineBytes: Buffer | undefined
  private lineStart = 0
  private lineEnd = -1

  /** Throws {@link InvalidPattern}. */
  constructor(source: string, options: MatcherOptions = {}) {
    const full = {
      ignoreCase: options.ignoreCase ?? false,
      word: options.word ?? false,
      multiline: options.multiline ?? false,
      dotAll: options.dotAll ?? false
    }
    const pattern: Pattern = options.regexp === true ? parseRegex(source, full) : parseLiteral(source, full)
    this.multiline = full.multiline
    this.query = trigramQuery(pattern)
    this.literal = requiredLiteral(pattern)
    try {
      this.automaton = new Automaton(pattern)
    } catch (error) {
      if (error instanceof PatternTooLarge) {
        throw new InvalidPattern({ pattern: source, position: 0, reason: "the compiled pattern is too large" })
      }
      throw error
    }
  }

  /** The deadline that long searches poll; undefined also lets go of the last file's bytes. */
  set deadline(deadline: Deadline | undefined) {
    this.lineBytes = undefined
    this.automaton.deadline = deadline
  }

  /**
   * Finds the next match that begins at or after `from`; sets `start` and
   * `end`. `bytes` is well-formed UTF-8 or not, line feeds end lines.
   */
  find(bytes: Buffer, from: number): boolean {
    const literal = this.literal
    if (literal === undefined) return this.run(bytes, from, bytes.length)
    if (literal.whole) {
      const at = bytes.indexOf(literal.bytes, from)
      if (at < 0) return false
      this.start = at
      this.end = at + literal.bytes.length
      return true
    }
    if (this.multiline) {
      return bytes.indexOf(literal.bytes, from) >= 0 && this.run(bytes, from, bytes.length)
    }
    let next = from
    while (next <= bytes.length) {
      const at = bytes.indexOf(literal.bytes, next)
      if (at < 0) return false
      if (this.lineBytes !== bytes || at < this.lineStart || at > this.lineEnd) {
        const feed = bytes.indexOf(lineFeed, at + literal.bytes.length)
        this.lineBytes = bytes
        this.lineStart = at === 0 ? 0 : bytes.lastIndexOf(lineFeed, at - 1) + 1
        this.lineEnd = feed < 0 ? bytes.length : feed
      }
      if (this.run(bytes, Math.max(from, this.lineStart), this.lineEnd)) return true
      next = this.lineEnd + 1
    }
    return false
  }

  private run(bytes: Buffer, from: number, limit: number): boolean {
    const end = this.automaton.findEnd(bytes, from, limit)
    if (end < 0) return false
    this.end = end
    this.start = this.automaton.findStart(bytes, from, end)
    return true
  }
}

/**
 * Calls `each(start, end)` for the matches of a file in order, non-overlapping,
 * an empty one never right after another match. `each` answers where to go on:
 * a byte offset, or -1 to stop.
 */
export const eachMatch = (matcher: Matcher, bytes: Buffer, each: (start: number, end: number) => number): void => {
  let from = 0
  let last = -1
  while (from <= bytes.length && matcher.find(bytes, from)) {
    const { start, end } = matcher
    // What follows the last line feed is not a line.
    if (start === bytes.length && (start === 0 || bytes[start - 1] === lineFeed)) return
    if (start === end && start === last) {
      if (start >= bytes.length) return
      from = start + Math.max(1, characterWidth(bytes, start))
      continue
    }
    const next = each(start, end)
    if (next < 0) return
    last = end
    from = Math.max(next, end)
  }
}
