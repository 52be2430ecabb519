/**
 * References that mean nothing known: no edge says anything about them, and they are not known to mean something outside.
 * Few of a file's references are such, so those of a file are kept by name, as long as what its names mean stays.
 */
import { type FactsView, R } from "../languages/Facts.ts"
import { G, type Resolved } from "./Edges.ts"

/** Which references of a file an edge says something about, or that are known to mean something outside. */
export const settled = (view: FactsView, slice: Resolved | undefined): Uint8Array => {
  const out = new Uint8Array(view.referenceCount)
  if (slice === undefined) return out
  const { edges, outside } = slice
  for (let p = 0; p < edges.length; p += G.size) if (edges[p]! >= 0) out[edges[p]!] = 1
  if (outside.length > 0)
    for (let i = 0; i < out.length; i++) if ((outside[i >> 5]! & (1 << (i & 31))) !== 0) out[i] = 1
  return out
}

/** Those of one file, ascending by their names. */
class Loose {
  readonly #names: Int32Array
  readonly #references: Int32Array
  readonly view: FactsView

  constructor(view: FactsView, slice: Resolved) {
    this.view = view
    const bound = settled(view, slice)
    const refs = view.glance()
    let count = 0
    for (let i = 0; i < bound.length; i++) if (bound[i] === 0) count++
    const keys = new Float64Array(count)
    for (let i = 0, next = 0, at = view.references + R.name; i < bound.length; i++, at += R.size)
      if (bound[i] === 0) keys[next++] = refs[at]! * bound.length + i
    keys.sort()
    this.#names = new Int32Array(count)
    this.#references = new Int32Array(count)
    for (let i = 0; i < count; i++) {
      const name = Math.floor(keys[i]! / bound.length)
      this.#names[i] = name
      this.#references[i] = keys[i]! - name * bound.length
    }
  }

  /** Calls `visit` with each reference of a name, ascending. */
  each(name: number, visit: (reference: number) => void): void {
    const names = this.#names
    let low = 0
    let high = names.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (names[middle]! < name) low = middle + 1
      else high = middle
    }
    for (; names[low] === name; low++) visit(this.#references[low]!)
  }
}

/** By what the names of a file mean: another meaning is another slice. */
const known = new WeakMap<Resolved, Loose>()
/** Files that are put in order in one look; the others are read through. */
const mostInOneLook = 24

/** One look at the unbound references of a name, file by file. */
export class LooseLook {
  readonly #name: number
  #left = mostInOneLook

  constructor(name: number) {
    this.#name = name
  }

  /** Calls `visit` with each of a file, ascending. */
  each(view: FactsView, slice: Resolved | undefined, visit: (reference: number) => void): void {
    const held = slice === undefined ? undefined : known.get(slice)
    if (held?.view === view) return held.each(this.#name, visit)
    if (slice !== undefined && this.#left > 0) {
      this.#left--
      const made = new Loose(view, slice)
      known.set(slice, made)
      return made.each(this.#name, visit)
    }
    const refs = view.glance()
    let bound: Uint8Array | undefined
    for (let i = 0, at = view.references + R.name, n = view.referenceCount; i < n; i++, at += R.size) {
      if (refs[at] !== this.#name) continue
      bound ??= settled(view, slice)
      if (bound[i] === 0) visit(i)
    }
  }
}
