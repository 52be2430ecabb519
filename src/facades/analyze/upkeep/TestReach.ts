/** What tests reach: directly, as edges, and in the end, through what they use. */
import type { GraphView } from "../../../services/CodeGraph.ts"
import type { GraphColumns } from "../../../services/GraphColumns.ts"
import { valueRoles } from "./Uses.ts"

/** 1 for each node that code of tests reaches, tests themselves included. */
export const reachedByTests = (view: GraphView): Uint8Array => {
  const { columns } = view
  const before = known.get(columns)
  if (before !== undefined) return before
  const { files, kindNames, kinds, nodeCount, out, parents, roleNames, roles, tests } = columns
  const values = valueRoles(columns)
  const brings = roleNames.map((role) => role === "import" || role === "export")
  const constructor = kindNames.indexOf("constructor")
  const holders = kindNames.map((kind) =>
    ["constant", "variable", "object", "property", "field"].includes(kind)
  )
  const types = kindNames.map((kind) =>
    ["class", "struct", "object", "enum", "union", "extension"].includes(kind)
  )
  const methods = kindNames.map((kind) => kind === "method" || kind === "function" || kind === "property")
  const reached = new Uint8Array(nodeCount)
  const queue: Array<number> = []
  const add = (node: number) => {
    if (node < 0 || reached[node] === 1) return
    reached[node] = 1
    queue.push(node)
  }
  for (let n = 0; n < nodeCount; n++) if (tests[n] === 1) add(n)
  while (queue.length > 0) {
    const n = queue.pop()!
    for (let e = out.starts[n]!; e < out.starts[n + 1]!; e++) {
      const to = out.others[e]!
      // Importing a file runs what stands at its top.
      if (brings[roles[e]!]) add(files[to]!)
      else if (values[roles[e]!]) {
        add(to)
        add(files[to]!)
      }
    }
    if (kinds[n] === kindNames.length - 1) continue
    // What an object holds may be called by whoever got the object; making a class runs its constructor.
    if (holders[kinds[n]!] || types[kinds[n]!])
      for (let child = n + 1; child < nodeCount && files[child] === files[n]; child++) {
        if (parents[child] === n && (holders[kinds[n]!] || kinds[child] === constructor)) add(child)
        if (parents[child]! < n) break
      }
    if (methods[kinds[n]!] && parents[n] !== files[n])
      for (const over of view.overriders(columns.refOf(n))) add(columns.nodeOf(over))
  }
  known.set(columns, reached)
  return reached
}
const known = new WeakMap<GraphColumns, Uint8Array>()

/** A use of code by a test. */
export interface TestEdge {
  readonly test: number
  readonly code: number
  /** Uses from the one of the other. */
  readonly uses: number
}

/** Uses of code by tests without a step between, by test and then by code. */
export const testEdges = (columns: GraphColumns): ReadonlyArray<TestEdge> => {
  const before = edges.get(columns)
  if (before !== undefined) return before
  const { files, nodeCount, out, roles, tests } = columns
  const values = valueRoles(columns)
  const made: Array<TestEdge> = []
  for (let n = 0; n < nodeCount; n++) {
    if (tests[n] === 0) continue
    const counts = new Map<number, number>()
    for (let e = out.starts[n]!; e < out.starts[n + 1]!; e++) {
      const to = out.others[e]!
      if (tests[to] === 1 || files[to] === to || !values[roles[e]!]) continue
      counts.set(to, (counts.get(to) ?? 0) + 1)
    }
    for (const [code, uses] of [...counts].sort((a, b) => a[0] - b[0])) made.push({ test: n, code, uses })
  }
  edges.set(columns, made)
  return made
}
const edges = new WeakMap<GraphColumns, ReadonlyArray<TestEdge>>()
