/**
 * Edges by their target after a few files changed: those of an earlier snapshot, without what the changed files said
 * then and with what they say now. So an edit costs what its own files hold, not what all do.
 */
import { G, type Resolved } from "./Edges.ts"
import {
  type FileEntry,
  Incoming,
  type IncomingColumns,
  type IncomingEdges,
  type Snapshot
} from "./Snapshot.ts"
import { useAt } from "./Origins.ts"
import { nodeOf } from "./World.ts"

type Slices = ReadonlyArray<Resolved | undefined>
type Files = ReadonlyArray<FileEntry | undefined>

/** Past so many files or edges of changed files, all edges are gathered anew. */
const mostFiles = 256
const mostEdges = 1 << 15

class Patched implements IncomingEdges {
  /** Per file whether its edges are not those of the base. */
  private readonly own: Uint8Array
  /** The changed files' edges: first of each node, and for each the next one of its node. */
  private readonly heads = new Map<number, number>()
  private readonly nexts: Int32Array
  private readonly sourceFiles: Int32Array
  private readonly sourceEdges: Int32Array
  /** Per node of the base how many of its edges hold no more. */
  private lost: Map<number, number> | undefined
  readonly edgeCount: number

  constructor(
    readonly base: Incoming,
    /** The slices that the base was made of. */
    readonly baseSlices: Slices,
    readonly files: Files,
    readonly slices: Slices,
    /** Ids of changed files, ascending. */
    readonly changed: ReadonlyArray<number>,
    /** Per file whose definitions moved, the base's number of each, -1 for one that is new. */
    readonly back: ReadonlyMap<number, Int32Array>
  ) {
    const own = (this.own = new Uint8Array(files.length))
    let gone = 0
    let total = 0
    for (const id of changed) {
      own[id] = 1
      gone += (baseSlices[id]?.edges.length ?? 0) / G.size
      total += (slices[id]?.edges.length ?? 0) / G.size
    }
    this.edgeCount = base.edgeCount - gone + total
    const nexts = (this.nexts = new Int32Array(total))
    const sourceFiles = (this.sourceFiles = new Int32Array(total))
    const sourceEdges = (this.sourceEdges = new Int32Array(total))
    // From the last to the first, so that each node's edges come out in order.
    let at = 0
    for (let k = changed.length - 1; k >= 0; k--) {
      const edges = slices[changed[k]!]?.edges
      if (edges === undefined) continue
      for (let p = edges.length - G.size; p >= 0; p -= G.size) {
        const node = nodeOf(edges[p + G.file]!, (edges[p + G.target]! & 0xffffff) - 1)
        nexts[at] = this.heads.get(node) ?? -1
        sourceFiles[at] = changed[k]!
        sourceEdges[at] = p
        this.heads.set(node, at++)
      }
    }
  }

  each(file: number, definition: number, visit: (file: number, edge: number) => void): void {
    const { nexts, own, sourceEdges, sourceFiles } = this
    let at = this.heads.get(nodeOf(file, definition)) ?? -1
    const before = this.before(file, definition)
    if (before >= -1) {
      this.base.each(file, before, (source, edge) => {
        if (own[source] === 1) return
        for (; at >= 0 && sourceFiles[at]! < source; at = nexts[at]!)
          visit(sourceFiles[at]!, sourceEdges[at]!)
        visit(source, edge)
      })
    }
    for (; at >= 0; at = nexts[at]!) visit(sourceFiles[at]!, sourceEdges[at]!)
  }
  eachUse(
    of: Pick<Snapshot, "files" | "resolved">,
    file: number,
    definition: number,
    visit: (file: number, use: number) => void
  ): void {
    const { nexts, own, sourceEdges, sourceFiles } = this
    let at = this.heads.get(nodeOf(file, definition)) ?? -1
    const changed = (): void => {
      const source = sourceFiles[at]!
      visit(source, useAt(of.files[source]!.view!, of.resolved[source]!.edges, sourceEdges[at]!))
      at = nexts[at]!
    }
    const before = this.before(file, definition)
    if (before >= -1)
      this.base.eachUse(
        of,
        file,
        before,
        at < 0
          ? visit
          : (source, use) => {
              while (at >= 0 && sourceFiles[at]! < source) changed()
              visit(source, use)
            },
        own
      )
    while (at >= 0) changed()
  }
  count(file: number, definition: number): number {
    let count = 0
    for (let at = this.heads.get(nodeOf(file, definition)) ?? -1; at >= 0; at = this.nexts[at]!) count++
    const before = this.before(file, definition)
    if (before < -1) return count
    return count + this.base.count(file, before) - (this.losses().get(nodeOf(file, before)) ?? 0)
  }
  /** The number that the base knows a definition by; -1 for the file itself, -2 when it has none. */
  private before(file: number, definition: number): number {
    const back = this.back.get(file)
    if (back === undefined || definition < 0) return definition
    const known = back[definition]!
    return known < 0 ? -2 : known
  }
  private losses(): Map<number, number> {
    if (this.lost === undefined) {
      const lost = (this.lost = new Map<number, number>())
      for (const id of this.changed) {
        const edges = this.baseSlices[id]?.edges
        if (edges === undefined) continue
        for (let p = 0; p < edges.length; p += G.size) {
          const node = nodeOf(edges[p + G.file]!, (edges[p + G.target]! & 0xffffff) - 1)
          lost.set(node, (lost.get(node) ?? 0) + 1)
        }
      }
    }
    return this.lost
  }
  columns(): IncomingColumns {
    return new Incoming(this.files, this.slices).columns()
  }
}

/**
 * The incoming edges of a snapshot's successor that has the same files, of which `looked` have other edges.
 * `moved` gives for a changed file the new number of each old definition, -1 for one that is gone.
 */
export const patched = (
  previous: Snapshot,
  files: Files,
  slices: Slices,
  looked: ReadonlySet<number>,
  moved: ReadonlyMap<number, Int32Array>
): IncomingEdges => {
  const from = previous.incoming
  if (looked.size === 0 && moved.size === 0) return from
  const before = from instanceof Patched ? from : undefined
  const base = before?.base ?? from
  if (!(base instanceof Incoming)) return new Incoming(files, slices)
  const changed = [...new Set([...(before?.changed ?? []), ...looked])].sort((a, b) => a - b)
  let edges = 0
  for (const id of changed) edges += (slices[id]?.edges.length ?? 0) / G.size
  if (changed.length > mostFiles || edges > mostEdges) return new Incoming(files, slices)
  const back = new Map(before?.back)
  for (const [file, map] of moved) {
    const known = back.get(file)
    const now = new Int32Array(files[file]?.view?.definitionCount ?? 0).fill(-1)
    for (let i = 0; i < map.length; i++) if (map[i]! >= 0) now[map[i]!] = known === undefined ? i : known[i]!
    back.set(file, now)
  }
  return new Patched(base, before?.baseSlices ?? previous.resolved, files, slices, changed, back)
}
