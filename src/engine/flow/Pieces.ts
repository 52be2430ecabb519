/**
 * Long files are lowered function by function: a walk passes through few of those a file has. What is not in a function
 * is a piece of its own.
 */
import type { GraphView, SymbolRef } from "../../services/CodeGraph.ts"
import type { Stretch } from "../languages/treesitter/Grammar.ts"

/** Languages whose functions all stand at the top level and mean the same without what is around them. */
const apart: ReadonlySet<string> = new Set(["go"])
/** Bytes from which a file is not lowered whole. */
export const longFile = 1_000

const placeOf = (line: number, column: number): number => line * 65_536 + Math.min(column, 65_535)

interface Span {
  readonly ref: SymbolRef
  /** 1-based lines, 0-based columns, the end exclusive. */
  readonly startLine: number
  readonly startColumn: number
  readonly endLine: number
  readonly endColumn: number
}

/** The functions of one file, in order. */
export class Pieces {
  /** Set when a function did not mean by itself what it means among others: then the file is lowered whole. */
  broken = false

  private constructor(private readonly spans: ReadonlyArray<Span>) {}

  /** Undefined for a file that is lowered whole. */
  static of(view: GraphView, path: string, from: number): Pieces | undefined {
    const info = view.file(path)
    if (
      info?.language === undefined ||
      !apart.has(info.language) ||
      info.size < from ||
      info.parse_errors > 0
    )
      return undefined
    const file = view.fileRef(path)
    const { columns } = view
    const { kindNames, kinds, parents } = columns
    const top = file === undefined ? -1 : columns.nodeOf(file)
    const spans: Array<Span> = []
    for (const ref of view.definitions(path)) {
      const node = columns.nodeOf(ref)
      const kind = kindNames[kinds[node]!]!
      if (parents[node] !== top || (kind !== "function" && kind !== "method" && kind !== "test")) continue
      const { end_column, end_line, start_column, start_line } = view.symbol(ref)
      const last = spans[spans.length - 1]
      if (
        end_column === 0 ||
        (last !== undefined && placeOf(start_line, start_column) < placeOf(last.endLine, last.endColumn))
      )
        return undefined
      spans.push({
        ref,
        startLine: start_line,
        startColumn: start_column,
        endLine: end_line,
        endColumn: end_column
      })
    }
    return spans.length < 2 ? undefined : new Pieces(spans)
  }

  /** The function around a place; -1 for what is in none. */
  at(line: number, column: number): number {
    const place = placeOf(line, column)
    const { spans } = this
    let low = 0
    let high = spans.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (placeOf(spans[middle]!.startLine, spans[middle]!.startColumn) <= place) low = middle + 1
      else high = middle
    }
    const span = spans[low - 1]
    return span !== undefined && place < placeOf(span.endLine, span.endColumn) ? low - 1 : -1
  }

  /** The definition a piece is; undefined for what is in no function. */
  refOf(piece: number): SymbolRef | undefined {
    return this.spans[piece]?.ref
  }

  /** The text of a piece, in a text whose lines start at `lines`. */
  stretches(piece: number, lines: Int32Array, length: number): ReadonlyArray<Stretch> {
    const own = this.spans[piece]
    if (own !== undefined) return [stretch(own, lines)]
    const out: Array<Stretch> = []
    let from = { line: 1, column: 0 }
    const between = (line: number, column: number) => {
      const next = stretch(
        { startLine: from.line, startColumn: from.column, endLine: line, endColumn: column },
        lines
      )
      if (next.endIndex > next.startIndex) out.push(next)
    }
    for (const { endColumn, endLine, startColumn, startLine } of this.spans) {
      between(startLine, startColumn)
      from = { line: endLine, column: endColumn }
    }
    between(lines.length, length - lines[lines.length - 1]!)
    return out
  }
}

const stretch = (
  { endColumn, endLine, startColumn, startLine }: Omit<Span, "ref">,
  lines: Int32Array
): Stretch => ({
  startIndex: lines[startLine - 1]! + startColumn,
  endIndex: lines[endLine - 1]! + endColumn,
  startPosition: { row: startLine - 1, column: startColumn },
  endPosition: { row: endLine - 1, column: endColumn }
})
