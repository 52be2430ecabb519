/** The edges of one question as a graph: uses of some roles, those between the same two nodes as one. */
import { fromEdges, type Graph, reversed } from "../../../algorithms/Graph.ts"
import type { GraphView, Tier } from "../../../services/CodeGraph.ts"
import type { GraphColumns } from "../../../services/GraphColumns.ts"
import type { Open } from "../symbols.ts"
import { idOf, kindsOf } from "./Nodes.ts"

export const tierNames = ["exact", "resolved", "inferred", "name"] as const satisfies ReadonlyArray<Tier>

/** `calls`: what is run. `runs`: and functions handed on as values. `uses`: everything but imports and exports. */
export type Wanted = "calls" | "runs" | "uses"

/** The least certain edges there are; `usual` leaves name-only edges of a node out where it has better ones. */
export type Least = Tier | "usual"

export interface UseGraph {
  readonly graph: Graph
  /** The same edges turned around. */
  readonly back: Graph
  /** By place in `graph.others`: the tier of the most certain use, as a number. */
  readonly tiers: Uint8Array
  /** The number of the first such use among the columns' edges; -1 from a type to the constructor that making one runs. */
  readonly edges: Int32Array
  /** How many uses there are. */
  readonly sites: Int32Array
  /** Name-only edges that were left out beside better ones, and edges below the tier asked for. */
  readonly suppressed: number
  readonly below: number
}

const calls: ReadonlySet<string> = new Set(["call", "new", "macro", "decorate"])
const passing: ReadonlySet<string> = new Set(["import", "export"])

const made = new WeakMap<GraphColumns, Map<string, UseGraph>>()

/** Made once for each state of the graph and each question. */
export const usesOf = (view: GraphView, wanted: Wanted, least: Least = "usual"): UseGraph => {
  const { columns } = view
  let known = made.get(columns)
  if (known === undefined) made.set(columns, (known = new Map()))
  const key = `${wanted} ${least}`
  let graph = known.get(key)
  if (graph === undefined) known.set(key, (graph = gathered(columns, wanted, least)))
  return graph
}

const gathered = (columns: GraphColumns, wanted: Wanted, least: Least): UseGraph => {
  const { kinds, nodeCount, out, roleNames, roles, tiers } = columns
  const { callable, type } = kindsOf(columns)
  const runs = Uint8Array.from(roleNames, (role) => (calls.has(role) ? 1 : 0))
  const passes = Uint8Array.from(roleNames, (role) => (passing.has(role) ? 1 : 0))
  const read = roleNames.indexOf("read")
  const takes = (edge: number): boolean => {
    const role = roles[edge]!
    if (wanted === "uses") return passes[role] === 0
    return (
      runs[role] === 1 || (wanted === "runs" && role === read && callable[kinds[out.others[edge]!]!] === 1)
    )
  }
  const constructors = constructorsOf(columns)
  const worst = least === "usual" ? 3 : tierNames.indexOf(least)
  const from: Array<number> = []
  const to: Array<number> = []
  const best: Array<number> = []
  const first: Array<number> = []
  const sites: Array<number> = []
  /** Where the edge to a node is in what is gathered, plus one, while it belongs to the node at hand. */
  const at = new Int32Array(nodeCount)
  let suppressed = 0
  let below = 0
  for (let node = 0; node < nodeCount; node++) {
    const begin = from.length
    let hidden = worst
    if (least === "usual")
      for (let e = out.starts[node]!; e < out.starts[node + 1]! && hidden === 3; e++)
        if (tiers[e]! < 3 && takes(e)) hidden = 2
    for (let e = out.starts[node]!; e < out.starts[node + 1]!; e++) {
      if (!takes(e)) continue
      const tier = tiers[e]!
      if (tier > hidden) {
        if (least === "usual") suppressed++
        else below++
        continue
      }
      const other = out.others[e]!
      const place = at[other]!
      if (place > begin) {
        sites[place - 1]!++
        if (tier < best[place - 1]!) {
          best[place - 1] = tier
          first[place - 1] = e
        }
        continue
      }
      from.push(node)
      to.push(other)
      best.push(tier)
      first.push(e)
      sites.push(1)
      at[other] = from.length
    }
    if (wanted !== "uses" && type[kinds[node]!] === 1)
      for (const other of constructors.get(node) ?? []) {
        if (at[other]! > begin) continue
        from.push(node)
        to.push(other)
        best.push(1)
        first.push(-1)
        sites.push(1)
        at[other] = from.length
      }
  }
  // The nodes ascend, so the places of edges stay as they were gathered.
  const graph = fromEdges(nodeCount, from, to)
  return {
    graph,
    back: reversed(graph),
    tiers: Uint8Array.from(best),
    edges: Int32Array.from(first),
    sites: Int32Array.from(sites),
    suppressed,
    below
  }
}

/** The constructors each type has as members. */
const constructorsOf = ({ kindNames, kinds, nodeCount, parents, primaries }: GraphColumns) => {
  const out = new Map<number, Array<number>>()
  const constructor = kindNames.indexOf("constructor")
  for (let node = 0; node < nodeCount; node++) {
    if (kinds[node] !== constructor || primaries[node] !== node) continue
    const type = primaries[parents[node]!]!
    const known = out.get(type)
    if (known === undefined) out.set(type, [node])
    else known.push(node)
  }
  return out
}

/** The place of an edge in `graph.others`; -1 when there is none. */
export const placeOf = ({ graph: { others, starts } }: UseGraph, from: number, to: number): number => {
  for (let i = starts[from]!; i < starts[from + 1]!; i++) if (others[i] === to) return i
  return -1
}

/** An edge of the graph in an answer. */
export interface UseRow {
  readonly from: string
  readonly to: string
  readonly kind: string
  readonly file_path?: string
  readonly line?: number
  readonly tier: Tier
  readonly return_usage?: string
  readonly sites?: number
}

/** `ids` may keep what it has said. */
export const useRow = (
  view: GraphView,
  uses: UseGraph,
  fromNode: number,
  toNode: number,
  ids: (node: number) => string = (node) => idOf(view, node)
): UseRow => {
  const place = placeOf(uses, fromNode, toNode)
  const number = place < 0 ? -1 : uses.edges[place]!
  const from = ids(fromNode)
  const to = ids(toNode)
  if (number < 0) return { from, to, kind: "constructs", tier: "resolved" }
  const { line, path: file_path, role: kind, tier, use } = view.columns.edge(number)
  const row: Open<UseRow> =
    use === "unknown"
      ? { from, to, kind, file_path, line, tier }
      : { from, to, kind, file_path, line, tier, return_usage: use }
  if (uses.sites[place]! > 1) row.sites = uses.sites[place]!
  return row
}
