/** Words about nodes of the columns that analyses share: what counts as code, and the rows they answer with. */
import { isUnder } from "../../../registry/Place.ts"
import type { GraphView } from "../../../services/CodeGraph.ts"
import type { GraphColumns } from "../../../services/GraphColumns.ts"

const dataKinds: ReadonlySet<string> = new Set([
  "key",
  "heading",
  "selector",
  "element",
  "target",
  "label",
  "stage",
  "query",
  "fragment",
  "table",
  "view",
  "resource"
])
const callableKinds: ReadonlySet<string> = new Set([
  "function",
  "method",
  "constructor",
  "procedure",
  "operator",
  "macro",
  "test"
])
const typeKinds: ReadonlySet<string> = new Set([
  "class",
  "interface",
  "struct",
  "enum",
  "trait",
  "type_alias",
  "object",
  "union",
  "annotation",
  "extension"
])

export interface Kinds {
  /** By kind number: 1 for what is code and not data, a heading or a part of markup. Files are not. */
  readonly code: Uint8Array
  readonly callable: Uint8Array
  readonly type: Uint8Array
  readonly file: number
}

const madeKinds = new WeakMap<ReadonlyArray<string>, Kinds>()
export const kindsOf = ({ kindNames }: GraphColumns): Kinds => {
  let known = madeKinds.get(kindNames)
  if (known === undefined) {
    const bits = (test: (name: string) => boolean) =>
      Uint8Array.from(kindNames, (name) => (test(name) ? 1 : 0))
    known = {
      code: bits((name) => name !== "file" && !dataKinds.has(name)),
      callable: bits((name) => callableKinds.has(name)),
      type: bits((name) => typeKinds.has(name)),
      file: kindNames.indexOf("file")
    }
    madeKinds.set(kindNames, known)
  }
  return known
}

/** What is made once for each state of the graph, whatever its freshness. */
export const once = <A extends object>(
  make: (view: GraphView, columns: GraphColumns) => A
): ((view: GraphView) => A) => {
  const known = new WeakMap<GraphColumns, A>()
  return (view) => {
    const { columns } = view
    let value = known.get(columns)
    if (value === undefined) known.set(columns, (value = make(view, columns)))
    return value
  }
}

/** Whether a node is code that others can know of, one for each symbol. */
export const isSymbol = (columns: GraphColumns, node: number): boolean =>
  kindsOf(columns).code[columns.kinds[node]!] === 1 &&
  columns.primaries[node] === node &&
  ((columns.flags[node]! & columns.flagBits.local) === 0 ||
    (columns.flags[node]! & columns.flagBits.case) !== 0)

export const idOf = (view: GraphView, node: number): string => view.idOf(view.columns.refOf(node))
export const pathOf = (view: GraphView, node: number): string => view.pathOf(view.columns.refOf(node))

/** Whether a node is one of some; a bit for each node there is. */
export const membersOf = (nodeCount: number, members: Int32Array): ((node: number) => boolean) => {
  const bits = new Int32Array((nodeCount >> 5) + 1)
  for (let i = 0; i < members.length; i++) bits[members[i]! >> 5]! |= 1 << (members[i]! & 31)
  return (node) => (bits[node >> 5]! & (1 << (node & 31))) !== 0
}

/** Ids of nodes, each made once. */
export const idsOf = (view: GraphView): ((node: number) => string) => {
  const known = new Map<number, string>()
  return (node) => {
    let id = known.get(node)
    if (id === undefined) known.set(node, (id = idOf(view, node)))
    return id
  }
}

/** A node in an answer; a new row, which the caller may add to. */
export interface NodeRow {
  id: string
  kind: string
  name: string
  file_path: string
  line: number
}
export const nodeRow = (view: GraphView, node: number, ids?: (node: number) => string): NodeRow => {
  const { columns } = view
  const ref = columns.refOf(node)
  return {
    id: ids === undefined ? view.idOf(ref) : ids(node),
    kind: columns.kindNames[columns.kinds[node]!]!,
    name: view.nameOf(ref),
    file_path: view.pathOf(ref),
    line: columns.lines[node]!
  }
}

/** By node whether its file lies under a prefix. */
export const under = (view: GraphView, prefix: string | undefined): ((node: number) => boolean) => {
  if (prefix === undefined) return () => true
  const { columns } = view
  const fits = isUnder(prefix)
  const inside = new Uint8Array(columns.nodeCount)
  for (const file of columns.fileNodes) inside[file] = fits(pathOf(view, file)) ? 1 : 0
  return (node) => inside[columns.files[node]!] === 1
}
