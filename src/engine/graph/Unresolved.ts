/** Uses that are bound to nothing, with what stood in the way; one pass over all references, made when asked for. */
import type { SymbolRef, UnresolvedReason, UnresolvedUse, UnresolvedUses } from "../../services/CodeGraph.ts"
import { D, type FactsView, R } from "../languages/Facts.ts"
import { languages } from "../languages/index.ts"
import { Flag, roles } from "../languages/Vocabulary.ts"
import type { Snapshot } from "./Snapshot.ts"
import { definitionOf, fileOf, nodeOf } from "./World.ts"

const reasons: ReadonlyArray<UnresolvedReason> = [
  "ambiguous_multi_match",
  "candidate_out_of_scope",
  "cross_language_only",
  "stub_only",
  "no_definition"
]
const Why = { ambiguous: 0, scope: 1, language: 2, stub: 3, none: 4 } as const

export interface UnresolvedGround {
  readonly snapshot: Snapshot
  /** By reference of a file: 1 when it is bound, or known to mean something outside. */
  readonly settled: (file: number, view: FactsView) => Uint8Array
  /** Definitions of a name that are no data. */
  readonly named: (name: number) => ReadonlyArray<SymbolRef>
}

export const unresolvedOf = ({ named, settled, snapshot }: UnresolvedGround): UnresolvedUses => {
  const { files, names } = snapshot
  const order = files
    .flatMap((file) => (file?.view === undefined ? [] : [file]))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
  /** By family and name why a use of it stays unbound. */
  const known = new Map<string | undefined, Map<number, number>>()
  const whyOf = (family: string | undefined, name: number): number => {
    let own = known.get(family)
    if (own === undefined) known.set(family, (own = new Map()))
    let why = own.get(name)
    if (why === undefined) own.set(name, (why = classify(family, name)))
    return why
  }
  const classify = (family: string | undefined, name: number): number => {
    const candidates = named(name)
    if (candidates.length === 0) return Why.none
    const near = candidates.filter((ref) => languages[files[fileOf(ref)]!.language]?.family === family)
    if (near.length === 0) return Why.language
    const flags = (ref: SymbolRef) => files[fileOf(ref)]!.view!.def(definitionOf(ref), D.flags)
    const real = near.filter((ref) => (flags(ref) & Flag.declaration) === 0)
    if (real.length === 0) return Why.stub
    return real.filter((ref) => (flags(ref) & Flag.local) === 0).length > 1 ? Why.ambiguous : Why.scope
  }
  const places: ReadonlyArray<Array<number>> = reasons.map(() => [])
  for (let at = 0; at < order.length; at++) {
    const { id, language } = order[at]!
    const view = order[at]!.view!
    const family = languages[language]?.family
    const bound = settled(id, view)
    const refs = view.glance()
    for (let i = 0, p = view.references + R.name; i < bound.length; i++, p += R.size)
      if (bound[i] === 0) places[whyOf(family, refs[p]!)]!.push(nodeOf(at, i))
  }
  const rowOf = (node: number, reason: UnresolvedReason): UnresolvedUse => {
    const { id, language, path } = order[fileOf(node)]!
    const view = files[id]!.view!
    const i = definitionOf(node)
    const place = view.glimpse(i, R.place)
    const name = view.glimpse(i, R.name)
    return {
      path,
      line: view.glimpse(i, R.line),
      column: place & 0xffff,
      role: roles[(place >> 16) & 15]!,
      within: nodeOf(id, view.glimpse(i, R.within)),
      name: names.text(name),
      language: languages[language]?.id ?? "",
      reason,
      candidates: named(name)
    }
  }
  return {
    counts: Object.fromEntries(reasons.map((reason, i) => [reason, places[i]!.length])) as {
      readonly [R in UnresolvedReason]: number
    },
    rows: (reason, from, limit) =>
      places[reasons.indexOf(reason)]!.slice(from, from + limit).map((node) => rowOf(node, reason))
  }
}
