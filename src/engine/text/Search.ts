import { characterBegin } from "./Automaton.ts"
import { type Decoded, searchable } from "./Decoding.ts"
import { Deadline, DeadlinePassed } from "./Deadline.ts"
import { lineEndOf, lineStartOf } from "./Lines.ts"
import { eachMatch, Matcher, type MatcherOptions } from "./Matcher.ts"
import type { TrigramIndex } from "./Trigrams.ts"

/** The lines of a file to pass over; undefined for none, which saves telling which line is which. */
export type Except<File> = (file: File) => ((line: number) => boolean) | undefined

export interface SearchOptions extends MatcherOptions {
  /** Lines of context before and after each hit. Default 0. */
  readonly before?: number
  readonly after?: number
  /** Most hits reported of one file. Default: no cap. */
  readonly perFile?: number
  /** Most hits (mode `matches`) or files (other modes) reported in all. Default 1000. */
  readonly limit?: number
  /** Longest text reported of one line, in bytes. Default 500. */
  readonly maxLineBytes?: number
  /** Most matches reported of one hit; all are counted. Default 100. */
  readonly maxRanges?: number
  /** Milliseconds for the whole search. Default 2000. */
  readonly deadlineMs?: number
  /** `matches`: hits with text; `files`: which files match; `count`: how often. */
  readonly mode?: "matches" | "files" | "count"
  /** Lines to pass over: what begins in one is neither told nor counted. */
  readonly except?: Except<number>
}

/** What of {@link SearchOptions} is not part of the pattern. */
export type ReportOptions = Omit<SearchOptions, keyof MatcherOptions>

/** Where the files come from. */
export interface SearchCorpus {
  /** Ids of the files to search, in the order of the answer; path, glob and language filters are applied here. */
  readonly files: ReadonlyArray<number>
  /** Bytes of a file as on disk; undefined when they cannot be had. */
  readonly read: (fileId: number) => Uint8Array | undefined
  /** Rules files out before they are read. */
  readonly index?: TrigramIndex
}

export interface MatchRange {
  /** 1-based column in UTF-16 units, and in bytes, in the line the match begins in. */
  readonly column: number
  readonly byteColumn: number
  /** Byte offsets of the match in the file. For UTF-16 files: in its UTF-8 form. */
  readonly byteStart: number
  readonly byteEnd: number
  /** The match within `Hit.text`, UTF-16 offsets, cut to it. */
  readonly start: number
  readonly end: number
}

export interface ContextLine {
  /** 1-based. */
  readonly line: number
  /** Without the line break. */
  readonly text: string
  readonly clipped: boolean
}

/** A line with a match, or with `multiline` the block of lines its matches touch. */
export interface Hit {
  /** First and last line, 1-based. */
  readonly line: number
  readonly endLine: number
  /** Without the last line break. Bytes that are not UTF-8 show as U+FFFD. */
  readonly text: string
  /** `text` is a window around the first match. */
  readonly clipped: boolean
  /** 1-based UTF-16 column of the first character of `text`. */
  readonly textColumn: number
  /** The matches that begin within `text`, at most `maxRanges`. */
  readonly ranges: ReadonlyArray<MatchRange>
  /** All matches of the hit. */
  readonly matches: number
  readonly before: ReadonlyArray<ContextLine>
  readonly after: ReadonlyArray<ContextLine>
}

export interface FileResult {
  readonly fileId: number
  /** Empty unless the mode is `matches`. */
  readonly hits: ReadonlyArray<Hit>
  /** Lines (or blocks) and matches found in this file; lower bounds unless `exact`. */
  readonly lines: number
  readonly matches: number
  readonly exact: boolean
  /** Hits were left out of `hits`. */
  readonly truncated?: "per_file" | "limit"
}

export interface SearchResult {
  readonly files: ReadonlyArray<FileResult>
  /**
   * Sums over all files; lower bounds unless `exact`. In mode `files` only the
   * first match of a file is looked for, and `exact` speaks of `files` alone.
   */
  readonly totals: {
    readonly files: number
    readonly lines: number
    readonly matches: number
    readonly exact: boolean
  }
  /** Why reported hits or files are not all; `limit` outweighs `per_file`. */
  readonly truncated?: "per_file" | "limit"
  /** The search stopped before all candidates were read. */
  readonly incomplete?: "deadline"
  /** Files asked for, files left after the index, files read. */
  readonly asked: number
  readonly candidates: number
  readonly searched: number
  /** Files with a NUL in the first 8 KiB; they are not searched. */
  readonly binary: number
  /** Files whose bytes could not be had. */
  readonly unreadable: ReadonlyArray<number>
}

const lineFeed = 10
const carriageReturn = 13
const maxBlockLines = 20

/** The end of the text of a line that ends at `end`: a `\r` before the `\n` is no part of it. */
const textEndOf = (bytes: Buffer, start: number, end: number): number =>
  end > start && end < bytes.length && bytes[end - 1] === carriageReturn ? end - 1 : end

/** Moves a cut back to where the character at it begins. */
const cutAt = (bytes: Buffer, at: number): number =>
  at < bytes.length && (bytes[at]! & 0xc0) === 0x80 ? characterBegin(bytes, at) : at

interface Block {
  readonly start: number
  end: number
  readonly line: number
  endLine: number
  matches: number
  readonly ranges: Array<readonly [start: number, end: number]>
}

/** Searches one file; keeps the blocks of lines with matches. */
class FileSearch {
  readonly blocks: Array<Block> = []
  lines = 0
  matches = 0
  private countedTo = 0
  private line = 1
  private last: Block | undefined
  private readonly bytes: Buffer
  private readonly maxRanges: number
  private readonly except: ((line: number) => boolean) | undefined

  constructor(bytes: Buffer, maxRanges: number, except?: (line: number) => boolean) {
    this.bytes = bytes
    this.maxRanges = maxRanges
    this.except = except
  }

  private lineAt(at: number): number {
    const { bytes } = this
    let line = this.line
    // A plain loop: lines are too short for a native search each.
    for (let i = this.countedTo; i < at; i++) if (bytes[i] === lineFeed) line++
    this.line = line
    this.countedTo = at
    return this.line
  }

  /** Runs to the end, or to the first match when `first`; keeps up to `keep` blocks. */
  run(matcher: Matcher, first: boolean, keep: number, deadline: Deadline): void {
    const { bytes } = this
    let lastEnd = -1
    let polled = 0
    eachMatch(matcher, bytes, (start, end) => {
      if ((++polled & 1023) === 0) deadline.poll()
      if (start > lastEnd && this.except?.(this.lineAt(start)) === true) return lineEndOf(bytes, start)
      this.matches++
      const last = this.last
      // A block ends with its line feed: a match that begins before is in it.
      if (start <= lastEnd) {
        if (last !== undefined) last.matches++
        if (end > lastEnd + 1) {
          lastEnd = lineEndOf(bytes, end > start ? end - 1 : end)
          if (last !== undefined) {
            last.end = lastEnd
            last.endLine = this.lineAt(lastEnd)
          }
        }
        if (last !== undefined && last.ranges.length < this.maxRanges) last.ranges.push([start, end])
        return end
      }
      this.lines++
      if (first) return -1
      lastEnd = lineEndOf(bytes, end > start ? end - 1 : end)
      if (this.blocks.length >= keep) {
        this.last = undefined
        return end
      }
      const lineStart = lineStartOf(bytes, start)
      const line = this.lineAt(lineStart)
      const block: Block = {
        start: lineStart,
        end: lastEnd,
        line,
        endLine: matcher.multiline ? this.lineAt(lastEnd) : line,
        matches: 1,
        ranges: [[start, end]]
      }
      this.blocks.push(block)
      this.last = block
      return end
    })
  }
}

/** Turns blocks into hits. */
class Presenter {
  private readonly bytes: Buffer
  private readonly shift: number
  private readonly maxLineBytes: number

  constructor(decoded: Decoded, maxLineBytes: number) {
    this.bytes = decoded.bytes
    this.shift = decoded.shift
    this.maxLineBytes = maxLineBytes
  }

  private contextLine(line: number, start: number, end: number): ContextLine {
    const textEnd = textEndOf(this.bytes, start, end)
    const clipped = textEnd - start > this.maxLineBytes
    return {
      line,
      text: this.bytes.toString(
        "utf8",
        start,
        clipped ? cutAt(this.bytes, start + this.maxLineBytes) : textEnd
      ),
      clipped
    }
  }

  /** Up to `count` lines before `block`, not reaching back over line `floor`. */
  before(block: Block, count: number, floor: number): Array<ContextLine> {
    const out: Array<ContextLine> = []
    let start = block.start
    for (let line = block.line - 1; line > floor && block.line - line <= count && start > 0; line--) {
      const end = start - 1
      start = lineStartOf(this.bytes, end)
      out.push(this.contextLine(line, start, end))
    }
    return out.reverse()
  }

  /** Up to `count` lines after `block`, before line `ceiling`. */
  after(block: Block, count: number, ceiling: number): Array<ContextLine> {
    const out: Array<ContextLine> = []
    let start = block.end + 1
    for (
      let line = block.endLine + 1;
      line < ceiling && line - block.endLine <= count && start < this.bytes.length;
      line++
    ) {
      const end = lineEndOf(this.bytes, start)
      out.push(this.contextLine(line, start, end))
      start = end + 1
    }
    return out
  }

  hit(block: Block, before: ReadonlyArray<ContextLine>, after: ReadonlyArray<ContextLine>): Hit {
    const { bytes } = this
    const textEnd = textEndOf(bytes, block.start, block.end)
    const allowance = this.maxLineBytes * Math.min(block.endLine - block.line + 1, maxBlockLines)
    let from = block.start
    let to = textEnd
    const clipped = textEnd - block.start > allowance
    if (clipped) {
      const first = block.ranges[0]!
      const length = Math.min(first[1] - first[0], allowance)
      from = Math.max(block.start, Math.min(first[0] - ((allowance - length) >> 1), textEnd - allowance))
      // The window must begin no later than the match does.
      from = cutAt(bytes, Math.min(from, first[0]))
      to = cutAt(bytes, Math.min(textEnd, from + allowance))
    }
    const text = bytes.toString("utf8", from, to)
    const unitsIn = (start: number, end: number): number =>
      end <= start ? 0 : bytes.toString("utf8", start, end).length
    // Column of `from` in the line it lies in.
    const fromLine =
      block.endLine === block.line ? block.start : Math.max(block.start, lineStartOf(bytes, from))
    const textColumn = unitsIn(fromLine, from) + 1
    let at = from
    let units = 0
    let lineStart = fromLine
    let lineUnits = 1 - textColumn
    const ranges: Array<MatchRange> = []
    for (const [start, end] of block.ranges) {
      if (clipped && (start > to || (start === to && end > start))) break
      if (block.endLine !== block.line) {
        const ownLine = Math.max(block.start, lineStartOf(bytes, start))
        if (ownLine > lineStart) {
          units += unitsIn(at, ownLine)
          at = ownLine
          lineStart = ownLine
          lineUnits = units
        }
      }
      units += unitsIn(at, start)
      at = start
      const length = unitsIn(start, Math.min(end, to))
      ranges.push({
        column: units - lineUnits + 1,
        byteColumn: start - lineStart + 1,
        byteStart: start + this.shift,
        byteEnd: end + this.shift,
        start: Math.min(units, text.length),
        end: Math.min(units + length, text.length)
      })
    }
    return {
      line: block.line,
      endLine: block.endLine,
      text,
      clipped,
      textColumn,
      ranges,
      matches: block.matches,
      before,
      after
    }
  }

  hits(blocks: ReadonlyArray<Block>, before: number, after: number): ReadonlyArray<Hit> {
    let covered = 0
    return blocks.map((block, index) => {
      const leading = before > 0 ? this.before(block, before, covered) : []
      const ceiling = blocks[index + 1]?.line ?? Infinity
      const trailing = after > 0 ? this.after(block, after, ceiling) : []
      covered = block.endLine + trailing.length
      return this.hit(block, leading, trailing)
    })
  }
}

/**
 * Searches files for a pattern. Throws {@link InvalidPattern}; a search that
 * has begun always answers, with what it has when the deadline passes.
 */
export const searchText = (
  pattern: string,
  corpus: SearchCorpus,
  options: SearchOptions = {}
): SearchResult => {
  const matcher = new Matcher(pattern, options)
  return searchWith(matcher, corpus, options)
}

/** {@link searchText} with a pattern compiled before, which must not be in another search meanwhile. */
export const searchWith = (
  matcher: Matcher,
  corpus: SearchCorpus,
  options: ReportOptions = {}
): SearchResult => {
  const steps = searchInSteps(matcher, corpus, options)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
  }
}

/**
 * {@link searchWith} that pauses between two files when it has run for
 * `stepMs` (default 8), so that a server can do other work; the deadline runs
 * on meanwhile. Within one file it does not pause. A search that is given up
 * must be ended with `return()`.
 */
export function* searchInSteps(
  matcher: Matcher,
  corpus: SearchCorpus,
  options: ReportOptions & { readonly stepMs?: number } = {}
): Generator<void, SearchResult, void> {
  const stepMs = options.stepMs ?? 8
  let resumed = performance.now()
  const mode = options.mode ?? "matches"
  const limit = options.limit ?? 1000
  const perFile = options.perFile ?? Infinity
  const { except } = options
  const deadline = new Deadline(options.deadlineMs ?? 2000)
  const candidates = corpus.index?.candidates(matcher.query).among(corpus.files) ?? corpus.files
  const files: Array<FileResult> = []
  const unreadable: Array<number> = []
  let searched = 0
  let binary = 0
  let reported = 0
  let matching = 0
  let lines = 0
  let matches = 0
  let exact = true
  let truncated: "per_file" | "limit" | undefined
  let incomplete: "deadline" | undefined

  matcher.deadline = deadline
  try {
    // By index: a generator that is new pays for every step of an iterator.
    for (let place = 0; place < candidates.length; place++) {
      const fileId = candidates[place]!
      if (incomplete === undefined && deadline.passed) incomplete = "deadline"
      if (incomplete !== undefined || truncated === "limit") {
        exact = false
        continue
      }
      if (performance.now() - resumed >= stepMs) {
        yield
        resumed = performance.now()
      }
      const raw = corpus.read(fileId)
      if (raw === undefined) {
        unreadable.push(fileId)
        continue
      }
      searched++
      const decoded = searchable(raw)
      if (decoded === undefined) {
        binary++
        continue
      }
      // Beyond the limit one more match is looked for, to know whether it cut anything off.
      const room = limit - reported
      const first = mode === "files" || room <= 0
      const search = new FileSearch(decoded.bytes, options.maxRanges ?? 100, except?.(fileId))
      let whole = !first
      try {
        search.run(matcher, first, mode === "matches" ? Math.min(perFile, room) : 0, deadline)
      } catch (error) {
        if (!(error instanceof DeadlinePassed)) throw error
        incomplete = "deadline"
        exact = false
        whole = false
      }
      if (search.matches === 0) continue
      matching++
      lines += search.lines
      matches += search.matches
      if (room <= 0) {
        truncated = "limit"
        exact = false
        continue
      }
      const cut = mode === "matches" && search.blocks.length < search.lines
      const cause = !cut
        ? undefined
        : search.blocks.length >= perFile
          ? ("per_file" as const)
          : ("limit" as const)
      const hits =
        mode === "matches"
          ? new Presenter(decoded, options.maxLineBytes ?? 500).hits(
              search.blocks,
              options.before ?? 0,
              options.after ?? 0
            )
          : []
      reported += mode === "matches" ? hits.length : 1
      files.push({
        fileId,
        hits,
        lines: search.lines,
        matches: search.matches,
        exact: whole,
        ...(cause === undefined ? {} : { truncated: cause })
      })
      if (cause === "limit" || truncated === undefined) truncated = cause
    }
  } finally {
    matcher.deadline = undefined
  }
  return {
    files,
    totals: { files: matching, lines, matches, exact },
    ...(truncated === undefined ? {} : { truncated }),
    ...(incomplete === undefined ? {} : { incomplete }),
    asked: corpus.files.length,
    candidates: candidates.length,
    searched,
    binary,
    unreadable
  }
}
