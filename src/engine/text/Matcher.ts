import { Automaton, characterWidth, PatternTooLarge } from "./Automaton.ts"
import type { Deadline } from "./Deadline.ts"
import { lineEndOf, lineStartOf } from "./Lines.ts"
import { Needle, release } from "./Needle.ts"
import { InvalidPattern, parseLiteral, parseRegex, type Pattern } from "./Pattern.ts"
import { type Literal, requiredLiteral, requiredRun, trigramQuery } from "./Plan.ts"
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
const wordBeside = 1
const wideBeside = 2
/** What a byte next to a word means: a word character, one that must be decoded, or neither. */
const besides = (byte: number): number =>
  byte >= 0x80
    ? wideBeside
    : byte === 95 || (byte >= 48 && byte <= 57) || (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122)
      ? wordBeside
      : 0
/** Literal texts up to this length compile to a small automaton, so it is made when first needed. */
const surelySmall = 1000
/** Shorter runs stop too often to be worth it. */
const shortestRun = 3

/**
 * A compiled pattern. Without `multiline` it finds, over a whole file, just
 * what it would find in each line by itself. `$` stands before `\n` only, so
 * in a file with CRLF `x$` does not match `x\r\n`; `(?R)$` does.
 */
export class Matcher {
  readonly query: TrigramQuery
  readonly multiline: boolean
  private readonly literal: Literal | undefined
  /** Finds candidates when no literal of use is known. */
  private readonly run: RegExp | undefined
  private readonly runWhole: boolean
  /** The file that {@link run} read last, as Latin-1. */
  private runBytes: Buffer | undefined
  private runText = ""
  private readonly needle: Needle | undefined
  private readonly pattern: Pattern
  private made: Automaton | undefined
  private until: Deadline | undefined
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
    this.pattern = pattern
    if (options.regexp === true || source.length > surelySmall) {
      try {
        this.made = new Automaton(pattern)
      } catch (error) {
        if (error instanceof PatternTooLarge) {
          throw new InvalidPattern({
            pattern: source,
            position: 0,
            reason: "the compiled pattern is too large"
          })
        }
        throw error
      }
    }
    // Only now: what compiles is small enough to plan for.
    this.query = trigramQuery(pattern)
    const literal = requiredLiteral(pattern)
    const run = requiredRun(pattern)
    const known = literal?.bytes.length ?? 0
    const useRun =
      run !== undefined && literal?.whole !== true && run.length >= shortestRun && known < shortestRun
    this.literal = useRun ? undefined : literal
    this.needle = this.literal === undefined ? undefined : new Needle(this.literal.bytes)
    this.run = useRun ? new RegExp(run.source, "g") : undefined
    this.runWhole = useRun && run.whole
  }

  /** The deadline that long searches poll; undefined also lets go of the last file's bytes. */
  set deadline(deadline: Deadline | undefined) {
    this.lineBytes = undefined
    this.runBytes = undefined
    this.runText = ""
    this.until = deadline
    if (deadline === undefined) release()
    if (this.made !== undefined) this.made.deadline = deadline
  }

  /** Literal text is mostly found without one. */
  private get automaton(): Automaton {
    if (this.made === undefined) {
      this.made = new Automaton(this.pattern)
      this.made.deadline = this.until
    }
    return this.made
  }

  /**
   * Finds the next match that begins at or after `from`; sets `start` and
   * `end`. `bytes` is well-formed UTF-8 or not, line feeds end lines.
   */
  find(bytes: Buffer, from: number): boolean {
    const { literal, run } = this
    if (literal === undefined && run === undefined) return this.search(bytes, from, bytes.length)
    let at = this.locate(bytes, from)
    if (at < 0) return false
    if (literal?.whole === true || this.runWhole) {
      this.start = at
      this.end = literal === undefined ? run!.lastIndex : at + literal.bytes.length
      return true
    }
    if (literal?.word === true) {
      for (; at >= 0; at = this.needle!.find(bytes, at + 1)) {
        const end = at + literal.bytes.length
        const beside = besides(at === 0 ? 0 : bytes[at - 1]!) | besides(end < bytes.length ? bytes[end]! : 0)
        if ((beside & wordBeside) !== 0) continue
        // Beyond ASCII the automaton knows what a word character is.
        if ((beside & wideBeside) !== 0 && this.automaton.findEnd(bytes, at, end) < 0) continue
        this.start = at
        this.end = end
        return true
      }
      return false
    }
    if (this.multiline) return this.search(bytes, from, bytes.length)
    while (at >= 0) {
      if (this.lineBytes !== bytes || at < this.lineStart || at > this.lineEnd) {
        this.lineBytes = bytes
        this.lineStart = lineStartOf(bytes, at)
        this.lineEnd = lineEndOf(bytes, at)
      }
      if (this.search(bytes, Math.max(from, this.lineStart), this.lineEnd)) return true
      if (this.lineEnd + 1 > bytes.length) return false
      at = this.locate(bytes, this.lineEnd + 1)
    }
    return false
  }

  /** Where the literal or run occurs next at or after `from`, or -1. */
  private locate(bytes: Buffer, from: number): number {
    if (this.needle !== undefined) return this.needle.find(bytes, from)
    const run = this.run!
    if (this.runBytes !== bytes) {
      this.runBytes = bytes
      this.runText = bytes.toString("latin1")
    }
    run.lastIndex = from
    return run.exec(this.runText)?.index ?? -1
  }

  private search(bytes: Buffer, from: number, limit: number): boolean {
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
export const eachMatch = (
  matcher: Matcher,
  bytes: Buffer,
  each: (start: number, end: number) => number
): void => {
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
