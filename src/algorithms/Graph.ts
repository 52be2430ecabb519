/**
 * Graphs as the kernels of this room read them: nodes are numbers from 0, and the ends of a node's edges lie side by side.
 * Nothing here keeps what it is given or changes it, and nothing draws by chance: equal graphs give equal answers.
 */

/** The edges of node `n` lie in `others` from `starts[n]` up to, exclusive, `starts[n + 1]`. */
export interface Graph {
  /** One more than there are nodes, ascending from 0. */
  readonly starts: Int32Array
  readonly others: Int32Array
}

/** A graph with a weight above 0 for each place of `others`. */
export interface Weighted extends Graph {
  readonly weights: Float64Array
}

/**
 * An undirected simple graph: each edge at both its ends with the same weight, none twice. Loops stand apart, as what a
 * node has with itself, each counted once; absent where there are none.
 */
export interface Undirected extends Weighted {
  readonly loops?: Float64Array
}

export const nodesOf = ({ starts }: Graph): number => starts.length - 1

/** A graph of edges given by their ends; those of a node in the order given. */
export const fromEdges = (nodes: number, from: ArrayLike<number>, to: ArrayLike<number>): Graph => {
  const starts = new Int32Array(nodes + 1)
  for (let i = 0; i < from.length; i++) starts[from[i]! + 1]!++
  for (let i = 0; i < nodes; i++) starts[i + 1]! += starts[i]!
  const next = starts.slice(0, nodes)
  const others = new Int32Array(from.length)
  for (let i = 0; i < from.length; i++) others[next[from[i]!]!++] = to[i]!
  return { starts, others }
}

/** The same edges turned around; those of a node ascend by their other end. */
export const reversed = (graph: Graph): Graph => {
  const nodes = nodesOf(graph)
  const { others, starts } = graph
  const back = new Int32Array(nodes + 1)
  for (let i = 0; i < others.length; i++) back[others[i]! + 1]!++
  for (let i = 0; i < nodes; i++) back[i + 1]! += back[i]!
  const next = back.slice(0, nodes)
  const sources = new Int32Array(others.length)
  for (let node = 0; node < nodes; node++)
    for (let i = starts[node]!; i < starts[node + 1]!; i++) sources[next[others[i]!]!++] = node
  return { starts: back, others: sources }
}

/** A directed graph without loops in which edges between the same two nodes are one, their weights added up. */
export const merged = (graph: Graph & { readonly weights?: Float64Array }): Weighted => {
  const nodes = nodesOf(graph)
  const { others, starts, weights } = graph
  const out = new Int32Array(nodes + 1)
  const ends = new Int32Array(others.length)
  const sums = new Float64Array(others.length)
  /** Where the edge to a node is in the row that is being made, plus one. */
  const at = new Int32Array(nodes)
  let size = 0
  for (let node = 0; node < nodes; node++) {
    const first = size
    for (let i = starts[node]!; i < starts[node + 1]!; i++) {
      const other = others[i]!
      if (other === node) continue
      let place = at[other]!
      if (place <= first) {
        ends[size] = other
        at[other] = place = ++size
      }
      sums[place - 1]! += weights === undefined ? 1 : weights[i]!
    }
    out[node + 1] = size
  }
  return { starts: out, others: ends.slice(0, size), weights: sums.slice(0, size) }
}

/** A directed graph without its directions: edges between two nodes, either way, are one with their weights added up. */
export const undirected = (graph: Graph & { readonly weights?: Float64Array }): Undirected => {
  const nodes = nodesOf(graph)
  const { others, starts, weights } = graph
  const degrees = new Int32Array(nodes + 1)
  let loops: Float64Array | undefined
  for (let node = 0; node < nodes; node++)
    for (let i = starts[node]!; i < starts[node + 1]!; i++) {
      const other = others[i]!
      if (other === node)
        (loops ??= new Float64Array(nodes))[node]! += weights === undefined ? 1 : weights[i]!
      else {
        degrees[node + 1]!++
        degrees[other + 1]!++
      }
    }
  for (let i = 0; i < nodes; i++) degrees[i + 1]! += degrees[i]!
  const next = degrees.slice(0, nodes)
  const both = new Int32Array(degrees[nodes]!)
  const own = new Float64Array(degrees[nodes]!)
  for (let node = 0; node < nodes; node++)
    for (let i = starts[node]!; i < starts[node + 1]!; i++) {
      const other = others[i]!
      if (other === node) continue
      const weight = weights === undefined ? 1 : weights[i]!
      own[next[node]!] = weight
      both[next[node]!++] = other
      own[next[other]!] = weight
      both[next[other]!++] = node
    }
  const simple = merged({ starts: degrees, others: both, weights: own })
  return loops === undefined ? simple : { ...simple, loops }
}

/** The part of an undirected graph between some nodes, numbered by their place in the list. */
export const induced = (graph: Undirected, members: ArrayLike<number>): Undirected => {
  const place = new Int32Array(nodesOf(graph)).fill(-1)
  for (let i = 0; i < members.length; i++) place[members[i]!] = i
  const starts = new Int32Array(members.length + 1)
  const others: Array<number> = []
  const weights: Array<number> = []
  for (let i = 0; i < members.length; i++) {
    const node = members[i]!
    for (let e = graph.starts[node]!; e < graph.starts[node + 1]!; e++) {
      const other = place[graph.others[e]!]!
      if (other < 0) continue
      others.push(other)
      weights.push(graph.weights[e]!)
    }
    starts[i + 1] = others.length
  }
  const loops =
    graph.loops === undefined
      ? undefined
      : Float64Array.from({ length: members.length }, (_, i) => graph.loops![members[i]!]!)
  return {
    starts,
    others: Int32Array.from(others),
    weights: Float64Array.from(weights),
    ...(loops === undefined ? {} : { loops })
  }
}
