/** A definition's lines out of the text as it is now. */
import { Effect } from "effect"
import { failure, type OperationFailure } from "../../registry/Failure.ts"
import { draft } from "../../registry/FollowUp.ts"
import type { CodeGraph, GraphView, SymbolInfo, SymbolRef } from "../../services/CodeGraph.ts"
import { type FileText, ReadFs } from "../../services/ReadFs.ts"
import { graph, oneDefinition, type Asking } from "../shared/symbols.ts"
import { apart, bodiesOf, leavesOf } from "./Folds.ts"
import { linesOf, piecesOf, type Piece, rangeOf } from "./Lines.ts"
import { textOf } from "./Text.ts"

export interface Excerpt {
  readonly view: GraphView
  readonly symbol: SymbolInfo
  readonly text: Pick<FileText, "sha" | "overlay">
  readonly redactions: number
  /** First and last line shown, context included. */
  readonly from: number
  readonly to: number
  /** Whether that last line is the file's last. */
  readonly whole: boolean
  readonly pieces: ReadonlyArray<Piece>
  /** The index describes other bytes than these; the name was found at its place all the same. */
  readonly stale: boolean
}

export interface Wanted {
  readonly context_lines: number
  readonly compress_bodies?: boolean
  readonly max_lines?: number
  readonly allow_secrets?: boolean
}

/** Text of files that several excerpts share. */
export type Texts = Map<string, FileText>

const textFor = (
  path: string,
  texts: Texts | undefined
): Effect.Effect<FileText, OperationFailure, ReadFs> => {
  const held = texts?.get(path)
  return held !== undefined
    ? Effect.succeed(held)
    : Effect.tap(textOf(path), (text) => Effect.sync(() => texts?.set(path, text)))
}

/**
 * The excerpt of what some words mean. Where the text is not what was indexed, the graph is asked once more; when it still
 * is not and the name has left its place, this fails with `stale_revision` rather than show other lines.
 */
export const excerptOf = (
  words: string,
  wanted: Wanted,
  asking: Asking,
  first?: GraphView,
  texts?: Texts
): Effect.Effect<Excerpt, OperationFailure, ReadFs | CodeGraph> =>
  Effect.gen(function* () {
    const fs = yield* ReadFs
    let view = first ?? (yield* graph)
    let symbol: SymbolInfo = view.symbol(yield* oneDefinition(view, words, asking))
    const plain = wanted.compress_bodies !== true && (wanted.max_lines ?? 0) === 0
    if (plain && texts?.has(symbol.path) !== true) {
      const from = Math.max(1, symbol.start_line - wanted.context_lines)
      const part = yield* fs.lines(symbol.path, from, symbol.end_line + wanted.context_lines)
      if (part !== undefined && part.sha === view.file(symbol.path)?.sha)
        return {
          view,
          symbol,
          text: part,
          redactions: 0,
          from,
          to: from + part.lines.length - 1,
          whole: part.whole,
          pieces: part.lines.map((line, i) => ({ start: from + i, end: from + i, text: line })),
          stale: false
        }
    }
    let text = yield* textFor(symbol.path, texts)
    const agrees = () => view.file(symbol.path)?.sha === text.sha
    if (!agrees()) {
      view = yield* graph
      symbol = view.symbol(yield* oneDefinition(view, words, asking))
      text = yield* textOf(symbol.path)
      texts?.set(symbol.path, text)
    }
    const stale = !agrees()
    const shown =
      wanted.allow_secrets === true ? { text: text.text, redactions: 0 } : fs.redact(symbol.path, text.text)
    const from = Math.max(1, symbol.start_line - wanted.context_lines)
    const last = symbol.end_line + wanted.context_lines
    const excerpt = { view, symbol, text, redactions: shown.redactions, from, stale }
    if (!stale && plain) {
      const { lines, whole } = rangeOf(shown.text, from, last)
      const pieces = lines.map((line, i) => ({ start: from + i, end: from + i, text: line }))
      return { ...excerpt, to: from + lines.length - 1, whole, pieces }
    }
    const lines = linesOf(shown.text)
    if (stale && !(lines[symbol.line - 1] ?? "").startsWith(symbol.name, symbol.column)) {
      return yield* failure(
        "stale_revision",
        `${symbol.path} is not what was indexed, and ${symbol.name} is no longer on line ${symbol.line}`,
        {
          field: asking.field ?? "target.symbol",
          failure_stage: "resolve",
          reason_code: "index_stale",
          data: { id: symbol.id, file: symbol.path, line: symbol.line },
          recovery: draft("fallback_recovery", "read", { operation: "file", target: { file: symbol.path } })
        }
      )
    }
    const to = Math.min(lines.length, last)
    // Spans are only good over the bytes they were taken from.
    const bodies =
      wanted.compress_bodies === true && !stale ? bodiesOf(view, symbol.path, lines, [], symbol).folds : []
    const leaves = stale
      ? []
      : leavesOf(view, symbol.path, lines, { from, to }, wanted.max_lines ?? 0, bodies)
    return {
      ...excerpt,
      to,
      whole: to === lines.length,
      pieces: piecesOf(lines, from, to, apart([...bodies, ...leaves]), symbol.language)
    }
  })

/** What is shown of a definition beside its text. */
export const headOf = ({ from, redactions, stale, symbol, text }: Excerpt) => ({
  id: symbol.id,
  kind: symbol.kind,
  name: symbol.name,
  file_path: symbol.path,
  start_line: symbol.start_line,
  end_line: symbol.end_line,
  ...(from === symbol.start_line ? {} : { from_line: from }),
  ...(symbol.signature === "" ? {} : { signature: symbol.signature }),
  sha: text.sha,
  ...(text.overlay === true ? { served_from: "overlay" } : {}),
  ...(stale ? { stale: "index_stale" } : {}),
  ...(redactions > 0 ? { secrets_redacted: redactions } : {})
})

/** Uses of a definition's name as a call, nearest first, by their containers. */
export const callersOf = (view: GraphView, ref: SymbolRef): ReadonlyArray<SymbolRef> => [
  ...new Set(
    view
      .incoming(ref)
      .filter(({ role }) => role === "call" || role === "new")
      .map(({ from }) => from)
  )
]

/** What a definition calls. */
export const calleesOf = (view: GraphView, ref: SymbolRef): ReadonlyArray<SymbolRef> => [
  ...new Set(
    view
      .outgoing(ref)
      .filter(({ role }) => role === "call" || role === "new")
      .map(({ to }) => to)
  )
]
