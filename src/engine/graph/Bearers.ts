/**
 * Definitions by their names. Kept for all snapshots that share their names: what changed since is looked up beside
 * it, until that is too much.
 */
import { D, type FactsView } from "../languages/Facts.ts"
import type { Interner } from "../languages/Interner.ts"
import type { Snapshot } from "./Snapshot.ts"
import { fileOf, type Node, nodeOf } from "./World.ts"

/** So many files may have changed before everything is gathered anew. */
const mostChanged = 64

/** {@link Bearers} as plain arrays. */
export interface BearerColumns {
  /** Where each name's definitions start in the column below; two more than there are names. */
  readonly starts: Int32Array
  readonly nodes: Float64Array
}
interface Base extends BearerColumns {
  readonly views: ReadonlyArray<FactsView | undefined>
}
const bases = new WeakMap<Interner, Base>()

const viewsOf = ({ files }: Snapshot) => files.map((f) => f?.view)

const gathered = ({ files, names }: Snapshot): BearerColumns => {
  const starts = new Int32Array(names.size + 2)
  let total = 0
  for (const file of files) {
    const view = file?.view
    if (view === undefined) continue
    const count = view.definitionCount
    for (let i = 0; i < count; i++) starts[view.def(i, D.name) + 2]!++
    total += count
  }
  for (let i = 1; i < starts.length; i++) starts[i]! += starts[i - 1]!
  const nodes = new Float64Array(total)
  for (let id = 0; id < files.length; id++) {
    const view = files[id]?.view
    if (view === undefined) continue
    for (let i = 0, n = view.definitionCount; i < n; i++)
      nodes[starts[view.def(i, D.name) + 1]!++] = nodeOf(id, i)
  }
  return { starts, nodes }
}

export class Bearers {
  private readonly changed = new Set<number>()
  private readonly more = new Map<number, Array<Node>>()

  private constructor(
    private readonly base: Base,
    { files }: Snapshot,
    changed: ReadonlyArray<number>
  ) {
    for (const id of changed) {
      this.changed.add(id)
      const view = files[id]?.view
      if (view === undefined) continue
      for (let i = 0, n = view.definitionCount; i < n; i++) {
        const name = view.def(i, D.name)
        const list = this.more.get(name)
        if (list === undefined) this.more.set(name, [nodeOf(id, i)])
        else list.push(nodeOf(id, i))
      }
    }
  }

  static of(snapshot: Snapshot): Bearers {
    const { files, names } = snapshot
    const known = bases.get(names)
    if (known !== undefined) {
      const changed: Array<number> = []
      const length = Math.max(files.length, known.views.length)
      for (let id = 0; id < length && changed.length <= mostChanged; id++)
        if (files[id]?.view !== known.views[id]) changed.push(id)
      if (changed.length <= mostChanged) return new Bearers(known, snapshot, changed)
    }
    const base = { ...gathered(snapshot), views: viewsOf(snapshot) }
    bases.set(names, base)
    return new Bearers(base, snapshot, [])
  }

  /** Takes over what {@link columns} gave for a snapshot of the same files. Throws a RangeError when it does not fit them. */
  static restore(snapshot: Snapshot, columns: BearerColumns): void {
    const { nodes, starts } = columns
    const views = viewsOf(snapshot)
    const total = views.reduce((n, view) => n + (view?.definitionCount ?? 0), 0)
    if (starts.length !== snapshot.names.size + 2 || nodes.length !== total || starts.at(-1) !== total)
      throw new RangeError("names of definitions that do not fit their files")
    bases.set(snapshot.names, { ...columns, views })
  }

  /** Those of this snapshot. */
  static columns(snapshot: Snapshot): BearerColumns {
    const { base, changed } = Bearers.of(snapshot)
    return changed.size === 0 && base.starts.length === snapshot.names.size + 2 ? base : gathered(snapshot)
  }

  /** Whether one of the definitions that bear a name is such. */
  some(name: number, fits: (node: Node) => boolean): boolean {
    const { nodes, starts } = this.base
    for (let i = name >= 0 && name + 1 < starts.length ? starts[name]! : 0; i < (starts[name + 1] ?? 0); i++)
      if (!this.changed.has(fileOf(nodes[i]!)) && fits(nodes[i]!)) return true
    return this.more.get(name)?.some(fits) === true
  }

  /** The definitions that bear a name, in the order of file ids. */
  get(name: number): ReadonlyArray<Node> {
    const { nodes, starts } = this.base
    if (name < 0) return []
    const more = this.more.get(name)
    const own = name + 1 < starts.length ? Array.from(nodes.subarray(starts[name]!, starts[name + 1]!)) : []
    if (this.changed.size === 0) return own
    const kept = own.filter((node) => !this.changed.has(fileOf(node)))
    if (more === undefined) return kept
    return [...kept, ...more].sort((a, b) => a - b)
  }
}
