/** The text of a definition with what belongs to it: documentation, decorators, its line. */
import type { GraphView, SymbolInfo } from "../../services/CodeGraph.ts"
import { partsOf, whereIs } from "./Lexical.ts"
import type { SourceText } from "./SourceText.ts"

export interface Excision {
  readonly from: number
  readonly to: number
  /** The definition with its documentation, without blank lines around. */
  readonly text: string
  readonly startLine: number
  readonly endLine: number
}

/** First line of the comments and decorators right above a line. */
const above = (source: SourceText, language: string, line: number): number => {
  const parts = partsOf(source.text, language)
  let at = line
  while (at > 1) {
    const text = source.line(at - 1)
    if (text.trim() === "") break
    const last = source.start(at - 1) + text.trimEnd().length - 1
    if (/^\s*(?:@|#\[)/.test(text)) {
      at--
      continue
    }
    if (
      whereIs(parts, last) !== "comment" ||
      whereIs(parts, source.start(at - 1) + text.search(/\S/)) !== "comment"
    )
      break
    const part = parts?.find(({ from, to }) => from <= last && last < to)
    if (part === undefined) break
    const first = source.place(part.from).line
    // What shares its line with code, or heads the file by `#!`, belongs to something else.
    if (source.text.slice(source.start(first), part.from).trim() !== "") break
    if (source.text.startsWith("#!", part.from) && first === 1) break
    at = first
  }
  return at
}

/** Why a definition cannot be taken out of its text, or how it is. */
export const excisionOf = (
  view: GraphView,
  source: SourceText,
  symbol: SymbolInfo
): Excision | { readonly problem: string } => {
  const start = source.offset(symbol.start_line, symbol.start_column)
  const end = source.offset(symbol.end_line, symbol.end_column)
  if (start === undefined || end === undefined) return { problem: "the file is not what the graph has seen" }
  const before = source.text.slice(source.start(symbol.start_line), start)
  const behind = source.text.slice(end, source.end(symbol.end_line))
  const parts = partsOf(source.text, symbol.language)
  const rest = [...behind]
    .filter((_, i) => whereIs(parts, end + i) === "code")
    .join("")
    .trim()
  if (before.trim() !== "" || !/^[;,]?$/.test(rest))
    return { problem: `it shares its lines with other code in ${symbol.path}:${symbol.start_line}` }
  for (const ref of view.definitions(symbol.path)) {
    if (ref === symbol.ref) continue
    const other = view.symbol(ref)
    let up = view.parent(ref)
    while (up !== undefined && up !== symbol.ref) up = view.parent(up)
    if (up === symbol.ref) continue
    const encloses = other.start_line < symbol.start_line && other.end_line > symbol.end_line
    if (!encloses && other.start_line <= symbol.end_line && other.end_line >= symbol.start_line) {
      let mine = view.parent(symbol.ref)
      while (mine !== undefined && mine !== ref) mine = view.parent(mine)
      if (mine !== ref) return { problem: `it shares its lines with ${other.id}` }
    }
  }
  const first = above(source, symbol.language, symbol.start_line)
  let from = source.start(first)
  let to = source.start(symbol.end_line + 1)
  const text = source.text.slice(from, source.end(symbol.end_line))
  // Of the blank lines on both sides one set stays.
  const blankAbove = first === 1 || source.line(first - 1).trim() === ""
  let last = symbol.end_line
  while (
    blankAbove &&
    last + 1 <= source.lineCount &&
    source.line(last + 1).trim() === "" &&
    source.start(last + 2) <= source.text.length &&
    last + 1 < source.lineCount
  ) {
    last++
    to = source.start(last + 1)
  }
  if (to >= source.text.length)
    for (let line = first; line > 1 && source.line(line - 1).trim() === ""; line--)
      from = source.start(line - 1)
  return { from, to, text, startLine: first, endLine: symbol.end_line }
}
