/** The nodes that stand for what a caller named. */
import type { GraphView, SymbolRef } from "../../../services/CodeGraph.ts"
import { kindsOf } from "./Nodes.ts"

/**
 * Where walks from a definition start: its own node; for a type and a namespace also those of its members, however deep;
 * for a file all it defines. A definition inside a body has no edges of its own here: then it is the enclosing one.
 */
export const startsOf = (view: GraphView, ref: SymbolRef): ReadonlyArray<number> => {
  const { columns } = view
  const { callable } = kindsOf(columns)
  const { flagBits, flags, kinds, parents, primaries } = columns
  const at = columns.nodeOf(ref)
  if ((flags[at]! & (flagBits.local | flagBits.case)) === flagBits.local) {
    let node = at
    while ((flags[node]! & (flagBits.local | flagBits.case)) === flagBits.local) node = parents[node]!
    return [primaries[node]!]
  }
  const own = primaries[at]!
  if (callable[kinds[own]!] === 1) return [own]
  const out = [own]
  const seen = new Set(out)
  for (const from of own === at ? [at] : [at, own]) {
    // Definitions follow what they lie in, so one pass finds all below.
    const file = columns.files[from]!
    const inside = new Set([from])
    for (let node = from + 1; node < columns.nodeCount && columns.files[node] === file; node++) {
      if (!inside.has(parents[node]!)) {
        if (from !== file && parents[node]! < from) break
        continue
      }
      inside.add(node)
      const stands = primaries[node]!
      if (!seen.has(stands)) {
        seen.add(stands)
        out.push(stands)
      }
    }
  }
  // Members declared away from their type: Go methods, Rust impls, extensions.
  if (own !== columns.files[own])
    for (const member of view.members(ref)) {
      const node = primaries[columns.nodeOf(member)]!
      if (!seen.has(node)) {
        seen.add(node)
        out.push(node)
      }
    }
  return out
}
