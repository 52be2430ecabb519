/** Shortest ways from one node to another, by the number of edges. */
import { type Graph, nodesOf } from "./Graph.ts"

/** How far a search got that found no way. */
export interface Search {
  /** Nodes from the start to the end; undefined when there is no way within the bound. */
  readonly path: ReadonlyArray<number> | undefined
  /** A way may exist beyond the bound. */
  readonly bounded: boolean
}

/** Whether an edge may be taken, by its place in `others` of the graph it is read from. */
export type Allows = (from: number, to: number) => boolean

const always: Allows = () => true

/** Marks of a search, kept between searches of one graph so that each costs what it visits. */
class Marks {
  private readonly stamp: Int32Array
  readonly from: Int32Array
  readonly depth: Int32Array
  /** The nodes that are marked, in the order they were, and how many. */
  readonly queue: Int32Array
  count = 0
  private now = 0
  constructor(nodes: number) {
    this.stamp = new Int32Array(nodes)
    this.from = new Int32Array(nodes)
    this.depth = new Int32Array(nodes)
    this.queue = new Int32Array(nodes)
  }
  clear(): void {
    this.now++
    this.count = 0
  }
  has(node: number): boolean {
    return this.stamp[node] === this.now
  }
  put(node: number, from: number, depth: number): void {
    this.stamp[node] = this.now
    this.from[node] = from
    this.depth[node] = depth
    this.queue[this.count++] = node
  }
}

const kept = new WeakMap<Int32Array, readonly [Marks, Marks]>()
const marksOf = (graph: Graph): readonly [Marks, Marks] => {
  let marks = kept.get(graph.starts)
  if (marks === undefined) {
    const nodes = nodesOf(graph)
    kept.set(graph.starts, (marks = [new Marks(nodes), new Marks(nodes)]))
  }
  return marks
}

/**
 * Searches from both ends in turn, the smaller side first, until they meet. `back` holds the same edges turned around.
 * Of several starts or ends any will do. Of several shortest ways the one found first: nodes are visited in the order of
 * the edges.
 */
export const shortest = (
  graph: Graph,
  back: Graph,
  from: number | ReadonlyArray<number>,
  to: number | ReadonlyArray<number>,
  { allows = always, most }: { readonly allows?: Allows | undefined; readonly most: number }
): Search => {
  const [ahead, behind] = marksOf(graph)
  ahead.clear()
  behind.clear()
  for (const node of typeof from === "number" ? [from] : from) if (!ahead.has(node)) ahead.put(node, -1, 0)
  for (const node of typeof to === "number" ? [to] : to) {
    if (ahead.has(node)) return { path: [node], bounded: false }
    if (!behind.has(node)) behind.put(node, -1, 0)
  }
  let f = 0
  let b = 0
  let reached = 0
  let came = 0
  while (f < ahead.count && b < behind.count) {
    if (reached + came >= most) return { path: undefined, bounded: true }
    const forward = ahead.count - f <= behind.count - b
    const [near, far] = forward ? [ahead, behind] : [behind, ahead]
    const { others, starts } = forward ? graph : back
    const end = near.count
    const distance = forward ? ++reached : ++came
    let meet = -1
    for (let at = forward ? f : b; at < end; at++) {
      const node = near.queue[at]!
      for (let i = starts[node]!; i < starts[node + 1]!; i++) {
        const other = others[i]!
        if (near.has(other) || !(forward ? allows(node, other) : allows(other, node))) continue
        near.put(other, node, distance)
        if (far.has(other) && (meet < 0 || far.depth[other]! < far.depth[meet]!)) meet = other
      }
    }
    if (forward) f = end
    else b = end
    if (meet >= 0) return { path: join(ahead, behind, meet), bounded: false }
  }
  return { path: undefined, bounded: false }
}

const join = (ahead: Marks, behind: Marks, meet: number): ReadonlyArray<number> => {
  const path: Array<number> = []
  for (let node = meet; node >= 0; node = ahead.from[node]!) path.push(node)
  path.reverse()
  for (let node = behind.from[meet]!; node >= 0; node = behind.from[node]!) path.push(node)
  return path
}

/**
 * The `count` shortest ways without a node twice, the shortest first, after Yen; those of equal length in the order of
 * their nodes. Fewer when there are no more of at most `most` edges.
 */
export const shortestWays = (
  graph: Graph,
  back: Graph,
  from: number,
  to: number,
  {
    allows = always,
    count,
    most
  }: { readonly allows?: Allows | undefined; readonly count: number; readonly most: number }
): ReadonlyArray<ReadonlyArray<number>> => {
  const first = shortest(graph, back, from, to, { allows, most }).path
  if (first === undefined) return []
  const found: Array<ReadonlyArray<number>> = [first]
  const known = new Set([first.join()])
  const waiting: Array<ReadonlyArray<number>> = []
  while (found.length < count) {
    const last = found[found.length - 1]!
    for (let spur = 0; spur < last.length - 1; spur++) {
      const root = last.slice(0, spur + 1)
      const left = new Set(root.slice(0, -1))
      const taken = new Set<number>()
      for (const path of found)
        if (path.length > spur + 1 && root.every((node, i) => path[i] === node)) taken.add(path[spur + 1]!)
      const at = last[spur]!
      const rest = shortest(graph, back, at, to, {
        most: most - spur,
        allows: (a, b) =>
          !left.has(a) && !left.has(b) && !(a === at && taken.has(b)) && b !== at && allows(a, b)
      }).path
      if (rest === undefined) continue
      const path = [...root.slice(0, -1), ...rest]
      const key = path.join()
      if (known.has(key)) continue
      known.add(key)
      waiting.push(path)
    }
    if (waiting.length === 0) break
    waiting.sort((a, b) => a.length - b.length || ascending(a, b))
    found.push(waiting.shift()!)
  }
  return found
}

const ascending = (a: ReadonlyArray<number>, b: ReadonlyArray<number>): number => {
  for (let i = 0; i < a.length && i < b.length; i++) if (a[i] !== b[i]) return a[i]! - b[i]!
  return a.length - b.length
}

/** Nodes found from some, nearest first, those themselves among them. */
export interface Found {
  readonly nodes: Int32Array
  /** By distance how many nodes are at most so far away; as long as there are distances. */
  readonly levels: ReadonlyArray<number>
}

/** The nodes at most `depth` edges from some. */
export const within = (
  graph: Graph,
  roots: Iterable<number>,
  depth: number,
  { allows = always }: { readonly allows?: Allows | undefined } = {}
): Found => {
  const [marks] = marksOf(graph)
  const { others, starts } = graph
  const { queue } = marks
  marks.clear()
  for (const root of roots) if (!marks.has(root)) marks.put(root, -1, 0)
  const levels: Array<number> = []
  for (let at = 0, distance = 0; at < marks.count; distance++) {
    const end = marks.count
    levels.push(end)
    if (distance >= depth) break
    for (; at < end; at++) {
      const node = queue[at]!
      for (let i = starts[node]!; i < starts[node + 1]!; i++) {
        const other = others[i]!
        if (!marks.has(other) && allows(node, other)) marks.put(other, node, distance + 1)
      }
    }
  }
  return { nodes: queue.slice(0, marks.count), levels }
}
