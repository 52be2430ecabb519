/** Files as the nodes of a dependency graph. */
import type { EdgeInfo, GraphView, SymbolRef } from "../../services/CodeGraph.ts"
import { atLeast, type Hidden, sift, type Trust } from "./Evidence.ts"

/** All edges from one file to another as one: the first site, and how many there are. */
export interface FileEdge extends EdgeInfo {
  readonly sites: number
}

/** The file a definition lies in. */
export const fileOf = (view: GraphView, ref: SymbolRef): SymbolRef => {
  let at = ref
  while (!view.isFile(at)) at = view.parent(at) ?? at
  return at
}

/** Whether a definition is the other or lies inside it. */
export const isInside = (view: GraphView, outer: SymbolRef, inner: SymbolRef): boolean => {
  for (
    let at: SymbolRef | undefined = inner;
    at !== undefined;
    at = view.isFile(at) ? undefined : view.parent(at)
  )
    if (at === outer) return true
  return false
}

const grouped = (view: GraphView, edges: ReadonlyArray<EdgeInfo>): ReadonlyArray<FileEdge> => {
  const groups = new Map<string, { edge: EdgeInfo; sites: number }>()
  for (const edge of edges) {
    const from = fileOf(view, edge.from)
    const to = fileOf(view, edge.to)
    if (from === to) continue
    const key = `${from} ${to}`
    const known = groups.get(key)
    if (known === undefined) groups.set(key, { edge: { ...edge, from, to, use: "unknown" }, sites: 1 })
    else {
      known.sites++
      if (atLeast(edge.tier, known.edge.tier) && edge.tier !== known.edge.tier)
        known.edge = { ...known.edge, tier: edge.tier }
    }
  }
  return [...groups.values()].map(({ edge, sites }) => ({ ...edge, sites }))
}

/** What a file uses of others. */
export const fileUses = (
  view: GraphView,
  file: SymbolRef,
  trust: Trust,
  hidden: Hidden
): ReadonlyArray<FileEdge> => grouped(view, sift(view.outgoing(file), trust, hidden))

/** What others use of a file. */
export const fileUsers = (
  view: GraphView,
  file: SymbolRef,
  trust: Trust,
  hidden: Hidden
): ReadonlyArray<FileEdge> => {
  const { path } = view.symbol(file)
  return grouped(
    view,
    [file, ...view.definitions(path)].flatMap((ref) => sift(view.incoming(ref), trust, hidden))
  )
}
