/** Definitions that have more to do with each other than with the rest. */
import { leiden, louvain, modularity } from "../../../algorithms/communities.ts"
import { fromEdges, type Undirected, undirected } from "../../../algorithms/Graph.ts"
import { membersOf } from "../../../algorithms/Groups.ts"
import { spectral } from "../../../algorithms/spectral.ts"
import type { GraphView } from "../../../services/CodeGraph.ts"
import { isSymbol, kindsOf, once, pathOf } from "./Nodes.ts"
import { usesOf } from "./Uses.ts"

/** Definitions as nodes, numbered densely. Two are tied when one uses the other, or is a member of it. */
export interface Ground {
  readonly graph: Undirected
  /** Node of the columns by number, ascending, and the number by node; -1 for what is left out. */
  readonly nodes: Int32Array
  readonly place: Int32Array
}

const numberedBy = (size: number, keep: (node: number) => boolean) => {
  const place = new Int32Array(size).fill(-1)
  let count = 0
  for (let node = 0; node < size; node++) if (keep(node)) place[node] = count++
  const nodes = new Int32Array(count)
  for (let node = 0; node < size; node++) if (place[node]! >= 0) nodes[place[node]!] = node
  return { place, nodes }
}

/** Code without tests, local definitions and uses known by name only. */
const groundOf = (view: GraphView, keep: (node: number) => boolean): Ground => {
  const { columns } = view
  const { file } = kindsOf(columns)
  const { graph } = usesOf(view, "uses", "inferred")
  const { nodes, place } = numberedBy(
    columns.nodeCount,
    (node) => isSymbol(columns, node) && columns.tests[node] === 0 && keep(node)
  )
  const from: Array<number> = []
  const to: Array<number> = []
  for (const node of nodes) {
    const own = place[node]!
    for (let e = graph.starts[node]!; e < graph.starts[node + 1]!; e++) {
      const other = place[graph.others[e]!]!
      if (other < 0 || other === own) continue
      from.push(own)
      to.push(other)
    }
    const parent = columns.parents[node]!
    if (columns.kinds[parent] === file) continue
    const around = place[columns.primaries[parent]!]!
    if (around >= 0 && around !== own) {
      from.push(own)
      to.push(around)
    }
  }
  return { graph: undirected(fromEdges(nodes.length, from, to)), nodes, place }
}

/** The ground of all definitions. */
export const wholeGround: (view: GraphView) => Ground = once((view) => groundOf(view, () => true))

export type Method = "leiden" | "louvain" | "spectral"

export interface Community {
  /** `c1`, `c2`, …, the largest first. */
  readonly id: string
  /** Folder most of its definitions are in, with a number where several have the same. */
  readonly label: string
  /** Nodes of the columns, ascending. */
  readonly members: ReadonlyArray<number>
  /** The member with most ties inside. */
  readonly hub: number
  /** Paths with how many members each has, most first. */
  readonly files: ReadonlyArray<readonly [path: string, members: number]>
  /** Ties between members, and of members to others. */
  readonly inside: number
  readonly outside: number
}

export interface Communities {
  /** All of at least two members, the largest first. */
  readonly list: ReadonlyArray<Community>
  /** Place in the list by node of the columns; -1 for a node of none. */
  readonly of: Int32Array
  readonly modularity: number
  readonly method: Method
  /** Definitions that were divided, and those that stayed alone. */
  readonly definitions: number
  readonly alone: number
}

const folderOf = (path: string): string => {
  const at = path.lastIndexOf("/")
  return at < 0 ? "." : path.slice(0, at)
}

const labelOf = (files: Community["files"]): string => {
  const counts = new Map<string, number>()
  for (const [path, count] of files) counts.set(folderOf(path), (counts.get(folderOf(path)) ?? 0) + count)
  const [most] = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]!
  return most
}

export interface Divide {
  readonly method: Method
  readonly resolution?: number
  readonly keep?: (node: number) => boolean
}

export const divided = (view: GraphView, { keep, method, resolution = 1 }: Divide): Communities => {
  const { columns } = view
  const { graph, nodes } = keep === undefined ? wholeGround(view) : groundOf(view, keep)
  const find = method === "leiden" ? leiden : method === "louvain" ? louvain : spectral
  const groups = find(graph, { resolution })
  const { members, starts } = membersOf(groups)
  const large: Array<number> = []
  let alone = 0
  for (let group = 0; group < groups.count; group++) {
    if (starts[group + 1]! - starts[group]! > 1) large.push(group)
    else alone++
  }
  large.sort((a, b) => starts[b + 1]! - starts[b]! - (starts[a + 1]! - starts[a]!) || a - b)
  const of = new Int32Array(columns.nodeCount).fill(-1)
  const used = new Map<string, number>()
  const list = large.map((group, place): Community => {
    const own = members.subarray(starts[group]!, starts[group + 1]!)
    const paths = new Map<number, number>()
    let inside = 0
    let outside = 0
    let hub = own[0]!
    let most = -1
    for (const at of own) {
      const node = nodes[at]!
      of[node] = place
      paths.set(columns.files[node]!, (paths.get(columns.files[node]!) ?? 0) + 1)
      let ties = 0
      for (let e = graph.starts[at]!; e < graph.starts[at + 1]!; e++) {
        if (groups.of[graph.others[e]!] === group) ties += graph.weights[e]!
        else outside += graph.weights[e]!
      }
      inside += ties / 2
      if (ties > most) {
        most = ties
        hub = at
      }
    }
    const files = [...paths]
      .map(([file, count]) => [pathOf(view, file), count] as const)
      .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    const folder = labelOf(files)
    const seen = (used.get(folder) ?? 0) + 1
    used.set(folder, seen)
    return {
      id: `c${place + 1}`,
      label: seen === 1 ? folder : `${folder} (${seen})`,
      members: Array.from(own, (at) => nodes[at]!),
      hub: nodes[hub]!,
      files,
      inside,
      outside
    }
  })
  return {
    list,
    of,
    modularity: modularity(graph, groups, resolution),
    method,
    definitions: nodes.length,
    alone
  }
}

/** Those of the method of Leiden over all definitions, made once for each state of the graph. */
export const communitiesOf: (view: GraphView) => Communities = once((view) =>
  divided(view, { method: "leiden" })
)

export const round = (value: number): number => Number(value.toFixed(4))

/** A community in a list. */
export const communityRow = (view: GraphView, community: Community, mostFiles = 5) => ({
  id: community.id,
  label: community.label,
  size: community.members.length,
  cohesion: round(
    community.inside + community.outside === 0 ? 0 : community.inside / (community.inside + community.outside)
  ),
  hub: view.idOf(view.columns.refOf(community.hub)),
  file_count: community.files.length,
  files: community.files.slice(0, mostFiles).map(([path]) => path)
})

/** The community an id, a label or a definition in it names; undefined when there is none. */
export const communityNamed = (
  view: GraphView,
  { list, of }: Communities,
  words: string
): Community | undefined => {
  const named = list.find(({ id, label }) => id === words || label === words)
  if (named !== undefined) return named
  const { found } = view.resolve(words)
  if (found.length !== 1) return undefined
  const { columns } = view
  const at = of[columns.primaries[columns.nodeOf(found[0]!)]!]!
  return at < 0 ? undefined : list[at]
}
