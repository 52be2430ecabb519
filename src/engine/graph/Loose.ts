/**
 * References that mean nothing known: no edge says anything about them, and they are not known to mean something outside.
 * Few of a file's references are such, so those of a file are kept by name, as long as what its names mean stays.
 */
import { type FactsView, R } from "../languages/Facts.ts"
import type { Interner } from "../languages/Interner.ts"
import { G, type Resolved } from "./Edges.ts"
import type { Snapshot } from "./Snapshot.ts"

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

/** By what the names of a file mean; a slice whose targets only got other numbers keeps what it says of outside. */
const known = new WeakMap<Int32Array, Loose>()
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
    const held = slice === undefined ? undefined : known.get(slice.outside)
    if (held?.view === view) return held.each(this.#name, visit)
    if (slice !== undefined && this.#left > 0) {
      this.#left--
      const made = new Loose(view, slice)
      known.set(slice.outside, made)
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

/** So many files may have changed before it is gathered anew which files have unbound references of which names. */
const mostChanged = 64

interface Base {
  readonly views: ReadonlyArray<FactsView | undefined>
  readonly outsides: ReadonlyArray<Int32Array | undefined>
  /** By name where its files begin in the columns below; one more than there are names. */
  readonly starts: Int32Array
  readonly files: Uint16Array | Int32Array
  readonly counts: Uint16Array | Int32Array
}
const bases = new WeakMap<Interner, Base>()

const baseOf = ({ files, names, resolved }: Snapshot): Base => {
  let words = new Int32Array(1 << 14)
  let times = new Int32Array(1 << 14)
  const ends = new Int32Array(files.length)
  /** Where a name is among those of the file at hand. */
  let at = new Int32Array(names.size + 1024)
  let count = 0
  files.forEach((file, id) => {
    const view = file?.view
    if (view !== undefined) {
      const begin = count
      const bound = settled(view, resolved[id])
      const refs = view.glance()
      for (let i = 0, p = view.references + R.name; i < bound.length; i++, p += R.size) {
        if (bound[i] !== 0) continue
        const name = refs[p]!
        if (name >= at.length) at = grown(at, name + (name >> 2))
        const place = at[name]!
        if (place > begin && words[place - 1] === name) {
          times[place - 1]!++
          continue
        }
        if (count === words.length) {
          words = grown(words, count * 2)
          times = grown(times, count * 2)
        }
        words[count] = name
        times[count++] = 1
        at[name] = count
      }
    }
    ends[id] = count
  })
  const starts = new Int32Array(names.size + 2)
  for (let i = 0; i < count; i++) starts[words[i]! + 2]!++
  for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1]!
  const users = files.length < 1 << 16 ? new Uint16Array(count) : new Int32Array(count)
  const counts = new Int32Array(count)
  for (let id = 0, i = 0; id < ends.length; id++)
    for (; i < ends[id]!; i++) {
      const place = starts[words[i]! + 1]!++
      users[place] = id
      counts[place] = times[i]!
    }
  return {
    views: files.map((file) => file?.view),
    outsides: resolved.map((slice) => slice?.outside),
    starts,
    files: users,
    counts
  }
}
const grown = (old: Int32Array, length: number): Int32Array<ArrayBuffer> => {
  const more = new Int32Array(length)
  more.set(old)
  return more
}

/**
 * Which files have unbound references of a name. Kept for all snapshots that share their names; files that changed
 * since are among the answers to every name.
 */
export class LooseFiles {
  readonly #base: Base
  readonly #changed: ReadonlyArray<number>

  private constructor(base: Base, changed: ReadonlyArray<number>) {
    this.#base = base
    this.#changed = changed
  }

  /** For this snapshot, if it need not be gathered. */
  static known({ files, names, resolved }: Snapshot): LooseFiles | undefined {
    const base = bases.get(names)
    if (base === undefined) return undefined
    const changed: Array<number> = []
    for (let id = 0; id < files.length && changed.length <= mostChanged; id++)
      if (files[id]?.view !== base.views[id] || resolved[id]?.outside !== base.outsides[id]) changed.push(id)
    return changed.length <= mostChanged ? new LooseFiles(base, changed) : undefined
  }
  static of(snapshot: Snapshot): LooseFiles {
    const found = LooseFiles.known(snapshot)
    if (found !== undefined) return found
    const base = baseOf(snapshot)
    bases.set(snapshot.names, base)
    return new LooseFiles(base, [])
  }

  /** Calls `visit` with each file that may have some, ascending, and how many it has; -1 where that is not known. */
  each(name: number, visit: (file: number, count: number) => void): void {
    const { counts, files, starts } = this.#base
    const changed = this.#changed
    let next = 0
    const end = name + 1 < starts.length ? starts[name + 1]! : 0
    for (let i = end === 0 ? 0 : starts[name]!; i < end; i++) {
      const file = files[i]!
      for (; next < changed.length && changed[next]! < file; next++) visit(changed[next]!, -1)
      if (changed[next] !== file) visit(file, counts[i]!)
    }
    for (; next < changed.length; next++) visit(changed[next]!, -1)
  }
}
