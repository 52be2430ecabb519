/** What a caller's words mean: a definition, or the place of a name that the graph keeps no definition of. */
import { Effect } from "effect"
import { fromService, invalidArgument, type OperationFailure } from "../../registry/Failure.ts"
import type { GraphView, SymbolInfo, SymbolRef } from "../../services/CodeGraph.ts"
import { LanguageReader } from "../../services/LanguageReader.ts"
import { OverlayView } from "../../services/OverlayView.ts"
import type { ReadFs } from "../../services/ReadFs.ts"
import { candidateOf, oneDefinition } from "../shared/symbols.ts"
import type { Drafts } from "./Drafts.ts"
import { wordCharacter } from "./Names.ts"

/** The graph of the work tree as it is on disk, whatever the session has overlaid. */
export const onDisk: Effect.Effect<GraphView, OperationFailure, OverlayView> = Effect.flatMap(
  OverlayView,
  (overlays) => Effect.mapError(overlays.over([]), (cause) => fromService(cause))
)

/** A name at a place. `column` is 0-based. `symbol` is undefined for what the graph has no definition of. */
export interface Target {
  readonly name: string
  readonly path: string
  readonly line: number
  readonly column: number
  readonly language: string
  readonly symbol: SymbolInfo | undefined
}

const placed = /^(.+?):(\d+):(\d+)$/

const definitionAt = (
  view: GraphView,
  path: string,
  line: number,
  column: number
): SymbolInfo | undefined => {
  for (const ref of view.definitions(path)) {
    const symbol = view.symbol(ref)
    if (symbol.line === line && symbol.column === column) return symbol
  }
  return undefined
}

const ofSymbol = (symbol: SymbolInfo): Target => ({
  name: symbol.name,
  path: symbol.path,
  line: symbol.line,
  column: symbol.column,
  language: symbol.language,
  symbol
})

/** Definitions that a use at a place leads to. */
const usedAt = (
  view: GraphView,
  path: string,
  line: number,
  column: number | undefined,
  name?: string
): ReadonlyArray<SymbolRef> => {
  const file = view.fileRef(path)
  if (file === undefined) return []
  const out = new Set<SymbolRef>()
  for (const edge of view.outgoing(file))
    if (
      edge.path === path &&
      edge.line === line &&
      (column === undefined ? edge.role === "import" || edge.role === "export" : edge.column === column) &&
      !view.isFile(edge.to) &&
      (name === undefined || view.nameOf(edge.to) === name)
    )
      out.add(edge.to)
  return [...out]
}

/**
 * What the words name: as everywhere an id, a name or `path:line`, and `path:line:column` (both 1-based) for a name at a
 * place. A place that imports or uses something leads to its declaration.
 */
export const targetOf = (
  view: GraphView,
  drafts: Drafts,
  words: string,
  operation: string
): Effect.Effect<Target, OperationFailure, ReadFs | OverlayView | LanguageReader> =>
  Effect.gen(function* () {
    const field = "target.symbol"
    const at = placed.exec(words)
    const path = at?.[1]
    if (at === null || path === undefined || view.fileRef(path) === undefined) {
      const lined = /^(.+):(\d+)$/.exec(words)
      if (lined !== null && view.fileRef(lined[1]!) !== undefined) {
        const own = view.definitions(lined[1]!).filter((ref) => view.symbol(ref).line === Number(lined[2]))
        if (own.length === 0) {
          const imported = usedAt(view, lined[1]!, Number(lined[2]), undefined)
          const [only] = imported
          if (only !== undefined && imported.length === 1) return ofSymbol(view.symbol(only))
          if (imported.length > 1)
            return yield* invalidArgument(field, `line ${lined[2]} imports ${imported.length} definitions`, {
              reason_code: "ambiguous_symbol",
              data: { candidates: imported.slice(0, 20).map((ref) => candidateOf(view.symbol(ref))) }
            })
        }
      }
      const ref = yield* oneDefinition(view, words, { facade: "refactor", operation })
      return ofSymbol(view.symbol(ref))
    }
    const line = Number(at[2])
    const file = yield* drafts.open(path)
    const offset = file.source.offset(line, Number(at[3]) - 1)
    if (offset === undefined)
      return yield* invalidArgument(field, `${path} has no line ${line} with a column ${at[3]}`, {
        reason_code: "no_such_place"
      })
    const { text } = file.source
    let from = offset
    while (from > file.source.start(line) && wordCharacter.test(text[from - 1]!)) from--
    let to = offset
    while (to < text.length && wordCharacter.test(text[to]!)) to++
    if (text[from - 1] === "#") from--
    const name = text.slice(from, to)
    if (name === "")
      return yield* invalidArgument(field, `there is no name at ${words}`, { reason_code: "no_such_place" })
    const { column } = file.source.place(from)
    const own = definitionAt(view, path, line, column)
    if (own !== undefined) return ofSymbol(own)
    const language = view.file(path)?.language ?? ""
    const here: Target = { name, path, line, column, language, symbol: undefined }
    const used = usedAt(view, path, line, column, name)
    if (used.length === 1) return ofSymbol(view.symbol(used[0]!))
    // The server knows what the graph has no definition of: parameters, properties of literals.
    const reader = yield* LanguageReader
    const declared = yield* Effect.option(reader.definitions({ path, line, column }))
    const stated = declared._tag === "None" ? [] : declared.value.value
    // Behind the property of a shorthand servers show the variable: only what counts the place in is its declaration.
    const [shown] = stated
    const uses =
      shown === undefined
        ? []
        : yield* Effect.match(
            reader.references({ path: shown.path, line: shown.startLine, column: shown.startColumn }),
            { onFailure: () => [], onSuccess: ({ value }) => value }
          )
    const places = uses.some(
      (use) => use.path === path && use.startLine === line && use.startColumn === column
    )
      ? stated
      : []
    const symbols = places.map((span) => definitionAt(view, span.path, span.startLine, span.startColumn))
    const [first] = symbols
    // Several places that are one symbol are its overloads; others, as at a shorthand, are not one.
    if (
      first?.name === name &&
      symbols.every((one) => one?.qualified === first.qualified && one.path === first.path)
    )
      return ofSymbol(first)
    const [only] = places
    if (only !== undefined && places.length === 1 && view.fileRef(only.path) !== undefined) {
      const other = yield* drafts.open(only.path)
      const start = other.source.offset(only.startLine, only.startColumn)
      // A shorthand is a property and a variable at once; the use says which is meant.
      const short =
        start !== undefined &&
        /[{,]\s*$/.test(other.source.text.slice(Math.max(0, start - 200), start)) &&
        /^\s*[,}]/.test(other.source.text.slice(start + name.length))
      if (start !== undefined && !short && other.source.text.startsWith(name, start))
        return { ...here, path: only.path, line: only.startLine, column: only.startColumn }
    }
    return here
  })
