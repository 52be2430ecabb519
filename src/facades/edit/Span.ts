/** Lines of a symbol that an edit stays in. */
import { Effect } from "effect"
import type { OperationFailure } from "../../registry/Failure.ts"
import type { CodeGraph, GraphView, SymbolInfo } from "../../services/CodeGraph.ts"
import type { Guard, LineScope } from "../../services/LocalWriter.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { type Asking, graph, oneDefinition } from "../shared/symbols.ts"

export interface Span {
  readonly id: string
  readonly kind: string
  readonly path: string
  readonly lines: LineScope
  /** The file must be what the lines were taken from. */
  readonly guard: Guard
}

const comment = /^\s*(?:\/\/|\/\*|\*|#|--|;|"""|'''|@)/

/** The first line of the comments and decorators that stand right above a line. */
const withComments = (lines: ReadonlyArray<string>, first: number, floor: number): number => {
  let at = first
  while (at - 1 > floor && comment.test(lines[at - 2] ?? "")) at--
  return at
}

/** The lines of a symbol, with the comments right above it. */
export const spanOf = (
  words: string,
  asking: Asking
): Effect.Effect<Span, OperationFailure, CodeGraph | ReadFs> =>
  Effect.gen(function* () {
    const view: GraphView = yield* graph
    const symbol: SymbolInfo = view.symbol(yield* oneDefinition(view, words, asking))
    const sha = view.file(symbol.path)?.sha
    const fs = yield* ReadFs
    const text = yield* Effect.option(fs.readText(symbol.path))
    const lines = text._tag === "None" ? [] : text.value.text.split(/\r?\n/)
    const above = view
      .definitions(symbol.path)
      .map((ref) => view.symbol(ref).end_line)
      .filter((end) => end < symbol.start_line)
    return {
      id: symbol.id,
      kind: symbol.kind,
      path: symbol.path,
      lines: {
        startLine: withComments(lines, symbol.start_line, Math.max(0, ...above)),
        endLine: symbol.end_line
      },
      guard: sha === undefined || sha === "" ? {} : { baseSha: sha }
    }
  })
