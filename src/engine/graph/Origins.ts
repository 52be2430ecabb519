/**
 * Where each reference of a file comes from, for walks over many edges: the definition around it that others can know of,
 * and its role. A sixth of what a reference holds, made when a file is first walked over and kept as long as its facts.
 */
import { D, type FactsView, I, R } from "../languages/Facts.ts"
import { Flag, Role } from "../languages/Vocabulary.ts"
import { G, targetTier } from "./Edges.ts"

/** The definition other files can know of, or the test, around one that is local to a body; -1 for the file's top level. */
export const liftLocal = (view: FactsView, definition: number): number => {
  let at = definition
  while (at >= 0 && (view.def(at, D.flags) & (Flag.local | Flag.test)) === Flag.local)
    at = view.def(at, D.parent)
  return at
}

const made = new WeakMap<FactsView, Int32Array>()

/** For each reference its role in the low four bits, and above them the definition around it, plus one. */
export const originsOf = (view: FactsView): Int32Array => {
  const known = made.get(view)
  if (known !== undefined) return known
  const count = view.referenceCount
  const origins = new Int32Array(count)
  const refs = view.glance()
  for (let i = 0, p = view.references; i < count; i++, p += R.size)
    origins[i] = ((refs[p + R.place]! >> 16) & 15) | ((liftLocal(view, refs[p + R.within]!) + 1) << 4)
  made.set(view, origins)
  return origins
}

export const roleOf = (origin: number): number => origin & 15
export const definitionAround = (origin: number): number => (origin >>> 4) - 1

/**
 * What a walk asks of an edge, in one number: the definition it comes from, its role and its tier. Of imports the
 * definition is the one around them, of exports and of references that pass something on it is the file.
 */
export const useAt = (view: FactsView, edges: Int32Array, p: number): number => {
  const source = edges[p + G.source]!
  let role: number
  let definition = -1
  if (source < 0) {
    const index = -1 - source
    const imports = index < view.importCount
    role = imports ? Role.import : Role.export
    if (imports) definition = liftLocal(view, view.import(index, I.within))
  } else {
    const origin = originsOf(view)[source]!
    role = roleOf(origin)
    if (role !== Role.import && role !== Role.export) definition = definitionAround(origin)
  }
  return known | ((definition + 1) << 6) | (role << 2) | targetTier(edges[p + G.target]!)
}
/** Tells a use from one that was not looked at yet. */
const known = 1 << 30
export const definitionOfUse = (use: number): number => ((use & ~known) >> 6) - 1
export const roleOfUse = (use: number): number => (use >> 2) & 15
export const tierOfUse = (use: number): number => use & 3
