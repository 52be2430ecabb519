/** The columns of several graphs one behind the other, with the edges between them put in. */
import type { EdgeInfo, SymbolRef } from "../../services/CodeGraph.ts"
import type { GraphColumns } from "../../services/GraphColumns.ts"
import { roles } from "../languages/Vocabulary.ts"
import type { Part } from "./Composite.ts"

interface Handles {
  readonly up: (at: number, ref: SymbolRef) => SymbolRef
  readonly down: (ref: SymbolRef) => { readonly at: number; readonly ref: SymbolRef }
}

type Column = Int32Array | Uint8Array

/** One column of all parts; `shift` is added to what names a node. */
const strung = <A extends Column>(
  parts: ReadonlyArray<A>,
  make: (length: number) => A,
  shift?: (at: number) => number
): A => {
  const out = make(parts.reduce((n, { length }) => n + length, 0))
  let to = 0
  parts.forEach((part, at) => {
    const by = shift?.(at) ?? 0
    if (by === 0) out.set(part, to)
    else for (let i = 0; i < part.length; i++) out[to + i] = part[i]! < 0 ? part[i]! : part[i]! + by
    to += part.length
  })
  return out
}
const words = (length: number) => new Int32Array(length)
const bytes = (length: number) => new Uint8Array(length)

/** Where the edges of each node start, from the node each one is at. */
const startsOf = (nodes: number, ends: Int32Array): Int32Array => {
  const starts = new Int32Array(nodes + 1)
  for (const end of ends) starts[end + 1]!++
  for (let i = 0; i < nodes; i++) starts[i + 1]! += starts[i]!
  return starts
}

export const joined = (
  parts: ReadonlyArray<Part>,
  crossings: ReadonlyArray<EdgeInfo>,
  { down, up }: Handles
): GraphColumns => {
  const each = parts.map(({ view }) => view.columns)
  const [first] = each
  if (first === undefined) throw new RangeError("no repository")
  const bases: Array<number> = []
  let nodeCount = 0
  for (const columns of each) {
    bases.push(nodeCount)
    nodeCount += columns.nodeCount
  }
  const shift = (at: number) => bases[at]!
  const column = <K extends keyof GraphColumns>(name: K) => each.map((columns) => columns[name])

  const nodeOf = (ref: SymbolRef): number => {
    const { at, ref: inner } = down(ref)
    const node = each[at]?.nodeOf(inner) ?? -1
    return node < 0 ? -1 : bases[at]! + node
  }
  const partOf = (node: number): number => {
    let at = bases.length - 1
    while (at > 0 && bases[at]! > node) at--
    return at
  }
  const primaries = strung(column("primaries"), words, shift)
  const between = crossings.flatMap((edge) => {
    const from = nodeOf(edge.from)
    const to = nodeOf(edge.to)
    return from < 0 || to < 0 ? [] : [{ edge, from: primaries[from]!, to: primaries[to]! }]
  })

  // The edges of all, ours behind those of each node.
  const own = each.reduce((n, { edgeCount }) => n + edgeCount, 0)
  const edgeCount = own + between.length
  const starts = new Int32Array(nodeCount + 1)
  each.forEach((columns, at) => {
    for (let n = 0; n < columns.nodeCount; n++)
      starts[bases[at]! + n + 1] = columns.out.starts[n + 1]! - columns.out.starts[n]!
  })
  for (const edge of between) starts[edge.from + 1]!++
  for (let i = 0; i < nodeCount; i++) starts[i + 1]! += starts[i]!
  const targets = new Int32Array(edgeCount)
  const sources = new Int32Array(edgeCount)
  const ofRole = new Uint8Array(edgeCount)
  const tiers = new Uint8Array(edgeCount)
  const importBits = new Uint8Array(edgeCount)
  /** Part and number there of each edge, or -1 and its place among those between parts. */
  const whose = new Int32Array(edgeCount)
  const numbers = new Int32Array(edgeCount)
  const next = starts.slice()
  each.forEach((columns, at) => {
    for (let e = 0; e < columns.edgeCount; e++) {
      const source = bases[at]! + columns.sources[e]!
      const place = next[source]!++
      sources[place] = source
      targets[place] = bases[at]! + columns.out.others[e]!
      ofRole[place] = columns.roles[e]!
      tiers[place] = columns.tiers[e]!
      importBits[place] = columns.importBits[e]!
      whose[place] = at
      numbers[place] = e
    }
  })
  const tierNumber = { exact: 0, resolved: 1, inferred: 2, name: 3 } as const
  between.forEach(({ edge, from: source, to }, i) => {
    const place = next[source]!++
    sources[place] = source
    targets[place] = to
    ofRole[place] = Math.max((roles as ReadonlyArray<string>).indexOf(edge.role), 0)
    tiers[place] = tierNumber[edge.tier]
    whose[place] = -1
    numbers[place] = i
  })
  const inStarts = startsOf(nodeCount, targets)
  const free = inStarts.slice()
  const users = new Int32Array(edgeCount)
  const inEdges = new Int32Array(edgeCount)
  for (let e = 0; e < edgeCount; e++) {
    const place = free[targets[e]!]!++
    users[place] = sources[e]!
    inEdges[place] = e
  }
  return {
    nodeCount,
    edgeCount,
    kinds: strung(column("kinds"), bytes),
    kindNames: first.kindNames,
    files: strung(column("files"), words, shift),
    fileNodes: strung(column("fileNodes"), words, shift),
    parents: strung(column("parents"), words, shift),
    primaries,
    languages: strung(column("languages"), bytes),
    languageNames: first.languageNames,
    flags: strung(column("flags"), words),
    flagBits: first.flagBits,
    tests: strung(column("tests"), bytes),
    generated: strung(column("generated"), bytes),
    lines: strung(column("lines"), words),
    complexity: strung(column("complexity"), words),
    out: { starts, others: targets },
    in: { starts: inStarts, others: users },
    inEdges,
    sources,
    roles: ofRole,
    roleNames: first.roleNames,
    tiers,
    importBits,
    refOf: (node) => {
      const at = partOf(node)
      return up(at, each[at]!.refOf(node - bases[at]!))
    },
    nodeOf,
    edge: (number) => {
      const at = whose[number]!
      if (at < 0) return between[numbers[number]!]!.edge
      const edge = each[at]!.edge(numbers[number]!)
      return {
        ...edge,
        from: up(at, edge.from),
        to: up(at, edge.to),
        path: parts[at]!.prefix + edge.path
      }
    }
  }
}
