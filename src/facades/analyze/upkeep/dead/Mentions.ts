/** Where a name stands in texts beside what the graph knows of: strings, comments, templates, configuration. */
import { Effect } from "effect"
import type { GraphView, SymbolInfo } from "../../../../services/CodeGraph.ts"
import type { TextIndex } from "../../../../services/TextIndex.ts"

/** Lines elsewhere that hold the name as a word. */
export interface Mentions {
  readonly count: number
  /** There may be more. */
  readonly atLeast: boolean
  readonly places: ReadonlyArray<{ readonly file_path: string; readonly line: number }>
  /** The search itself did not come to an end, or failed. */
  readonly unknown: boolean
}

const most = 12
const known = new WeakMap<GraphView["symbol"], Map<string, Mentions>>()

/** Lines that hold the name of a definition as a word outside of its own text and of what others of its name are defined with. */
export const mentionsOf = (
  view: GraphView,
  text: TextIndex["Type"],
  symbol: SymbolInfo
): Effect.Effect<Mentions> =>
  Effect.gen(function* () {
    const kept = known.get(view.symbol) ?? new Map<string, Mentions>()
    known.set(view.symbol, kept)
    const before = kept.get(symbol.id)
    if (before !== undefined) return before
    const name = symbol.name.replace(/^#/, "")
    const found = yield* Effect.option(
      text.search({
        pattern: name,
        regexp: false,
        word: /^\w+$/.test(name),
        limit: most * 3,
        mode: "matches",
        deadline_ms: 2000
      })
    )
    const made: Mentions =
      found._tag === "None"
        ? { count: 0, atLeast: false, places: [], unknown: true }
        : (() => {
            const namesakes = new Set(
              view.named(symbol.name).map((ref) => {
                const other = view.symbol(ref)
                return `${other.path}:${other.line}`
              })
            )
            // The comment above a definition says its name.
            const above = symbol.start_line - (symbol.doc === "" ? 0 : symbol.doc.split("\n").length + 2)
            const places = found.value.matches.filter(
              ({ line, path }) =>
                !(path === symbol.path && line >= above && line <= symbol.end_line) &&
                !namesakes.has(`${path}:${line}`)
            )
            return {
              count: places.length,
              atLeast: !found.value.complete,
              places: places.slice(0, 3).map(({ line, path }) => ({ file_path: path, line })),
              unknown: !found.value.complete && places.length === 0
            }
          })()
    kept.set(symbol.id, made)
    return made
  })
