/**
 * Finds exact text in a file's bytes and says which matches an edit means. Text is compared code point by code point;
 * the one tolerance is the line ending: LF and CRLF in the edit text both stand for the ending of the file.
 */
import type { LineScope, MatchRange, TextEdit } from "../../services/LocalWriter.ts"
import { isUtf8 } from "node:buffer"
import { adopt, endingOf, endingOfBytes, type LineEnding } from "./LineEndings.ts"
import { nearest } from "./Nearest.ts"
import { refuse, type EditRefused, type Place } from "../../services/EditRefused.ts"

/** Bytes `start` (inclusive) to `end` (exclusive) of the original become `bytes`. */
export interface Replacement {
  readonly start: number
  readonly end: number
  readonly bytes: Uint8Array
}

/** What an edit comes to on one snapshot. */
export interface Matched {
  readonly replacements: ReadonlyArray<Replacement>
  /** At most 8. */
  readonly ranges: ReadonlyArray<MatchRange>
  readonly rangesTruncated: boolean
  /** Matches replaced. */
  readonly matchCount: number
  /** The edit text was given in another line ending than it is matched and written in. */
  readonly eolNormalized: boolean
}

export const maxExpectedMatches = 1024
export const maxRanges = 8

const isWellFormed = (text: string): boolean =>
  !/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text)

const integerIn = (value: number, min: number, max: number): boolean =>
  Number.isSafeInteger(value) && value >= min && value <= max

/** What is wrong with an edit as such, before any file is looked at. */
export const checkEdit = (edit: TextEdit, place: Place = {}): EditRefused | null => {
  const at = { ...place, stage: "admission" as const }
  if (edit.match === "") return refuse("empty_match", "the text to replace is empty", at)
  for (const field of ["match", "replacement"] as const) {
    if (!isWellFormed(edit[field]))
      return refuse("invalid_text", `${field} holds half of a surrogate pair`, { ...at, data: { field } })
    const ending = endingOf(edit[field])
    if (ending === "mixed")
      return refuse("mixed_line_endings", `${field} mixes LF and CRLF line endings`, {
        ...at,
        data: { where: field }
      })
    if (ending === "cr")
      return refuse("bare_carriage_return", `${field} holds a carriage return that ends no CRLF`, {
        ...at,
        data: { where: field }
      })
  }
  const { occurrence, lineScope, expectedMatchCount, replaceAll } = edit
  if (
    [occurrence !== undefined, expectedMatchCount !== undefined, replaceAll === true].filter(Boolean).length >
    1
  )
    return refuse(
      "occurrence_with_expected_match_count",
      "occurrence, expected_match_count and replace_all exclude each other",
      at
    )
  if (occurrence !== undefined && !integerIn(occurrence, 1, Number.MAX_SAFE_INTEGER))
    return refuse("invalid_occurrence", "occurrence counts from 1", { ...at, data: { occurrence } })
  if (expectedMatchCount !== undefined && !integerIn(expectedMatchCount, 1, maxExpectedMatches))
    return refuse("invalid_expected_match_count", `expected_match_count is 1 to ${maxExpectedMatches}`, {
      ...at,
      data: { expected_match_count: expectedMatchCount }
    })
  if (
    lineScope !== undefined &&
    !(
      integerIn(lineScope.startLine, 1, Number.MAX_SAFE_INTEGER) &&
      integerIn(lineScope.endLine, lineScope.startLine, Number.MAX_SAFE_INTEGER)
    )
  )
    return refuse("invalid_line_scope", "line_scope needs 1-based lines, the first not after the last", {
      ...at,
      data: { start_line: lineScope.startLine, end_line: lineScope.endLine }
    })
  return null
}

/** A file's bytes, looked at once for all edits of it. */
export class Subject {
  readonly bytes: Buffer
  readonly ending: LineEnding
  readonly utf8: boolean
  private starts: Uint32Array | undefined
  /** The place asked for last, and its line. */
  private seen = { at: 0, line: 1 }

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    this.ending = endingOfBytes(bytes)
    this.utf8 = isUtf8(this.bytes)
  }

  private get lineStarts(): Uint32Array {
    if (this.starts === undefined) {
      const starts = [0]
      for (let lf = this.bytes.indexOf(10); lf >= 0; lf = this.bytes.indexOf(10, lf + 1)) starts.push(lf + 1)
      this.starts = Uint32Array.from(starts)
    }
    return this.starts
  }

  /** 1-based line that holds the byte at an offset; a line feed belongs to the line it ends. */
  lineOf(offset: number): number {
    let { at, line } = this.seen
    for (; at < offset; at++) if (this.bytes[at] === 10) line++
    for (; at > offset; at--) if (this.bytes[at - 1] === 10) line--
    this.seen = { at, line }
    return line
  }

  /** The byte range of lines, clipped to the file. */
  span(scope: LineScope): { readonly start: number; readonly end: number } {
    const starts = this.lineStarts
    return {
      start: scope.startLine > starts.length ? this.bytes.length : starts[scope.startLine - 1]!,
      end: scope.endLine >= starts.length ? this.bytes.length : starts[scope.endLine]!
    }
  }
}

interface Found {
  readonly offset: number
  readonly occurrence: number | null
}

interface Survey {
  /** Matches without overlaps over the whole file. */
  readonly total: number
  /** Of those, the ones inside the scope. */
  readonly inside: number
  /** The first of them, up to a limit, in order. */
  readonly numbered: ReadonlyArray<Found>
  /** Matches inside the scope with overlaps counted; only the first `maxRanges + 1` are kept. */
  readonly anywhere: ReadonlyArray<Found>
  readonly overlapping: number
  /** Offset of the asked-for occurrence, -1 if there are fewer. */
  readonly asked: number
}

/** Length of the longest proper prefix of the text that ends at each byte, as Knuth, Morris and Pratt use it. */
const bordersOf = (needle: Buffer): Uint32Array => {
  const borders = new Uint32Array(needle.length)
  for (let i = 1, k = 0; i < needle.length; i++) {
    while (k > 0 && needle[i] !== needle[k]) k = borders[k - 1]!
    if (needle[i] === needle[k]) k++
    borders[i] = k
  }
  return borders
}

/**
 * All offsets at which the needle occurs, overlapping ones too, in time linear in both. UTF-8 begins no code point
 * inside another, so an offset of bytes is an offset of code points.
 */
function* places(bytes: Buffer, needle: Buffer): Generator<number> {
  const m = needle.length
  const borders = bordersOf(needle)
  const period = m - borders[m - 1]!
  if (period * 2 >= m) {
    // Two matches are at least a period apart, so the comparisons add up to a few passes over the bytes.
    for (let at = bytes.indexOf(needle); at >= 0; at = bytes.indexOf(needle, at + period)) yield at
    return
  }
  for (let i = 0, k = 0; i < bytes.length; i++) {
    const byte = bytes[i]
    while (k > 0 && byte !== needle[k]) k = borders[k - 1]!
    if (byte === needle[k]) k++
    if (k === m) {
      yield i - m + 1
      k = borders[k - 1]!
    }
  }
}

/** Looks at all places where the needle occurs. */
const survey = (
  bytes: Buffer,
  needle: Buffer,
  scope: { readonly start: number; readonly end: number },
  occurrence: number | undefined,
  keep: number
): Survey => {
  const numbered: Array<Found> = []
  const anywhere: Array<Found> = []
  let total = 0
  let inside = 0
  let overlapping = 0
  let asked = -1
  let free = 0
  for (const at of places(bytes, needle)) {
    const isNumbered = at >= free
    if (isNumbered) {
      free = at + needle.length
      total++
      if (total === occurrence) asked = at
    }
    if (at < scope.start || at + needle.length > scope.end) continue
    overlapping++
    if (anywhere.length <= maxRanges) anywhere.push({ offset: at, occurrence: isNumbered ? total : null })
    if (!isNumbered) continue
    inside++
    if (numbered.length < keep) numbered.push({ offset: at, occurrence: total })
  }
  return { total, inside, numbered, anywhere, overlapping, asked }
}

const wire = (ranges: ReadonlyArray<MatchRange>) =>
  ranges.map(({ occurrence, startLine, endLine }) => ({
    ...(occurrence === null ? {} : { occurrence }),
    start_line: startLine,
    end_line: endLine
  }))

/** Evidence for a retry. The caller's request with one of the listed occurrences added is exact; choosing is the caller's. */
const conflict = (
  kind: string,
  matchCount: number,
  candidates: ReadonlyArray<MatchRange>,
  truncated: boolean,
  more: { readonly [key: string]: unknown } = {}
) => {
  const selectable = candidates.some(({ occurrence }) => occurrence !== null)
  return {
    error_kind: "edit_conflict",
    conflict_recovery: {
      schema_version: 1,
      conflict_kind: kind,
      match_count: matchCount,
      occurrence_selector_supported: selectable,
      direct_retry_safe: selectable,
      reread_required: !selectable,
      candidate_ranges: wire(candidates),
      candidates_truncated: truncated,
      recovery_action: selectable ? "select_occurrence_or_refine_match" : "reread_and_refine_match"
    },
    ...more
  }
}

/**
 * What an edit comes to on the subject, or why it is refused. The edit has passed {@link checkEdit}.
 */
export const matchEdit = (subject: Subject, edit: TextEdit): Matched | EditRefused => {
  if (!subject.utf8)
    return refuse("invalid_utf8", "the file is not valid UTF-8, so exact text cannot be told apart in it")
  if (subject.ending === "mixed")
    return refuse("mixed_line_endings", "the file mixes LF and CRLF line endings", {
      data: { where: "file" }
    })
  if (subject.ending === "cr")
    return refuse("bare_carriage_return", "the file holds a carriage return that ends no CRLF", {
      data: { where: "file" }
    })
  const { bytes } = subject
  const wanted = adopt(edit.match, subject.ending)
  const replacement = adopt(edit.replacement, subject.ending)
  const needle = Buffer.from(wanted)
  const scope = edit.lineScope === undefined ? { start: 0, end: bytes.length } : subject.span(edit.lineScope)
  const bulk = edit.expectedMatchCount !== undefined || edit.replaceAll === true
  const found = survey(bytes, needle, scope, edit.occurrence, bulk ? maxExpectedMatches : maxRanges)
  const rangeOf = ({ offset, occurrence }: Found): MatchRange => ({
    occurrence,
    startLine: subject.lineOf(offset),
    endLine: subject.lineOf(offset + needle.length - 1)
  })
  const rangesOf = (all: ReadonlyArray<Found>) => all.slice(0, maxRanges).map(rangeOf)
  const taken = (all: ReadonlyArray<Found>): Matched => {
    const written = Buffer.from(replacement)
    return {
      replacements: all.map(({ offset }) => ({ start: offset, end: offset + needle.length, bytes: written })),
      ranges: rangesOf(all),
      rangesTruncated: all.length > maxRanges,
      matchCount: all.length,
      eolNormalized: wanted !== edit.match || replacement !== edit.replacement
    }
  }
  const scoped = edit.lineScope === undefined ? "" : " inside the line scope"
  const missing = () => {
    const candidates = nearest(bytes, wanted, scope)
    return refuse("match_not_found", `the text does not occur${scoped || " in the file"}`, {
      data: {
        ...conflict(
          "match_not_found",
          0,
          [],
          false,
          edit.lineScope === undefined ? {} : { match_count_in_file: found.total }
        ),
        nearest: candidates
      }
    })
  }

  if (edit.occurrence !== undefined) {
    if (found.total === 0) return missing()
    if (found.asked < 0)
      return refuse(
        "occurrence_out_of_range",
        `occurrence ${edit.occurrence} was asked for, the file has ${found.total}`,
        {
          data: conflict(
            "occurrence_out_of_range",
            found.total,
            rangesOf(found.numbered),
            found.inside > maxRanges
          )
        }
      )
    const chosen = { offset: found.asked, occurrence: edit.occurrence }
    if (found.asked < scope.start || found.asked + needle.length > scope.end) {
      const { startLine, endLine } = rangeOf(chosen)
      return refuse(
        "occurrence_outside_line_scope",
        `occurrence ${edit.occurrence} lies outside the line scope`,
        {
          data: conflict(
            "occurrence_outside_line_scope",
            found.inside,
            rangesOf(found.numbered),
            found.inside > maxRanges,
            { occurrence: edit.occurrence, start_line: startLine, end_line: endLine }
          )
        }
      )
    }
    return taken([chosen])
  }

  if (edit.expectedMatchCount !== undefined) {
    if (found.inside !== edit.expectedMatchCount) {
      return refuse(
        "match_count_mismatch",
        `${edit.expectedMatchCount} matches were expected, there ${found.inside === 1 ? "is" : "are"} ${found.inside}${scoped}`,
        {
          data: {
            ...conflict(
              "match_count_mismatch",
              found.inside,
              rangesOf(found.numbered),
              found.inside > maxRanges
            ),
            match_count: found.inside,
            expected_match_count: edit.expectedMatchCount,
            ...(found.inside === 0 ? { nearest: nearest(bytes, wanted, scope) } : {})
          }
        }
      )
    }
    return taken(found.numbered)
  }

  if (edit.replaceAll === true) {
    if (found.inside === 0) return missing()
    if (found.inside > maxExpectedMatches)
      return refuse(
        "match_count_mismatch",
        `${found.inside} matches${scoped}, more than ${maxExpectedMatches} are not replaced at once`,
        { data: { match_count: found.inside, limit: maxExpectedMatches } }
      )
    return taken(found.numbered)
  }

  if (found.overlapping === 0) return missing()
  if (found.overlapping === 1) return taken(found.anywhere)
  return refuse(
    "multiple_matches",
    found.inside === found.overlapping
      ? `the text occurs ${found.inside} times${scoped}`
      : `the text occurs ${found.overlapping} times${scoped}, overlapping itself`,
    {
      data: {
        ...conflict("multiple_matches", found.inside, rangesOf(found.numbered), found.inside > maxRanges),
        ...(found.inside === found.overlapping ? {} : { overlapping_match_count: found.overlapping })
      }
    }
  )
}

/** The original with the replacements made. They must not overlap; any order. */
export const applyReplacements = (bytes: Uint8Array, replacements: ReadonlyArray<Replacement>): Buffer => {
  const parts: Array<Uint8Array> = []
  let at = 0
  for (const { start, end, bytes: text } of replacements.toSorted((a, b) => a.start - b.start)) {
    if (start < at) throw new RangeError("replacements overlap")
    parts.push(bytes.subarray(at, start), text)
    at = end
  }
  parts.push(bytes.subarray(at))
  return Buffer.concat(parts)
}
