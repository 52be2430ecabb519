/** A walk over the graph as an answer: nodes by distance, each with the edges that lead on from it, in pages that fit. */
import { page, type Answer } from "../../registry/Answer.ts"
import { byteLength } from "../../registry/Json.ts"
import type { Call } from "../../registry/Operation.ts"
import type { EdgeInfo, GraphView, SymbolRef, Tier } from "../../services/CodeGraph.ts"
import type { FileEdge } from "./Files.ts"
import { type Open, rowOf, type SymbolRow } from "../shared/symbols.ts"

/** Nodes a walk visits before it stops and says so. */
export const mostNodes = 20_000

export interface Visited {
  readonly ref: SymbolRef
  readonly depth: number
  /** The edges it was found by, and further ones between it and nodes found before. */
  readonly edges: Array<EdgeInfo>
}

export interface Walked {
  readonly nodes: ReadonlyArray<Visited>
  /** Edges among the subjects themselves, such as recursion. */
  readonly own: ReadonlyArray<EdgeInfo>
  /** Nodes with edges that were not followed because the walk was long enough. */
  readonly stopped: boolean
}

/**
 * Breadth first from the subjects, each node once. `step` gives the edges of a node, `far` the end of an edge that leads
 * on; an end it answers undefined for is left out.
 */
export const walk = (
  subjects: ReadonlyArray<SymbolRef>,
  depth: number,
  step: (ref: SymbolRef, depth: number) => ReadonlyArray<EdgeInfo>,
  far: (edge: EdgeInfo) => SymbolRef | undefined
): Walked => {
  const roots = new Set(subjects)
  const found = new Map<SymbolRef, Visited>()
  const nodes: Array<Visited> = []
  const own: Array<EdgeInfo> = []
  let level: ReadonlyArray<SymbolRef> = subjects
  let stopped = false
  for (let distance = 1; distance <= depth && level.length > 0 && !stopped; distance++) {
    const next: Array<SymbolRef> = []
    for (const ref of level) {
      for (const edge of step(ref, distance - 1)) {
        const end = far(edge)
        if (end === undefined) continue
        if (roots.has(end)) {
          own.push(edge)
          continue
        }
        const known = found.get(end)
        if (known !== undefined) {
          known.edges.push(edge)
          continue
        }
        if (nodes.length >= mostNodes) {
          stopped = true
          continue
        }
        const visited: Visited = { ref: end, depth: distance, edges: [edge] }
        found.set(end, visited)
        nodes.push(visited)
        next.push(end)
      }
    }
    level = next
  }
  return { nodes, own, stopped }
}

/** Ids of symbols, each made once; those in `known` are made already. */
export const ids = (view: GraphView, known = new Map<SymbolRef, string>()): ((ref: SymbolRef) => string) => {
  return (ref) => {
    let id = known.get(ref)
    if (id === undefined) known.set(ref, (id = view.symbol(ref).id))
    return id
  }
}

/** An edge in an answer. */
export interface EdgeRow {
  readonly from: string
  readonly to: string
  readonly kind: string
  readonly file_path: string
  readonly line: number
  readonly tier: Tier
  readonly return_usage?: string
  readonly sites?: number
}
export const edgeRow = (idOf: (ref: SymbolRef) => string, edge: EdgeInfo): EdgeRow => {
  const from = idOf(edge.from)
  const to = idOf(edge.to)
  const { line, path: file_path, role: kind, tier, use } = edge
  const row: Open<EdgeRow> =
    use === "unknown"
      ? { from, to, kind, file_path, line, tier }
      : { from, to, kind, file_path, line, tier, return_usage: use }
  const { sites } = edge as Partial<FileEdge>
  if (sites !== undefined) row.sites = sites
  return row
}

/** A node of a walk in an answer. */
export interface NodeRow extends SymbolRow {
  readonly depth: number
  readonly edge_count?: number
}

/** Edges of one node in an answer before the rest is only counted. */
const mostEdges = 100

/**
 * The page of a walk that was asked for, as many nodes as fit together with their edges. A node whose edges are not all
 * there says how many it has.
 */
export const walkAnswer = (
  view: GraphView,
  call: Call,
  walked: Walked,
  head: object
): Answer<
  object & {
    readonly nodes: ReadonlyArray<SymbolRow & { readonly depth: number }>
    readonly edges: ReadonlyArray<object>
  }
> => {
  const known = new Map<SymbolRef, string>()
  const idOf = ids(view, known)
  const nodes: Array<NodeRow> = []
  const edges: Array<object> =
    call.offset === 0 ? walked.own.slice(0, mostEdges).map((edge) => edgeRow(idOf, edge)) : []
  const total = walked.nodes.length
  let used = byteLength(head) + byteLength(edges) + 400
  const end = call.limit === undefined ? total : Math.min(total, call.offset + call.limit)
  for (let i = call.offset; i < end; i++) {
    const visited = walked.nodes[i]!
    const node: Open<NodeRow> = rowOf(view.symbol(visited.ref)) as Open<NodeRow>
    known.set(visited.ref, node.id)
    node.depth = visited.depth
    const shown = Math.min(mostEdges, visited.edges.length)
    if (visited.edges.length > shown) node.edge_count = visited.edges.length
    const before = edges.length
    let bytes = byteLength(node) + 1
    for (let k = 0; k < shown; k++) {
      const row = edgeRow(idOf, visited.edges[k]!)
      bytes += byteLength(row) + 1
      edges.push(row)
    }
    if (used + bytes > call.budget && nodes.length > 0) {
      edges.length = before
      break
    }
    used += bytes
    nodes.push(node)
  }
  return page(
    "nodes",
    {
      ...head,
      total_nodes: total,
      ...(walked.stopped ? { walk_stopped_at: mostNodes } : {}),
      nodes,
      edges
    },
    { from: call.offset, total, snapshot: view.generation }
  )
}
