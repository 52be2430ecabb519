/** The graph as plain nodes and edges, chosen and put in order, for the formats that tell both. */
import type { EdgeInfo, GraphView, SymbolRef, Tier } from "../../../services/CodeGraph.ts"

export interface Node {
  readonly id: string
  readonly kind: string
  readonly name: string
  /** "" for what is outside. */
  readonly path: string
  readonly language: string
  /** 1-based; 0 for files and what is outside. */
  readonly line: number
  readonly end_line: number
  readonly signature: string
  readonly test: boolean
  /** Stands for something outside the workspace. */
  readonly synthetic: boolean
}

export interface Edge {
  readonly from: string
  readonly to: string
  /** contains, or the role of the use: call, import, extends … */
  readonly kind: string
  /** The best known of the uses it stands for. */
  readonly tier: Tier
  /** Uses it stands for. */
  readonly count: number
}

export interface PropertyGraph {
  /** By id. */
  readonly nodes: ReadonlyArray<Node>
  /** By ends and kind. */
  readonly edges: ReadonlyArray<Edge>
  /** Uses with an end that is left out. */
  readonly dropped: number
}

export interface Selection {
  readonly kinds: ReadonlySet<string> | undefined
  readonly languages: ReadonlySet<string> | undefined
  readonly synthetic: boolean
  /** Files that are looked at. */
  readonly files: (path: string) => boolean
}

const order: ReadonlyArray<Tier> = ["exact", "resolved", "inferred", "name"]
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Kind of the nodes that stand for modules outside. */
export const externalKind = "external_module"

/** Uses in a definition that is left out are those of the nearest one around it that is kept. */
export const propertyGraph = (
  view: GraphView,
  { files: looksAt, kinds, languages, synthetic }: Selection
): PropertyGraph => {
  const nodes = new Map<string, Node>()
  const kept = new Set<SymbolRef>()
  const files = view
    .files()
    .map(({ path }) => path)
    .filter(looksAt)
  const take = (ref: SymbolRef): void => {
    const symbol = view.symbol(ref)
    if (kinds !== undefined && !kinds.has(symbol.kind)) return
    if (languages !== undefined && !languages.has(symbol.language)) return
    kept.add(ref)
    const isFile = view.isFile(ref)
    nodes.set(symbol.id, {
      id: symbol.id,
      kind: symbol.kind,
      name: symbol.name,
      path: symbol.path,
      language: symbol.language,
      line: isFile ? 0 : symbol.line,
      end_line: isFile ? 0 : symbol.end_line,
      signature: isFile ? "" : symbol.signature,
      test: symbol.test,
      synthetic: false
    })
  }
  for (const path of files) {
    const ref = view.fileRef(path)
    if (ref !== undefined) take(ref)
    for (const definition of view.definitions(path)) take(definition)
  }
  const around = (ref: SymbolRef): SymbolRef | undefined => view.parent(ref) ?? view.fileRef(view.pathOf(ref))
  const lifted = (ref: SymbolRef): SymbolRef | undefined => {
    let at: SymbolRef | undefined = ref
    while (at !== undefined && !kept.has(at)) at = view.isFile(at) ? undefined : around(at)
    return at
  }
  const edges = new Map<string, { -readonly [K in keyof Edge]: Edge[K] }>()
  const put = (from: string, to: string, kind: string, tier: Tier): void => {
    const key = `${from}\0${to}\0${kind}`
    const known = edges.get(key)
    if (known === undefined) edges.set(key, { from, to, kind, tier, count: 1 })
    else {
      known.count++
      if (order.indexOf(tier) < order.indexOf(known.tier)) known.tier = tier
    }
  }
  for (const ref of kept) {
    if (view.isFile(ref)) continue
    const owner = around(ref)
    const outer = owner === undefined ? undefined : lifted(owner)
    if (outer !== undefined) put(view.idOf(outer), view.idOf(ref), "contains", "exact")
  }
  let dropped = 0
  const use = (edge: EdgeInfo): void => {
    const from = lifted(edge.from)
    if (from === undefined || !kept.has(edge.to)) dropped++
    else put(view.idOf(from), view.idOf(edge.to), edge.role, edge.tier)
  }
  for (const path of files) {
    const ref = view.fileRef(path)
    if (ref === undefined) continue
    for (const edge of view.outgoing(ref)) use(edge)
    if (!synthetic || !kept.has(ref) || (kinds !== undefined && !kinds.has(externalKind))) continue
    for (const { external, module } of view.imports(path)) {
      if (!external || module === "") continue
      const id = `external::${module}`
      nodes.set(id, {
        id,
        kind: externalKind,
        name: module,
        path: "",
        language: "",
        line: 0,
        end_line: 0,
        signature: "",
        test: false,
        synthetic: true
      })
      put(view.idOf(ref), id, "import", "resolved")
    }
  }
  return {
    nodes: [...nodes.values()].sort((a, b) => compare(a.id, b.id)),
    edges: [...edges.values()].sort(
      (a, b) => compare(a.from, b.from) || compare(a.to, b.to) || compare(a.kind, b.kind)
    ),
    dropped
  }
}
