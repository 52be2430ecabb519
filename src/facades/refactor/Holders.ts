/** Files that hold a name: a server of ECMAScript answers for the projects it has read, and for scripts that are open. */
import { Effect } from "effect"
import { fromService, type OperationFailure } from "../../registry/Failure.ts"
import type { GraphView, SymbolRef } from "../../services/CodeGraph.ts"
import { TextIndex } from "../../services/TextIndex.ts"
import { importersOf } from "./Judged.ts"
import { isEcmascript } from "./Names.ts"

const scripts = new Set(["javascript", "jsx"])

/** Files looked for. */
const most = 5000

/** Files that import one of these, directly or by others. */
const reaching = (view: GraphView, paths: ReadonlyArray<string>): ReadonlySet<string> => {
  const out = new Set(paths)
  let edge: ReadonlyArray<string> = paths
  while (edge.length > 0 && out.size < most) {
    edge = [...importersOf(view, edge)].filter((path) => !out.has(path))
    for (const path of edge) out.add(path)
  }
  return out
}

/**
 * Paths of files in which a symbol may be used, whichever project they are of; none for languages whose servers read
 * the whole folder. Scripts only where they import a home of the symbol, directly or by others.
 */
export const holdersOf = (
  view: GraphView,
  target: { readonly language: string; readonly name: string; readonly path: string },
  family: ReadonlyArray<SymbolRef>
): Effect.Effect<ReadonlyArray<string>, OperationFailure, TextIndex> =>
  Effect.gen(function* () {
    const { language, name, path: home } = target
    if (!isEcmascript(language)) return []
    const index = yield* TextIndex
    const found = yield* Effect.mapError(
      index.search({ pattern: name, regexp: false, word: /^\w+$/.test(name), limit: most, mode: "files" }),
      (cause) => fromService(cause)
    )
    const homes = [...new Set([home, ...family.map(view.pathOf)])]
    const near = reaching(view, homes)
    const holding = found.files
      .map(({ path }) => path)
      .filter((path) => {
        const its = view.file(path)?.language
        return its !== undefined && isEcmascript(its) && (!scripts.has(its) || near.has(path))
      })
    return [...new Set([...homes, ...holding])]
  })
