/** What stands next to a symbol: who uses it, what it uses, which tests reach it. */
import type { EdgeInfo, GraphView, SymbolInfo, SymbolRef } from "../../services/CodeGraph.ts"

const usesOfCode: ReadonlySet<string> = new Set([
  "call",
  "new",
  "macro",
  "read",
  "write",
  "decorate",
  "type",
  "parameter_type",
  "return_type",
  "field_type",
  "generic_arg",
  "extends",
  "implements"
])

/** Symbols that use this one, most uses first, name-only guesses left out; files stand for their top level. */
export const usersOf = (view: GraphView, ref: SymbolRef): ReadonlyArray<SymbolInfo> =>
  counted(view, view.incoming(ref), (e) => e.from, ref)
/** Symbols this one uses, most uses first, name-only guesses left out. */
export const usedBy = (view: GraphView, ref: SymbolRef): ReadonlyArray<SymbolInfo> =>
  counted(view, view.outgoing(ref), (e) => e.to, ref).filter((s) => s.kind !== "file")

const counted = (
  view: GraphView,
  edges: ReadonlyArray<EdgeInfo>,
  end: (edge: EdgeInfo) => SymbolRef,
  self: SymbolRef
): ReadonlyArray<SymbolInfo> => {
  const uses = new Map<SymbolRef, number>()
  for (const edge of edges) {
    const other = end(edge)
    if (edge.tier !== "name" && usesOfCode.has(edge.role) && other !== self)
      uses.set(other, (uses.get(other) ?? 0) + 1)
  }
  return [...uses].sort((a, b) => b[1] - a[1]).map(([ref]) => view.symbol(ref))
}

/** Test files that use the symbols, most uses first. */
export const testsOf = (view: GraphView, refs: ReadonlyArray<SymbolRef>): ReadonlyArray<string> => {
  const uses = new Map<string, number>()
  refs.forEach((ref, at) => {
    for (const edge of view.incoming(ref)) {
      if (edge.tier !== "name" && view.file(edge.path)?.test === true)
        uses.set(edge.path, (uses.get(edge.path) ?? 0) + 1 / (1 + at))
    }
  })
  return [...uses].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).map(([path]) => path)
}
