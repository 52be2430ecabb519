/** All nodes and edges of a snapshot in flat arrays, numbered by path; see {@link GraphColumns}. */
import type { EdgeInfo, SymbolRef } from "../../services/CodeGraph.ts"
import type { Adjacency, GraphColumns, NodeFlags } from "../../services/GraphColumns.ts"
import { D, type FactsView, I } from "../languages/Facts.ts"
import { languages } from "../languages/index.ts"
import { definitionKinds, Flag, ImportFlag, kindNumber, Role, roles } from "../languages/Vocabulary.ts"
import { G, targetTier } from "./Edges.ts"
import { definitionAround, liftLocal, originsOf, roleOf } from "./Origins.ts"
import { FileFlag, inPathOrder, type Snapshot } from "./Snapshot.ts"
import { definitionOf, fileOf, nodeOf } from "./World.ts"

const K = kindNumber
const kindNames: ReadonlyArray<string> = [...definitionKinds, "file"]
const fileKind = definitionKinds.length
const languageNames: ReadonlyArray<string> = languages.map(({ id }) => id)
const noLanguage = 255

const flagBits: NodeFlags = {
  exported: Flag.exported,
  async: Flag.async,
  static: Flag.static,
  abstract: Flag.abstract,
  local: Flag.local,
  case: Flag.test,
  private: Flag.private,
  protected: Flag.protected,
  declaration: Flag.declaration,
  override: Flag.override,
  deprecated: Flag.deprecated
}

/** Definitions that may be one of several that are one symbol; the others are not asked. */
const mayShare = (family: string | undefined, kind: number, flags: number): boolean => {
  const declares = (flags & Flag.declaration) !== 0
  const types = kind === K.interface || kind === K.namespace || kind === K.class || kind === K.enum
  return family === "ecmascript" ? declares || types : (family === "python" || family === "c") && declares
}

export interface ColumnsGround {
  readonly snapshot: Snapshot
  /** Definitions that answer as one symbol with this one, itself included, and the one that stands for them. */
  readonly group: (ref: SymbolRef) => ReadonlyArray<SymbolRef>
  readonly primary: (group: ReadonlyArray<SymbolRef>) => SymbolRef
  /** The edge at an offset of a file's slice. */
  readonly edge: (file: number, offset: number) => EdgeInfo
}

/** Where the edges of each node start, from how many each has. */
const startsOf = (nodes: number, ends: Int32Array, edges: number): Int32Array => {
  const starts = new Int32Array(nodes + 1)
  for (let i = 0; i < edges; i++) starts[ends[i]! + 1]!++
  for (let i = 0; i < nodes; i++) starts[i + 1]! += starts[i]!
  return starts
}

export const columnsOf = ({ edge, group, primary, snapshot }: ColumnsGround): GraphColumns => {
  const { resolved } = snapshot
  const order = inPathOrder(snapshot)

  /** Node of each file, by its id in the snapshot. */
  const bases = new Int32Array(snapshot.files.length).fill(-1)
  const fileNodes = new Int32Array(order.length)
  let nodeCount = 0
  order.forEach((file, i) => {
    bases[file.id] = fileNodes[i] = nodeCount
    nodeCount += 1 + (file.view?.definitionCount ?? 0)
  })

  const kinds = new Uint8Array(nodeCount)
  const files = new Int32Array(nodeCount)
  const parents = new Int32Array(nodeCount)
  const primaries = new Int32Array(nodeCount)
  const ofLanguage = new Uint8Array(nodeCount)
  const flags = new Int32Array(nodeCount)
  const tests = new Uint8Array(nodeCount)
  const generated = new Uint8Array(nodeCount)
  const lines = new Int32Array(nodeCount)
  const complexity = new Int32Array(nodeCount)
  const sharing: Array<SymbolRef> = []
  for (const file of order) {
    const base = bases[file.id]!
    const { view } = file
    const count = view?.definitionCount ?? 0
    const inTest = (file.flags & FileFlag.test) !== 0 ? 1 : 0
    files.fill(base, base, base + count + 1)
    ofLanguage.fill(file.language < 0 ? noLanguage : file.language, base, base + count + 1)
    tests[base] = inTest
    if ((file.flags & FileFlag.generated) !== 0) generated.fill(1, base, base + count + 1)
    kinds[base] = fileKind
    parents[base] = -1
    primaries[base] = base
    lines[base] = 1
    if (view === undefined) continue
    const family = languages[file.language]?.family
    for (let i = 0; i < count; i++) {
      const node = base + 1 + i
      const kind = view.def(i, D.kind)
      const bits = view.def(i, D.flags)
      const parent = view.def(i, D.parent)
      kinds[node] = kind
      flags[node] = bits
      parents[node] = base + 1 + parent
      primaries[node] = node
      lines[node] = view.def(i, D.nameLine)
      complexity[node] = view.def(i, D.complexity)
      // An enclosing definition comes before what it encloses.
      tests[node] =
        inTest === 1 ||
        (bits & Flag.test) !== 0 ||
        kind === K.test ||
        (parent >= 0 && tests[base + 1 + parent] === 1)
          ? 1
          : 0
      if (mayShare(family, kind, bits)) sharing.push(nodeOf(file.id, i))
    }
  }
  const nodeOfRef = (ref: SymbolRef): number => {
    const base = bases[fileOf(ref)] ?? -1
    return base < 0 ? -1 : base + 1 + definitionOf(ref)
  }
  for (const ref of sharing) {
    const same = group(ref)
    if (same.length < 2) continue
    const stands = nodeOfRef(primary(same))
    for (const each of same) primaries[nodeOfRef(each)] = stands
  }

  let most = 0
  for (const file of order) most += (resolved[file.id]?.edges.length ?? 0) / G.size
  // As they come, file by file, then spread by their source.
  const from = new Int32Array(most)
  const to = new Int32Array(most)
  const how = new Uint16Array(most)
  const bitsAt = new Uint8Array(most)
  /** Where each edge is in its file's slice. */
  const offsets = new Int32Array(most)
  const firsts = new Int32Array(order.length + 1)
  let at = 0
  for (let place = 0; place < order.length; place++) {
    const { id, view } = order[place]!
    firsts[place] = at
    const edges = resolved[id]?.edges
    if (view === undefined || edges === undefined) continue
    const base = bases[id]!
    const origins = originsOf(view)
    for (let p = 0; p < edges.length; p += G.size) {
      const source = edges[p]!
      const target = edges[p + G.target]!
      const stands = primaries[bases[edges[p + G.file]!]! + (target & 0xffffff)]!
      // One use of a symbol that has several definitions is one edge.
      let again = false
      for (let q = at - 1; !again && q >= firsts[place]! && edges[offsets[q]!] === source; q--)
        again = to[q] === stands
      if (again) continue
      let around = -1
      let role: number
      if (source >= 0) {
        const origin = origins[source]!
        around = definitionAround(origin)
        role = roleOf(origin)
      } else if (-1 - source < view.importCount) {
        role = Role.import
        around = liftLocal(view, view.import(-1 - source, I.within))
        bitsAt[at] = importBitsOf(view, -1 - source)
      } else role = Role.export
      from[at] = primaries[base + 1 + around]!
      to[at] = stands
      how[at] = role | (targetTier(target) << 8)
      offsets[at++] = p
    }
  }
  firsts[order.length] = at
  const edgeCount = at

  const outStarts = startsOf(nodeCount, from, edgeCount)
  const next = outStarts.slice()
  const sources = new Int32Array(edgeCount)
  const targets = new Int32Array(edgeCount)
  const ofRole = new Uint8Array(edgeCount)
  const tiers = new Uint8Array(edgeCount)
  const importBits = new Uint8Array(edgeCount)
  /** Which edge, in the order of files, each one is. */
  const slots = new Int32Array(edgeCount)
  for (let i = 0; i < edgeCount; i++) {
    const edgeAt = next[from[i]!]!++
    sources[edgeAt] = from[i]!
    targets[edgeAt] = to[i]!
    ofRole[edgeAt] = how[i]! & 255
    tiers[edgeAt] = how[i]! >> 8
    importBits[edgeAt] = bitsAt[i]!
    slots[edgeAt] = i
  }
  const inStarts = startsOf(nodeCount, targets, edgeCount)
  const free = inStarts.slice()
  const users = new Int32Array(edgeCount)
  const inEdges = new Int32Array(edgeCount)
  for (let i = 0; i < edgeCount; i++) {
    const place = free[targets[i]!]!++
    users[place] = sources[i]!
    inEdges[place] = i
  }

  /** The place in a list of ascending starts of the last that is not beyond a number. */
  const lastUpTo = (starts: Int32Array, most: number, count: number): number => {
    let low = 0
    let high = count
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (starts[middle]! <= most) low = middle
      else high = middle
    }
    return low
  }
  const out: Adjacency = { starts: outStarts, others: targets }
  const into: Adjacency = { starts: inStarts, others: users }
  return {
    nodeCount,
    edgeCount,
    kinds,
    kindNames,
    files,
    fileNodes,
    parents,
    primaries,
    languages: ofLanguage,
    languageNames,
    flags,
    flagBits,
    tests,
    generated,
    lines,
    complexity,
    out,
    in: into,
    inEdges,
    sources,
    roles: ofRole,
    roleNames: roles,
    tiers,
    importBits,
    refOf: (node) => {
      const base = files[node]!
      return nodeOf(order[lastUpTo(fileNodes, base, fileNodes.length)]!.id, node - base - 1)
    },
    nodeOf: nodeOfRef,
    edge: (number) => {
      const slot = slots[number]!
      const place = lastUpTo(firsts, slot, order.length)
      return edge(order[place]!.id, offsets[slot]!)
    }
  }
}

const importBitsOf = (view: FactsView, index: number): number => {
  const bits = view.import(index, I.flags)
  return (
    ((bits & ImportFlag.typeOnly) !== 0 ? 1 : 0) |
    ((bits & ImportFlag.dynamic) !== 0 ? 2 : 0) |
    ((bits & ImportFlag.reexport) !== 0 ? 4 : 0)
  )
}
