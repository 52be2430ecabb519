/** Who uses whom, as numbers: how many definitions use one, and how many it uses. Made once for each snapshot. */
import type { GraphColumns } from "../../../services/GraphColumns.ts"

export interface Uses {
  /** Distinct definitions and files outside of tests that use a node, itself and imports aside. */
  readonly fanIn: Int32Array
  /** Distinct definitions a node uses, itself aside. */
  readonly fanOut: Int32Array
  /** 1 where a node calls itself. */
  readonly recursive: Uint8Array
}

/** By number of role: whether it is a use that runs or reads something, rather than an import or the name of a type. */
export const valueRoles = ({ roleNames }: GraphColumns): ReadonlyArray<boolean> =>
  roleNames.map((role) => ["read", "write", "call", "new", "macro", "decorate", "extends"].includes(role))

const known = new WeakMap<GraphColumns, Uses>()

export const usesOf = (columns: GraphColumns): Uses => {
  const before = known.get(columns)
  if (before !== undefined) return before
  const { files, in: into, inEdges, nodeCount, out, roleNames, roles, tests } = columns
  const counts = valueRoles(columns)
  const calls = roleNames.map((role) => role === "call" || role === "new")
  const fanIn = new Int32Array(nodeCount)
  const fanOut = new Int32Array(nodeCount)
  const recursive = new Uint8Array(nodeCount)
  const seen = new Int32Array(nodeCount).fill(-1)
  for (let n = 0; n < nodeCount; n++) {
    for (let e = out.starts[n]!; e < out.starts[n + 1]!; e++) {
      const to = out.others[e]!
      if (!counts[roles[e]!]) continue
      if (to === n) {
        if (calls[roles[e]!]) recursive[n] = 1
        continue
      }
      if (files[to] === to || seen[to] === n) continue
      seen[to] = n
      fanOut[n]!++
    }
  }
  seen.fill(-1)
  for (let n = 0; n < nodeCount; n++) {
    for (let p = into.starts[n]!; p < into.starts[n + 1]!; p++) {
      const from = into.others[p]!
      if (from === n || tests[from] === 1 || seen[from] === n || !counts[roles[inEdges[p]!]!]) continue
      seen[from] = n
      fanIn[n]!++
    }
  }
  const made = { fanIn, fanOut, recursive }
  known.set(columns, made)
  return made
}

/** Nodes of callables that run something and are nobody's tests, ascending. */
export const callables = (columns: GraphColumns, kinds: ReadonlyArray<boolean>): ReadonlyArray<number> => {
  const { complexity, generated, kinds: of, nodeCount, primaries, tests } = columns
  const out: Array<number> = []
  for (let n = 0; n < nodeCount; n++)
    if (kinds[of[n]!] && primaries[n] === n && tests[n] === 0 && generated[n] === 0 && complexity[n]! > 0)
      out.push(n)
  return out
}
