/** How much each definition is tied to others, and how often it lies between them. */
import { betweenness } from "../../../algorithms/betweenness.ts"
import type { GraphView } from "../../../services/CodeGraph.ts"
import { communitiesOf } from "./Communities.ts"
import { isSymbol, once } from "./Nodes.ts"
import { usesOf } from "./Uses.ts"

/** Definitions from which shortest ways are followed. */
const sources = 48

export interface Coupled {
  /** Definitions and top levels of files that use a node, and definitions it uses. */
  readonly fanIn: Int32Array
  readonly fanOut: Int32Array
  /** Communities other than its own among what it is tied to. */
  readonly crossings: Int32Array
  /** Shortest ways through a node, a share of the most there are. */
  readonly betweenness: Float64Array
  /** From 0 to 100; 0 for what is no symbol. */
  readonly score: Float64Array
  /** Mean plus two deviations of the scores of all symbols that are tied to anything. */
  readonly threshold: number
}

const parts = { fanIn: 40, fanOut: 30, crossings: 20, betweenness: 10 } as const

/** What the score is made of, for answers. */
export const scoreWords = {
  fan_in: parts.fanIn,
  fan_out: parts.fanOut,
  community_crossings: parts.crossings,
  betweenness: parts.betweenness
} as const

export const coupledOf: (view: GraphView) => Coupled = once((view, columns) => {
  const { nodeCount } = columns
  const { back, graph } = usesOf(view, "uses")
  const { of } = communitiesOf(view)
  const fanIn = new Int32Array(nodeCount)
  const fanOut = new Int32Array(nodeCount)
  const crossings = new Int32Array(nodeCount)
  const seen = new Int32Array(nodeCount).fill(-1)
  for (let node = 0; node < nodeCount; node++) {
    if (!isSymbol(columns, node)) continue
    const own = of[node]!
    const look = (other: number) => {
      const group = of[other]!
      if (group < 0 || group === own || seen[group] === node) return
      seen[group] = node
      crossings[node]!++
    }
    for (let e = graph.starts[node]!; e < graph.starts[node + 1]!; e++) {
      const other = graph.others[e]!
      if (other === node) continue
      fanOut[node]!++
      look(other)
    }
    for (let e = back.starts[node]!; e < back.starts[node + 1]!; e++) {
      const other = back.others[e]!
      if (other === node || columns.tests[other] === 1) continue
      fanIn[node]!++
      look(other)
    }
  }
  const between = betweenness(usesOf(view, "calls").graph, { sources }).of
  let most = 0
  for (const each of between) if (each > most) most = each
  if (most > 0) for (let node = 0; node < nodeCount; node++) between[node]! /= most
  const scale = (list: Int32Array) => {
    let highest = 0
    for (const each of list) if (each > highest) highest = each
    const full = Math.log1p(highest)
    return (value: number) => (full === 0 ? 0 : Math.log1p(value) / full)
  }
  const inward = scale(fanIn)
  const outward = scale(fanOut)
  const across = scale(crossings)
  const score = new Float64Array(nodeCount)
  let count = 0
  let sum = 0
  let squares = 0
  for (let node = 0; node < nodeCount; node++) {
    if (fanIn[node]! + fanOut[node]! === 0) continue
    const own =
      parts.fanIn * inward(fanIn[node]!) +
      parts.fanOut * outward(fanOut[node]!) +
      parts.crossings * across(crossings[node]!) +
      parts.betweenness * between[node]!
    score[node] = own
    if (columns.tests[node] === 1) continue
    count++
    sum += own
    squares += own * own
  }
  const mean = count === 0 ? 0 : sum / count
  const deviation = count === 0 ? 0 : Math.sqrt(Math.max(0, squares / count - mean * mean))
  return { fanIn, fanOut, crossings, betweenness: between, score, threshold: mean + 2 * deviation }
})
