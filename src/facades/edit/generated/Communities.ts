/** Files that use each other more than they use the rest. */
import type { GraphView } from "../../../services/CodeGraph.ts"

export interface Community {
  /** Folder most of its files are in; with a number where several have the same. */
  readonly label: string
  /** Paths, sorted. */
  readonly files: ReadonlyArray<string>
}

export interface Communities {
  /** The largest first. */
  readonly list: ReadonlyArray<Community>
  /** How many of at least the least size there are in all. */
  readonly total: number
  /** Files in none of those. */
  readonly rest: number
}

interface Weighted {
  readonly neighbours: ReadonlyArray<ReadonlyMap<number, number>>
  readonly loops: ReadonlyArray<number>
}

/** Moves nodes between groups as long as that raises modularity. Nodes in order, the lowest group on a tie. */
const moved = ({ loops, neighbours }: Weighted): ReadonlyArray<number> => {
  const size = neighbours.length
  const degree = neighbours.map((row, at) => [...row.values()].reduce((sum, w) => sum + w, 2 * loops[at]!))
  const total = degree.reduce((sum, w) => sum + w, 0)
  const group = Array.from({ length: size }, (_, at) => at)
  const weight = [...degree]
  if (total === 0) return group
  for (let round = 0, changed = true; changed && round < 50; round++) {
    changed = false
    for (let at = 0; at < size; at++) {
      const own = group[at]!
      const toward = new Map<number, number>()
      for (const [other, w] of neighbours[at]!)
        toward.set(group[other]!, (toward.get(group[other]!) ?? 0) + w)
      weight[own]! -= degree[at]!
      const gain = (to: number) => (toward.get(to) ?? 0) - (weight[to]! * degree[at]!) / total
      let best = own
      for (const to of [...toward.keys()].sort((a, b) => a - b)) if (gain(to) > gain(best) + 1e-9) best = to
      weight[best]! += degree[at]!
      if (best !== own) {
        group[at] = best
        changed = true
      }
    }
  }
  return group
}

/** Groups of nodes by the method of Louvain: move, merge groups to nodes, again, until nothing moves. */
const louvain = (start: Weighted): ReadonlyArray<number> => {
  let graph = start
  let member = start.neighbours.map((_, at) => at)
  for (;;) {
    const group = moved(graph)
    const number = new Map<number, number>()
    for (const each of group) if (!number.has(each)) number.set(each, number.size)
    const next = group.map((each) => number.get(each)!)
    member = member.map((at) => next[at]!)
    if (number.size === graph.neighbours.length) return member
    const neighbours = Array.from({ length: number.size }, () => new Map<number, number>())
    const loops = Array.from({ length: number.size }, () => 0)
    graph.neighbours.forEach((row, at) => {
      loops[next[at]!]! += graph.loops[at]!
      for (const [other, w] of row) {
        if (next[at] === next[other]) loops[next[at]!]! += w / 2
        else neighbours[next[at]!]!.set(next[other]!, (neighbours[next[at]!]!.get(next[other]!) ?? 0) + w)
      }
    })
    graph = { neighbours, loops }
  }
}

export const folderOf = (path: string): string =>
  path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "."

/** Uses between files as weights, each pair once for both directions. Uses known by name only do not count. */
const between = (view: GraphView, files: ReadonlyArray<string>): Weighted => {
  const at = new Map(files.map((path, index) => [path, index]))
  const neighbours = files.map(() => new Map<number, number>())
  files.forEach((path, from) => {
    const ref = view.fileRef(path)
    if (ref === undefined) return
    for (const edge of view.outgoing(ref)) {
      const to = at.get(view.pathOf(edge.to))
      if (edge.tier === "name" || to === undefined || to === from) continue
      neighbours[from]!.set(to, (neighbours[from]!.get(to) ?? 0) + 1)
      neighbours[to]!.set(from, (neighbours[to]!.get(from) ?? 0) + 1)
    }
  })
  return { neighbours, loops: files.map(() => 0) }
}

const labelOf = (files: ReadonlyArray<string>): string => {
  const counts = new Map<string, number>()
  for (const path of files) counts.set(folderOf(path), (counts.get(folderOf(path)) ?? 0) + 1)
  const [most] = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]!
  return most === "." ? "root" : most
}

/** Communities of the files that hold definitions, of at least `least` files, the `most` largest. */
export const communitiesOf = (
  view: GraphView,
  {
    least,
    most,
    keep = () => true
  }: {
    readonly least: number
    readonly most: number
    readonly keep?: (path: string) => boolean
  }
): Communities => {
  const files = view
    .files()
    .filter(({ path, symbols }) => symbols > 0 && keep(path))
    .map(({ path }) => path)
    .sort()
  const groups = new Map<number, Array<string>>()
  louvain(between(view, files)).forEach((group, at) => {
    const known = groups.get(group)
    if (known === undefined) groups.set(group, [files[at]!])
    else known.push(files[at]!)
  })
  const large = [...groups.values()]
    .filter((each) => each.length >= least)
    .sort((a, b) => b.length - a.length || (a[0]! < b[0]! ? -1 : 1))
  const used = new Map<string, number>()
  const list = large.slice(0, most).map((each): Community => {
    const label = labelOf(each)
    const seen = (used.get(label) ?? 0) + 1
    used.set(label, seen)
    return { label: seen === 1 ? label : `${label} (${seen})`, files: each }
  })
  return {
    list,
    total: large.length,
    rest: files.length - list.reduce((sum, { files: own }) => sum + own.length, 0)
  }
}
