/** JavaScript that no project file names: a server knows of it what is open, so what uses a definition has to be. */
import { Effect } from "effect"
import { fromService, type OperationFailure } from "../../registry/Failure.ts"
import type { GraphView, SymbolRef } from "../../services/CodeGraph.ts"
import type { OverlayFile } from "../../services/OverlayView.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { TextIndex } from "../../services/TextIndex.ts"
import { importersOf } from "./Judged.ts"

const scripts = new Set(["javascript", "jsx"])

/** Files that are opened at most. */
const most = 200

/** Files that import one of these, directly or by others. */
const reaching = (view: GraphView, paths: ReadonlyArray<string>): ReadonlySet<string> => {
  const out = new Set(paths)
  let edge: ReadonlyArray<string> = paths
  while (edge.length > 0 && out.size < 5000) {
    edge = [...importersOf(view, edge)].filter((path) => !out.has(path))
    for (const path of edge) out.add(path)
  }
  return out
}

/** Texts, as they are on disk, of the scripts that name a definition and may reach it; none for other languages. */
export const scriptsOf = (
  view: GraphView,
  language: string,
  name: string,
  family: ReadonlyArray<SymbolRef>
): Effect.Effect<ReadonlyArray<OverlayFile>, OperationFailure, ReadFs | TextIndex> =>
  Effect.gen(function* () {
    if (!scripts.has(language) || family.length === 0) return []
    const index = yield* TextIndex
    const fs = yield* ReadFs
    const homes = [...new Set(family.map(view.pathOf))]
    const found = yield* Effect.mapError(
      index.search({ pattern: name, regexp: false, word: /^\w+$/.test(name), limit: 5000, mode: "files" }),
      (cause) => fromService(cause)
    )
    const near = reaching(view, homes)
    const paths = found.files
      .map(({ path }) => path)
      .filter((path) => near.has(path) && scripts.has(view.file(path)?.language ?? ""))
    const out: Array<OverlayFile> = []
    for (const path of new Set([...homes, ...paths].slice(0, most))) {
      const file = yield* Effect.option(fs.readText(path))
      if (file._tag === "Some" && file.value.encoding === "utf8")
        out.push({ path, deleted: false, content: file.value.text })
    }
    return out
  })

/** The same beside what a refactoring changes. */
export const beside = (
  overlay: ReadonlyArray<OverlayFile>,
  scripts: ReadonlyArray<OverlayFile>
): ReadonlyArray<OverlayFile> => [
  ...overlay,
  ...scripts.filter(({ path }) => !overlay.some((file) => file.path === path))
]
