/**
 * Names that only one member of a type bears, for all snapshots that share their names. It is brought from one
 * snapshot's files to another's by what differs between them.
 */
import { D, type FactsView } from "../languages/Facts.ts"
import type { Interner } from "../languages/Interner.ts"
import { kindNumber as K } from "../languages/Vocabulary.ts"
import { typeLike } from "./resolve/Resolver.ts"
import type { FileEntry } from "./Snapshot.ts"
import { nodeOf } from "./World.ts"

/** Whether a definition is a member of some type. */
const isMember = (view: FactsView, i: number): boolean => {
  const kind = view.def(i, D.kind)
  if (kind === K.key) return false
  const parent = view.def(i, D.parent)
  return (
    view.def(i, D.owner) >= 0 ||
    (parent >= 0 &&
      (typeLike.has(view.def(parent, D.kind)) ||
        kind === K.method ||
        kind === K.property ||
        kind === K.field))
  )
}

export class Members {
  private views: Array<FactsView | undefined> = []
  private counts = new Int32Array(0)
  /** Files and definitions of a name's members, each list folded into one number by exclusive or: of one member it is that. */
  private files = new Int32Array(0)
  private definitions = new Int32Array(0)

  /** The members of these files. */
  static of(files: ReadonlyArray<FileEntry | undefined>, names: Interner): Members {
    let members = known.get(names)
    if (members === undefined) known.set(names, (members = new Members()))
    members.become(files, names.size)
    return members
  }

  private become(files: ReadonlyArray<FileEntry | undefined>, size: number): void {
    if (size > this.counts.length) {
      const room = size + (size >> 4)
      const grown = (old: Int32Array<ArrayBuffer>) => {
        const more = new Int32Array(room)
        more.set(old)
        return more
      }
      this.counts = grown(this.counts)
      this.files = grown(this.files)
      this.definitions = grown(this.definitions)
    }
    const length = Math.max(files.length, this.views.length)
    for (let id = 0; id < length; id++) {
      const before = this.views[id]
      const now = files[id]?.view
      if (before === now) continue
      if (before !== undefined) this.fold(id, before, -1)
      if (now !== undefined) this.fold(id, now, 1)
      this.views[id] = now
    }
  }
  private fold(id: number, view: FactsView, sign: number): void {
    for (let i = 0, n = view.definitionCount; i < n; i++) {
      if (!isMember(view, i)) continue
      const name = view.def(i, D.name)
      this.counts[name]! += sign
      this.files[name]! ^= id
      this.definitions[name]! ^= i
    }
  }

  /** The only member of a name as a node; -1 when there is none or several. */
  lone(name: number): number {
    return this.counts[name] === 1 ? nodeOf(this.files[name]!, this.definitions[name]!) : -1
  }
}
const known = new WeakMap<Interner, Members>()
