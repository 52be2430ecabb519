/** How deep in the thick of a graph each node is. */
import { nodesOf, type Undirected } from "./Graph.ts"

/**
 * The core number of each node: the largest k such that it belongs to a part of the graph in which every node has at
 * least k neighbours of that part. After Batagelj and Zaveršnik; loops do not count.
 */
export const cores = (graph: Undirected): Int32Array => {
  const nodes = nodesOf(graph)
  const { others, starts } = graph
  const degree = new Int32Array(nodes)
  let most = 0
  for (let node = 0; node < nodes; node++) {
    degree[node] = starts[node + 1]! - starts[node]!
    if (degree[node]! > most) most = degree[node]!
  }
  // Nodes by degree, and where the nodes of each degree begin.
  const begins = new Int32Array(most + 2)
  for (let node = 0; node < nodes; node++) begins[degree[node]! + 1]!++
  for (let d = 0; d <= most; d++) begins[d + 1]! += begins[d]!
  const order = new Int32Array(nodes)
  const place = new Int32Array(nodes)
  const next = begins.slice()
  for (let node = 0; node < nodes; node++) {
    place[node] = next[degree[node]!]!++
    order[place[node]!] = node
  }
  for (let at = 0; at < nodes; at++) {
    const node = order[at]!
    for (let i = starts[node]!; i < starts[node + 1]!; i++) {
      const other = others[i]!
      if (degree[other]! <= degree[node]!) continue
      // It moves to the front of the nodes of its degree, which then begin behind it.
      const front = begins[degree[other]!]!
      const first = order[front]!
      if (first !== other) {
        order[front] = other
        order[place[other]!] = first
        place[first] = place[other]!
        place[other] = front
      }
      begins[degree[other]!]!++
      degree[other]!--
    }
  }
  return degree
}
