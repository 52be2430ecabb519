/** Files that use each other more than they use the rest. */
import { louvain } from "../../../algorithms/communities.ts"
import { fromEdges, type Undirected, undirected } from "../../../algorithms/Graph.ts"
import { membersOf } from "../../../algorithms/Groups.ts"
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

export const folderOf = (path: string): string =>
  path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "."

/** Uses between files as weights. Uses known by name only do not count. */
const between = (view: GraphView, files: ReadonlyArray<string>): Undirected => {
  const { columns } = view
  const at = new Int32Array(columns.nodeCount).fill(-1)
  files.forEach((path, index) => {
    const ref = view.fileRef(path)
    if (ref !== undefined) at[columns.nodeOf(ref)] = index
  })
  const from: Array<number> = []
  const to: Array<number> = []
  for (let edge = 0; edge < columns.edgeCount; edge++) {
    const source = at[columns.files[columns.sources[edge]!]!]!
    const target = at[columns.files[columns.out.others[edge]!]!]!
    if (source < 0 || target < 0 || source === target || columns.tiers[edge] === 3) continue
    from.push(source)
    to.push(target)
  }
  return undirected(fromEdges(files.length, from, to))
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
  const groups = louvain(between(view, files))
  const { members, starts } = membersOf(groups)
  const large = Array.from({ length: groups.count }, (_, group) =>
    Array.from(members.subarray(starts[group]!, starts[group + 1]!), (at) => files[at]!)
  )
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
