/** Communities by halving: along the leading eigenvector of the modularity matrix, after Newman, as long as that wins. */
import { strengthsOf } from "./communities.ts"
import { nodesOf, type Undirected } from "./Graph.ts"
import { type Groups, numbered } from "./Groups.ts"

/** Steps of the power method for one half, and what it has to move by to go on. */
const steps = 500
const still = 1e-9

export interface SpectralOptions {
  readonly resolution?: number | undefined
}

/** Time grows with edges times groups: for graphs of some ten thousand edges. */
export const spectral = (graph: Undirected, { resolution = 1 }: SpectralOptions = {}): Groups => {
  const nodes = nodesOf(graph)
  const { of: strength, total } = strengthsOf(graph)
  const group = new Int32Array(nodes)
  if (total === 0) return numbered(Int32Array.from({ length: nodes }, (_, node) => node))
  const { loops, others, starts, weights } = graph
  const place = new Int32Array(nodes).fill(-1)
  let count = 1
  const todo: Array<Int32Array> = [Int32Array.from({ length: nodes }, (_, node) => node)]
  while (todo.length > 0) {
    const members = todo.pop()!
    const size = members.length
    if (size < 2) continue
    members.forEach((node, i) => (place[node] = i))
    let all = 0
    for (const node of members) all += strength[node]!
    /** What each member has with the group, beyond chance: taken off the diagonal. */
    const own = new Float64Array(size)
    let reach = 0
    for (let i = 0; i < size; i++) {
      const node = members[i]!
      let inside = loops === undefined ? 0 : 2 * loops[node]!
      for (let e = starts[node]!; e < starts[node + 1]!; e++)
        if (place[others[e]!]! >= 0) inside += weights[e]!
      own[i] = inside - (resolution * strength[node]! * all) / total
      reach = Math.max(reach, 2 * inside + (2 * resolution * strength[node]! * all) / total)
    }
    const times = (vector: Float64Array) => {
      let projected = 0
      for (let i = 0; i < size; i++) projected += strength[members[i]!]! * vector[i]!
      const out = new Float64Array(size)
      for (let i = 0; i < size; i++) {
        const node = members[i]!
        let sum = loops === undefined ? 0 : 2 * loops[node]! * vector[i]!
        for (let e = starts[node]!; e < starts[node + 1]!; e++) {
          const other = place[others[e]!]!
          if (other >= 0) sum += weights[e]! * vector[other]!
        }
        out[i] = sum - (resolution * strength[node]! * projected) / total - own[i]! * vector[i]!
      }
      return out
    }
    // Values from a fixed sequence, so that no eigenvector is left out by symmetry and every run is the same.
    let vector = Float64Array.from({ length: size }, (_, i) => ((i * 0.618_033_988_75 + 0.5) % 1) - 0.5)
    for (let step = 0; step < steps; step++) {
      const next = times(vector)
      let norm = 0
      for (let i = 0; i < size; i++) {
        next[i]! += reach * vector[i]!
        norm += next[i]! ** 2
      }
      norm = Math.sqrt(norm)
      if (norm === 0) break
      let moved = 0
      for (let i = 0; i < size; i++) {
        next[i]! /= norm
        moved = Math.max(moved, Math.abs(next[i]! - vector[i]!))
      }
      vector = next
      if (moved < still) break
    }
    const side = Float64Array.from(vector, (value) => (value > 0 ? 1 : -1))
    settle(
      side,
      members,
      graph,
      place,
      (node) => (resolution * strength[node]!) / total,
      strength,
      1e-9 * total
    )
    const product = times(side)
    let gain = 0
    for (let i = 0; i < size; i++) gain += side[i]! * product[i]!
    for (const node of members) place[node] = -1
    if (gain <= 1e-9 * total) continue
    const left = members.filter((_, i) => side[i]! > 0)
    const right = members.filter((_, i) => side[i]! < 0)
    if (left.length === 0 || right.length === 0) continue
    for (const node of right) group[node] = count
    count++
    todo.push(right, left)
  }
  return numbered(group)
}

/** Moves single nodes to the other side as long as that wins. `side` is changed. */
const settle = (
  side: Float64Array,
  members: Int32Array,
  { others, starts, weights }: Undirected,
  place: Int32Array,
  chance: (node: number) => number,
  strength: Float64Array,
  margin: number
): void => {
  let sum = 0
  for (let i = 0; i < members.length; i++) sum += side[i]! * strength[members[i]!]!
  for (let round = 0, moved = true; moved && round < 20; round++) {
    moved = false
    for (let i = 0; i < members.length; i++) {
      const node = members[i]!
      // What holds it where it is, itself left out.
      let pull = -chance(node) * (sum - strength[node]! * side[i]!)
      for (let e = starts[node]!; e < starts[node + 1]!; e++) {
        const other = place[others[e]!]!
        if (other >= 0) pull += weights[e]! * side[other]!
      }
      if (pull * side[i]! >= -margin) continue
      sum -= 2 * strength[node]! * side[i]!
      side[i] = -side[i]!
      moved = true
    }
  }
}
