/** A text as lines, with parts folded away, cut to a budget at the end of a line. */
import { byteLength } from "../../registry/Json.ts"

/** Lines with their ends; their concatenation is the text. */
export const linesOf = (text: string): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf("\n", at)
    const next = end < 0 ? text.length : end + 1
    lines.push(text.slice(at, next))
    at = next
  }
  return lines
}

/** Some lines of a text, as {@link linesOf} has them. */
export interface LineRange {
  /** Number of the first, 1-based. */
  readonly from: number
  readonly lines: ReadonlyArray<string>
  /** Whether the last of them is the text's last. */
  readonly whole: boolean
}

/** The lines `from` to `to`, or as many as there are, without making any other. */
export const rangeOf = (text: string, from: number, to: number): LineRange => {
  let at = 0
  for (let line = 1; line < from && at < text.length; line++) {
    const end = text.indexOf("\n", at)
    at = end < 0 ? text.length : end + 1
  }
  const lines: Array<string> = []
  for (let line = from; line <= to && at < text.length; line++) {
    const end = text.indexOf("\n", at)
    const next = end < 0 ? text.length : end + 1
    lines.push(text.slice(at, next))
    at = next
  }
  return { from, lines, whole: at >= text.length }
}

/** Lines 1-based and inclusive that a stub stands for. */
export interface Fold {
  readonly start: number
  readonly end: number
  readonly what: "body" | "statements"
}

/** Consecutive lines of an answer: one line as it is, or a stub. */
export interface Piece {
  readonly start: number
  readonly end: number
  readonly text: string
  readonly fold?: Fold["what"]
}

const hashed = new Set([
  "python",
  "ruby",
  "bash",
  "yaml",
  "toml",
  "dockerfile",
  "terraform",
  "graphql",
  "elixir",
  "perl",
  "r",
  "ini"
])
const dashed = new Set(["lua", "sql", "haskell"])

/** What opens a comment to the end of the line. */
export const commentOf = (language: string): string =>
  hashed.has(language) ? "#" : dashed.has(language) ? "--" : "//"

const indentOf = (line: string): string => /^[ \t]*/.exec(line)![0]

const stub = (
  fold: Fold,
  start: number,
  end: number,
  lines: ReadonlyArray<string>,
  comment: string
): string => {
  const first = lines.slice(start - 1, end).find((line) => line.trim() !== "") ?? ""
  const eol = /\r?\n$/.exec(lines[end - 1] ?? "")?.[0] ?? ""
  const count = end - start + 1
  return `${indentOf(first)}${comment} … ${count} ${count === 1 ? "line" : "lines"}${fold.what === "statements" ? " folded" : ""} (${start}-${end})${eol}`
}

/** The lines `from` to `to` as pieces. Folds are sorted and apart from each other; one that lies across an end is cut. */
export const piecesOf = (
  lines: ReadonlyArray<string>,
  from: number,
  to: number,
  folds: ReadonlyArray<Fold>,
  language: string
): ReadonlyArray<Piece> => {
  const comment = commentOf(language)
  const pieces: Array<Piece> = []
  let next = 0
  for (let line = from; line <= to; line++) {
    while (next < folds.length && folds[next]!.end < line) next++
    const fold = folds[next]
    if (fold !== undefined && fold.start <= line) {
      const end = Math.min(fold.end, to)
      pieces.push({ start: line, end, text: stub(fold, line, end, lines, comment), fold: fold.what })
      line = end
    } else pieces.push({ start: line, end: line, text: lines[line - 1]! })
  }
  return pieces
}

/** What fits. `next` is the first line that is not there, `clipped` says that the line before it is there in part only. */
export interface Fitted {
  readonly content: string
  /** Last line covered; the line before the first when none is. */
  readonly end: number
  readonly pieces: number
  readonly cut?: {
    readonly cause: "max_bytes" | "max_chars"
    readonly next: number
    /** The first line alone is too long; following from it needs at least so many bytes. */
    readonly clipped?: { readonly returned: number; readonly of: number; readonly json: number }
  }
}

const jsonBytes = (text: string): number => byteLength(text) - 2

/** The longest prefix of a text within both bounds, never between the halves of a surrogate pair. */
const clip = (text: string, json: number, raw: number): string => {
  let low = 0
  let high = text.length
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    const part = text.slice(0, middle)
    if (jsonBytes(part) <= json && Buffer.byteLength(part) <= raw) low = middle
    else high = middle - 1
  }
  const code = text.charCodeAt(low - 1)
  return text.slice(0, low > 0 && low < text.length && code >= 0xd800 && code <= 0xdbff ? low - 1 : low)
}

/** Takes pieces until one does not fit. `json` bounds the bytes as JSON text, `raw` the bytes as they are. */
export const fit = (
  pieces: ReadonlyArray<Piece>,
  bounds: { readonly json: number; readonly raw: number }
): Fitted => {
  let length = 0
  for (const { text } of pieces) length += text.length
  // Mostly all of it fits, and that is told by one look at the whole: a character is at least one byte.
  if (length <= Math.min(bounds.json, bounds.raw)) {
    const content = pieces.map(({ text }) => text).join("")
    if (jsonBytes(content) <= bounds.json && Buffer.byteLength(content) <= bounds.raw)
      return { content, end: pieces[pieces.length - 1]?.end ?? 0, pieces: pieces.length }
  }
  let json = 0
  let raw = 0
  let count = 0
  let cause: "max_bytes" | "max_chars" | undefined
  for (const piece of pieces) {
    json += jsonBytes(piece.text)
    raw += Buffer.byteLength(piece.text)
    if (json > bounds.json) cause = "max_bytes"
    else if (raw > bounds.raw) cause = "max_chars"
    if (cause !== undefined) break
    count++
  }
  const taken = pieces.slice(0, count)
  const content = taken.map((piece) => piece.text).join("")
  if (cause === undefined) return { content, end: taken[count - 1]?.end ?? 0, pieces: count }
  const next = pieces[count]!
  if (count > 0) return { content, end: next.start - 1, pieces: count, cut: { cause, next: next.start } }
  const part = clip(next.text, bounds.json, bounds.raw)
  return {
    content: part,
    end: next.start - 1,
    pieces: 0,
    cut: {
      cause,
      next: next.start,
      clipped: {
        returned: Buffer.byteLength(part),
        of: Buffer.byteLength(next.text),
        json: jsonBytes(next.text)
      }
    }
  }
}
