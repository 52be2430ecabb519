/**
 * References that mean nothing known: no edge says anything about them, and they are not known to mean something outside.
 * Few references are such, so it is kept which files have how many of which names.
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

/** Calls `visit` with each of a file that bears a name, ascending, until it says that was enough. */
export const eachLoose = (
  view: FactsView,
  slice: Resolved | undefined,
  name: number,
  visit: (reference: number) => boolean
): void => {
  const refs = view.glance()
  let bound: Uint8Array | undefined
  for (let i = 0, at = view.references + R.name, n = view.referenceCount; i < n; i++, at += R.size) {
    if (refs[at] !== name) continue
    bound ??= settled(view, slice)
    if (bound[i] === 0 && !visit(i)) return
  }
}

/** So many files may have changed before it is gathered anew which files have unbound references of which names. */
const mostChanged = 64

/** {@link LooseFiles} as plain arrays. */
export interface LooseColumns {
  /** The names there are any of, ascending, and where the files of each end in the columns below. */
  readonly names: Int32Array
  readonly ends: Int32Array
  /** Those files, ascending, and how many each has. */
  readonly files: Int32Array
  readonly counts: Int32Array
}
interface Base extends LooseColumns {
  readonly views: ReadonlyArray<FactsView | undefined>
  readonly outsides: ReadonlyArray<Int32Array | undefined>
}
const bases = new WeakMap<Interner, Base>()

const baseOf = ({ files, resolved }: Snapshot, columns: LooseColumns): Base => ({
  ...columns,
  views: files.map((file) => file?.view),
  outsides: resolved.map((slice) => slice?.outside)
})

const gathered = ({ files, names, resolved }: Snapshot): LooseColumns => {
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
  const starts = at.fill(0)
  for (let i = 0; i < count; i++) starts[words[i]!]!++
  const present: Array<number> = []
  const nameEnds: Array<number> = []
  for (let name = 0, total = 0; name < starts.length; name++) {
    const own = starts[name]!
    starts[name] = total
    if (own === 0) continue
    present.push(name)
    nameEnds.push((total += own))
  }
  const users = new Int32Array(count)
  const counts = new Int32Array(count)
  for (let id = 0, i = 0; id < ends.length; id++)
    for (; i < ends[id]!; i++) {
      const place = starts[words[i]!]!++
      users[place] = id
      counts[place] = times[i]!
    }
  return { names: Int32Array.from(present), ends: Int32Array.from(nameEnds), files: users, counts }
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

  static of(snapshot: Snapshot): LooseFiles {
    const { files, names, resolved } = snapshot
    const known = bases.get(names)
    if (known !== undefined) {
      const changed: Array<number> = []
      const length = Math.max(files.length, known.views.length)
      for (let id = 0; id < length && changed.length <= mostChanged; id++)
        if (files[id]?.view !== known.views[id] || resolved[id]?.outside !== known.outsides[id])
          changed.push(id)
      if (changed.length <= mostChanged) return new LooseFiles(known, changed)
    }
    const base = baseOf(snapshot, gathered(snapshot))
    bases.set(names, base)
    return new LooseFiles(base, [])
  }

  /** Takes over what {@link columns} gave for a snapshot of the same files. Throws a RangeError when it does not fit them. */
  static restore(snapshot: Snapshot, columns: LooseColumns): void {
    const { counts, ends, files, names } = columns
    if (
      names.length !== ends.length ||
      files.length !== counts.length ||
      (ends.at(-1) ?? 0) !== files.length ||
      files.some((id) => snapshot.files[id]?.view === undefined)
    )
      throw new RangeError("unbound references that do not fit their files")
    bases.set(snapshot.names, baseOf(snapshot, columns))
  }

  /** Those of this snapshot. */
  static columns(snapshot: Snapshot): LooseColumns {
    const found = LooseFiles.of(snapshot)
    return found.#changed.length === 0 ? found.#base : gathered(snapshot)
  }

  /** Calls `visit` with each file that may have some, ascending, and how many it has; -1 where that is not known. */
  each(name: number, visit: (file: number, count: number) => void): void {
    const { counts, ends, files, names } = this.#base
    const changed = this.#changed
    let low = 0
    let high = names.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (names[middle]! < name) low = middle + 1
      else high = middle
    }
    let next = 0
    if (names[low] === name)
      for (let i = low === 0 ? 0 : ends[low - 1]!; i < ends[low]!; i++) {
        const file = files[i]!
        for (; next < changed.length && changed[next]! < file; next++) visit(changed[next]!, -1)
        if (changed[next] !== file) visit(file, counts[i]!)
      }
    for (; next < changed.length; next++) visit(changed[next]!, -1)
  }
}
