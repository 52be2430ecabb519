/** A file read into tokens: its bodies, their measures, and what clones are found by. */
import type { BodyMeasure, TokenUnit } from "../../services/CodeTokens.ts"
import type { FileEntry } from "../graph/Snapshot.ts"
import { D } from "../languages/Facts.ts"
import { languages } from "../languages/index.ts"
import { kindNumber } from "../languages/Vocabulary.ts"
import { lex, type Manner, manners, T } from "./Lexer.ts"
import { measure } from "./Measure.ts"

const K = kindNumber
const bodied = new Set<number>([K.function, K.method, K.constructor, K.operator, K.test])

export const mannerOf = (file: FileEntry): Manner | undefined => manners[languages[file.language]?.id ?? ""]

/** A body in the tokens of its file. */
export interface Unit extends TokenUnit {
  /** Its tokens: first, and behind the last. */
  readonly from: number
  readonly to: number
}

export interface FileTokens {
  readonly path: string
  /** Bodies in the order of the text; the rest of the file is the last. */
  readonly units: ReadonlyArray<Unit>
  /** By token, a hash of what it is: names of variables and literals are all alike, or each for itself. */
  readonly alike: Int32Array
  readonly exact: Int32Array
  readonly lines: Int32Array
}

const anyName = 0x51ed270b
const anyNumber = 0x2545f491
const anyString = 0x7f4a7c15

/** Places of bodies among the definitions of a file. */
const spansOf = (file: FileEntry) => {
  const view = file.view!
  const out: Array<{
    readonly line: number
    readonly column: number
    readonly start: number
    readonly startColumn: number
    readonly end: number
    readonly endColumn: number
  }> = []
  for (let i = 0; i < view.definitionCount; i++) {
    if (!bodied.has(view.def(i, D.kind)) || view.def(i, D.bodyLine) === 0) continue
    out.push({
      line: view.def(i, D.nameLine),
      column: view.def(i, D.nameColumn),
      start: view.def(i, D.startLine),
      startColumn: view.def(i, D.startColumn),
      end: view.def(i, D.endLine),
      endColumn: view.def(i, D.endColumn)
    })
  }
  return out
}

/** Reads a file. `text` is what its facts were read from. */
export const fileTokens = (
  file: FileEntry,
  text: string,
  manner: Manner
): FileTokens & { readonly measures: ReadonlyArray<BodyMeasure> } => {
  const tokens = lex(text, manner)
  const { count, ends, kinds, lines, starts } = tokens
  const alike = new Int32Array(count)
  const exact = tokens.hashes.slice()
  for (let i = 0; i < count; i++) {
    const kind = kinds[i]!
    alike[i] = exact[i]!
    if (kind === T.number) alike[i] = anyNumber
    else if (kind === T.string) alike[i] = anyString
    else if (kind === T.name) {
      // What is called, and members, say what code does; other names only what it calls things.
      const called = i + 1 < count && text[starts[i + 1]!] === "("
      const member = i > 0 && /[.>]/.test(text[ends[i - 1]! - 1]!)
      if (!called && !member) alike[i] = anyName
    }
  }
  const lineStarts: Array<number> = [0, 0]
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lineStarts.push(at + 1)
  /** The first token at or behind a place. */
  const tokenAt = (line: number, column: number): number => {
    const offset = (lineStarts[line] ?? text.length) + column
    let low = 0
    let high = count
    while (low < high) {
      const middle = (low + high) >> 1
      if (starts[middle]! < offset) low = middle + 1
      else high = middle
    }
    return low
  }
  const units: Array<Unit> = []
  const measures: Array<BodyMeasure> = []
  const spans = spansOf(file)
  for (const span of spans) {
    // What a body is called itself says nothing of what it does.
    const named = tokenAt(span.line, span.column)
    if (kinds[named] === T.name) alike[named] = anyName
    const from = tokenAt(span.start, span.startColumn)
    const to = tokenAt(span.end, span.endColumn)
    const unit: Unit = {
      path: file.path,
      line: span.line,
      column: span.column,
      start_line: span.start,
      end_line: to > from ? lines[to - 1]! : span.end,
      tokens: to - from,
      from,
      to
    }
    units.push(unit)
    if (manner.bodies !== undefined) {
      const { from: _, to: __, ...plain } = unit
      measures.push({ ...plain, ...measure(text, tokens, from, to, manner) })
    }
  }
  units.push({
    path: file.path,
    line: 1,
    column: -1,
    start_line: 1,
    end_line: count === 0 ? 1 : lines[count - 1]!,
    tokens: count,
    from: 0,
    to: count
  })
  return { path: file.path, units, alike, exact, lines: lines.slice(), measures }
}
