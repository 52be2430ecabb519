import { Effect } from "effect"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph, type GraphView } from "../../services/CodeGraph.ts"
import { WorkspaceView } from "../../services/WorkspaceView.ts"
import { freshnessOf, graph as viewNow } from "../shared/symbols.ts"
import { workspace } from "./facade.ts"
import { bound, compact } from "./View.ts"

const descending = (counts: ReadonlyMap<string, number>): { readonly [key: string]: number } =>
  Object.fromEntries([...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)))

/** By a part of the view that stays the same while only its freshness is new. */
const kinds = new WeakMap<GraphView["symbol"], { readonly [kind: string]: number }>()
/** Definitions by kind: a pass over all of them, made once for each view. */
const kindsOf = (view: GraphView): { readonly [kind: string]: number } => {
  const known = kinds.get(view.symbol)
  if (known !== undefined) return known
  const counts = new Map<string, number>()
  for (const ref of view.all()) {
    const { kind } = view.symbol(ref)
    counts.set(kind, (counts.get(kind) ?? 0) + 1)
  }
  const sorted = descending(counts)
  kinds.set(view.symbol, sorted)
  return sorted
}

const needs = [CodeGraph, WorkspaceView] as const

export const graph: Member<typeof workspace, "graph", typeof needs> = workspace.operation("graph", {
  tool: "graph_stats",
  presets: ["core", "edit", "nav"],
  summary: "Graph size by kind and language.",
  input: F.input({ arguments: F.group({ compact }) }),
  needs,
  handler: ({ arguments: { compact: brief } }) =>
    Effect.gen(function* () {
      const view = yield* viewNow
      const { edges, files, indexed_files, symbols, unbound } = view.counts
      const symbolsBy = new Map<string, number>()
      const filesBy = new Map<string, number>()
      for (const file of view.files()) {
        if (file.language === undefined || file.skipped !== undefined) continue
        symbolsBy.set(file.language, (symbolsBy.get(file.language) ?? 0) + file.symbols)
        filesBy.set(file.language, (filesBy.get(file.language) ?? 0) + 1)
      }
      const core = {
        total_nodes: symbols + files,
        symbols,
        files,
        indexed_files,
        total_edges: edges,
        unbound_references: unbound,
        by_language: Object.fromEntries(
          Object.entries(descending(symbolsBy)).map(([language, count]) => [
            language,
            { files: filesBy.get(language) ?? 0, symbols: count }
          ])
        ),
        freshness: freshnessOf(view.freshness)
      }
      if (brief) return core
      const here = yield* bound
      return {
        ...core,
        by_kind: kindsOf(view),
        per_repo:
          here?.repositories.map(({ files: count, name, root }) => ({ name, root, files: count })) ?? []
      }
    })
})
