/**
 * Communities: groups of nodes that have more to do with each other than with the rest. All of it works on modularity,
 * the share of weight inside groups beyond what chance would put there, and goes through nodes in fixed orders: equal
 * graphs give equal groups.
 */
import { weak } from "./components.ts"
import { nodesOf, type Undirected } from "./Graph.ts"
import { type Groups, membersOf, numbered } from "./Groups.ts"

/** Weight of a node's edges, loops at both their ends, and of all nodes together. */
export const strengthsOf = (graph: Undirected): { readonly of: Float64Array; readonly total: number } => {
  const nodes = nodesOf(graph)
  const of = new Float64Array(nodes)
  let total = 0
  for (let node = 0; node < nodes; node++) {
    let sum = graph.loops === undefined ? 0 : 2 * graph.loops[node]!
    for (let i = graph.starts[node]!; i < graph.starts[node + 1]!; i++) sum += graph.weights[i]!
    of[node] = sum
    total += sum
  }
  return { of, total }
}

/** From -0.5 to 1; 0 for a graph without edges. A higher resolution asks for smaller groups; 1 by default. */
export const modularity = (graph: Undirected, groups: Groups, resolution = 1): number => {
  const { of, total } = strengthsOf(graph)
  if (total === 0) return 0
  const all = new Float64Array(groups.count)
  let inside = 0
  for (let node = 0; node < of.length; node++) {
    const own = groups.of[node]!
    all[own]! += of[node]!
    if (graph.loops !== undefined) inside += 2 * graph.loops[node]!
    for (let i = graph.starts[node]!; i < graph.starts[node + 1]!; i++)
      if (groups.of[graph.others[i]!] === own) inside += graph.weights[i]!
  }
  let chance = 0
  for (const each of all) chance += (each / total) ** 2
  return inside / total - resolution * chance
}

/** Each group as one node, the weight inside it as its loop. */
export const aggregated = (graph: Undirected, groups: Groups): Undirected => {
  const { members, starts: firsts } = membersOf(groups)
  const starts = new Int32Array(groups.count + 1)
  const others = new Int32Array(graph.others.length)
  const weights = new Float64Array(graph.others.length)
  const loops = new Float64Array(groups.count)
  const at = new Int32Array(groups.count)
  let size = 0
  for (let group = 0; group < groups.count; group++) {
    const first = size
    for (let m = firsts[group]!; m < firsts[group + 1]!; m++) {
      const node = members[m]!
      if (graph.loops !== undefined) loops[group]! += graph.loops[node]!
      for (let i = graph.starts[node]!; i < graph.starts[node + 1]!; i++) {
        const other = groups.of[graph.others[i]!]!
        if (other === group) loops[group]! += graph.weights[i]! / 2
        else {
          let place = at[other]!
          if (place <= first) {
            others[size] = other
            at[other] = place = ++size
          }
          weights[place - 1]! += graph.weights[i]!
        }
      }
    }
    starts[group + 1] = size
  }
  return { starts, others: others.slice(0, size), weights: weights.slice(0, size), loops }
}

/** What a move has to win at least, as a share of all weight: less is rounding. */
const least = 1e-12

/** In which order the nodes of a graph are looked at. */
type Order = (nodes: number) => Int32Array

const natural = (nodes: number) => Int32Array.from({ length: nodes }, (_, node) => node)

/** Orders drawn from a fixed sequence. */
const shuffled = (seed: number): Order => {
  let state = seed
  return (nodes) => {
    const order = natural(nodes)
    for (let i = nodes - 1; i > 0; i--) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      const other = Math.floor((state / 2 ** 32) * (i + 1))
      const kept = order[i]!
      order[i] = order[other]!
      order[other] = kept
    }
    return order
  }
}

/** The order of nodes decides where a method gets stuck, so small graphs are given several tries. */
const bestOf = (graph: Undirected, resolution: number, find: (order: Order) => Groups): Groups => {
  const tries = nodesOf(graph) <= 2_000 ? 8 : 1
  let best = find(natural)
  let most = tries === 1 ? 0 : modularity(graph, best, resolution)
  for (let seed = 1; seed < tries; seed++) {
    const other = find(shuffled(seed))
    const own = modularity(graph, other, resolution)
    if (own <= most + 1e-12) continue
    most = own
    best = other
  }
  return best
}

/** Moves nodes between groups, one at a time, as long as that raises modularity. `of` is changed; whether a node moved. */
const move = (graph: Undirected, of: Int32Array, resolution: number, order: Order): boolean => {
  const nodes = of.length
  const { of: strength, total } = strengthsOf(graph)
  if (total === 0) return false
  const { others, starts, weights } = graph
  const sums = new Float64Array(nodes)
  const sizes = new Int32Array(nodes)
  for (let node = 0; node < nodes; node++) {
    sums[of[node]!]! += strength[node]!
    sizes[of[node]!]!++
  }
  const free: Array<number> = []
  for (let group = nodes - 1; group >= 0; group--) if (sizes[group] === 0) free.push(group)
  const toward = new Float64Array(nodes)
  const near: Array<number> = []
  // A ring of the nodes to look at: at first all, then those next to what moved.
  const queue = order(nodes)
  const waits = new Uint8Array(nodes).fill(1)
  let head = 0
  let waiting = nodes
  let moved = false
  while (waiting > 0) {
    const node = queue[head]!
    head = head + 1 === nodes ? 0 : head + 1
    waiting--
    waits[node] = 0
    const own = of[node]!
    near.length = 0
    for (let i = starts[node]!; i < starts[node + 1]!; i++) {
      const group = of[others[i]!]!
      if (toward[group] === 0) near.push(group)
      toward[group]! += weights[i]!
    }
    const share = (resolution * strength[node]!) / total
    sums[own]! -= strength[node]!
    sizes[own]!--
    let best = own
    let most = toward[own]! - share * sums[own]!
    const margin = least * total
    for (const group of near) {
      const gain = toward[group]! - share * sums[group]!
      if (gain > most + margin || (gain > most - margin && group < best && best !== own)) {
        most = Math.max(gain, most)
        best = group
      }
    }
    // Better alone than in any group.
    if (most < -margin && sizes[own]! > 0 && free.length > 0) best = free.pop()!
    for (const group of near) toward[group] = 0
    sums[best]! += strength[node]!
    sizes[best]!++
    if (best === own) continue
    if (sizes[own] === 0) free.push(own)
    moved = true
    of[node] = best
    for (let i = starts[node]!; i < starts[node + 1]!; i++) {
      const other = others[i]!
      if (waits[other] === 1 || of[other] === best) continue
      waits[other] = 1
      queue[(head + waiting) % nodes] = other
      waiting++
    }
  }
  return moved
}

/** Takes groups of groups back to groups of nodes. */
const through = (of: Int32Array, next: Int32Array) => Int32Array.from(of, (group) => next[group]!)

export interface CommunityOptions {
  /** Above 1 for smaller groups, below for larger; 1 by default. */
  readonly resolution?: number | undefined
}

/** The method of Louvain: move nodes, take groups as nodes, again, until nothing moves. */
export const louvain = (graph: Undirected, { resolution = 1 }: CommunityOptions = {}): Groups =>
  bestOf(graph, resolution, (order) => {
    let of = natural(nodesOf(graph))
    let level = graph
    for (;;) {
      const own = natural(nodesOf(level))
      if (!move(level, own, resolution, order)) return numbered(of)
      const groups = numbered(own)
      of = through(of, groups.of)
      level = aggregated(level, groups)
    }
  })

/**
 * Within each group, nodes that stand alone join the part of the group they win most by, where both are tied well to the
 * group. What comes out are parts that hang together and that the groups are made of.
 */
const refine = (graph: Undirected, groups: Groups, resolution: number, order: Order): Groups => {
  const nodes = nodesOf(graph)
  const { of: strength, total } = strengthsOf(graph)
  const { others, starts, weights } = graph
  const part = Int32Array.from({ length: nodes }, (_, node) => node)
  const sums = strength.slice()
  const sizes = new Int32Array(nodes).fill(1)
  const whole = new Float64Array(groups.count)
  /** Weight from each part to the rest of its group. */
  const ties = new Float64Array(nodes)
  for (let node = 0; node < nodes; node++) {
    whole[groups.of[node]!]! += strength[node]!
    for (let i = starts[node]!; i < starts[node + 1]!; i++)
      if (groups.of[others[i]!] === groups.of[node]) ties[node]! += weights[i]!
  }
  const toward = new Float64Array(nodes)
  const near: Array<number> = []
  const tied = (p: number, group: number) =>
    ties[p]! >= (resolution * sums[p]! * (whole[group]! - sums[p]!)) / total - least * total
  for (const node of order(nodes)) {
    const group = groups.of[node]!
    if (part[node] !== node || sizes[node] !== 1 || !tied(node, group)) continue
    near.length = 0
    for (let i = starts[node]!; i < starts[node + 1]!; i++) {
      if (groups.of[others[i]!] !== group) continue
      const other = part[others[i]!]!
      if (toward[other] === 0) near.push(other)
      toward[other]! += weights[i]!
    }
    let best = -1
    let most = 0
    for (const other of near) {
      const gain = toward[other]! - (resolution * strength[node]! * sums[other]!) / total
      if ((gain > most || (gain === most && best >= 0 && other < best)) && tied(other, group)) {
        most = gain
        best = other
      }
    }
    if (best >= 0) {
      ties[best] = ties[best]! + ties[node]! - 2 * toward[best]!
      sums[best]! += sums[node]!
      sizes[best]!++
      sizes[node] = 0
      sums[node] = 0
      part[node] = best
    }
    for (const other of near) toward[other] = 0
  }
  return numbered(part)
}

/** Splits groups whose nodes do not hang together, which modularity never suffers from. */
const connected = (graph: Undirected, of: Int32Array): Groups => {
  const nodes = nodesOf(graph)
  const starts = new Int32Array(nodes + 1)
  const others = new Int32Array(graph.others.length)
  let size = 0
  for (let node = 0; node < nodes; node++) {
    for (let i = graph.starts[node]!; i < graph.starts[node + 1]!; i++)
      if (of[graph.others[i]!] === of[node]) others[size++] = graph.others[i]!
    starts[node + 1] = size
  }
  return weak({ starts, others: others.slice(0, size) })
}

/** Passes over the whole of the method, each starting from what the last has found; a large graph wins little by further ones. */
const passesFor = (nodes: number): number => (nodes > 20_000 ? 1 : 3)

/**
 * The method of Leiden, with the best part taken where the original draws one: like Louvain's, but what becomes a node is
 * a refined part of a group, which may still move to another one. Each group hangs together.
 */
export const leiden = (graph: Undirected, { resolution = 1 }: CommunityOptions = {}): Groups =>
  bestOf(graph, resolution, (order) => {
    const nodes = nodesOf(graph)
    let found = natural(nodes)
    for (let pass = 0; pass < passesFor(nodes); pass++) {
      const before = numbered(found).of
      let level = graph
      /** For each node of the graph its node of the level. */
      let above = natural(nodes)
      let of = Int32Array.from(before)
      for (;;) {
        const moved = move(level, of, resolution, order)
        const groups = numbered(of)
        const size = nodesOf(level)
        found = through(above, groups.of)
        if (groups.count === size || (!moved && level !== graph)) break
        const parts = refine(level, groups, resolution, order)
        if (parts.count === size) break
        level = aggregated(level, parts)
        above = through(above, parts.of)
        const next = new Int32Array(parts.count)
        for (let node = 0; node < size; node++) next[parts.of[node]!] = groups.of[node]!
        of = next
      }
      found = Int32Array.from(connected(graph, found).of)
      if (found.every((group, node) => group === before[node])) break
    }
    return numbered(found)
  })
