/**
 * A graph with everything left out that lies elsewhere than below some paths: its files, what they define, and uses with
 * an end outside. What is inside keeps its handles.
 */
import { isWithin, prefixOf } from "../../registry/Place.ts"
import type { EdgeInfo, GraphView, SymbolRef, UnresolvedReason } from "../../services/CodeGraph.ts"
import type { GraphColumns } from "../../services/GraphColumns.ts"
import type { GraphDoubts } from "../../services/GraphDoubts.ts"
import { withFreshness } from "../graph/View.ts"

/** What lies below a path of each list: the longer ones of those that contain each other. Undefined when nothing does. */
export const both = (
  some: ReadonlyArray<string> | undefined,
  others: ReadonlyArray<string> | undefined
): ReadonlyArray<string> | undefined => {
  if (some === undefined || some.length === 0) return others ?? []
  if (others === undefined || others.length === 0) return some
  const out = new Set<string>()
  for (const written of some) {
    const path = prefixOf(written)
    if (path === "") return others
    for (const other of others)
      if (isWithin(path, other)) out.add(path)
      else if (isWithin(other, path)) out.add(other)
  }
  return out.size === 0 ? undefined : [...out]
}

/** Where each edge of a node starts, from how many there are. */
const startsOf = (counts: Int32Array): Int32Array => {
  const starts = new Int32Array(counts.length + 1)
  for (let i = 0; i < counts.length; i++) starts[i + 1] = starts[i]! + counts[i]!
  return starts
}

const columnsOf = (all: GraphColumns, inside: (file: SymbolRef) => boolean) => {
  const held = new Uint8Array(all.nodeCount)
  for (const file of all.fileNodes) if (inside(all.refOf(file))) held[file] = 1
  /** Numbers here by number there, or -1; and the other way round. */
  const here = new Int32Array(all.nodeCount).fill(-1)
  const there: Array<number> = []
  for (let node = 0; node < all.nodeCount; node++)
    if (held[all.files[node]!] === 1) here[node] = there.push(node) - 1
  const nodeCount = there.length
  const edges: Array<number> = []
  const outs = new Int32Array(nodeCount)
  const ins = new Int32Array(nodeCount)
  for (let edge = 0; edge < all.edgeCount; edge++) {
    const from = here[all.sources[edge]!]!
    const to = here[all.out.others[edge]!]!
    if (from < 0 || to < 0) continue
    edges.push(edge)
    outs[from]!++
    ins[to]!++
  }
  const bytes = (of: Uint8Array) => Uint8Array.from(there, (node) => of[node]!)
  const words = (of: Int32Array) => Int32Array.from(there, (node) => of[node]!)
  const nodes = (of: Int32Array) => Int32Array.from(there, (node) => (of[node]! < 0 ? -1 : here[of[node]!]!))
  const ofEdges = (of: Uint8Array) => Uint8Array.from(edges, (edge) => of[edge]!)
  const sources = Int32Array.from(edges, (edge) => here[all.sources[edge]!]!)
  const targets = Int32Array.from(edges, (edge) => here[all.out.others[edge]!]!)
  const inStarts = startsOf(ins)
  const free = inStarts.slice()
  const users = new Int32Array(edges.length)
  const inEdges = new Int32Array(edges.length)
  for (let edge = 0; edge < edges.length; edge++) {
    const place = free[targets[edge]!]!++
    users[place] = sources[edge]!
    inEdges[place] = edge
  }
  const primaries = nodes(all.primaries)
  // One that something outside stands for stands for itself.
  for (let node = 0; node < nodeCount; node++) if (primaries[node]! < 0) primaries[node] = node
  const columns: GraphColumns = {
    ...all,
    nodeCount,
    edgeCount: edges.length,
    kinds: bytes(all.kinds),
    files: nodes(all.files),
    fileNodes: Int32Array.from(
      [...all.fileNodes].filter((file) => held[file] === 1),
      (file) => here[file]!
    ),
    parents: nodes(all.parents),
    primaries,
    languages: bytes(all.languages),
    flags: words(all.flags),
    tests: bytes(all.tests),
    generated: bytes(all.generated),
    lines: words(all.lines),
    complexity: words(all.complexity),
    out: { starts: startsOf(outs), others: targets },
    in: { starts: inStarts, others: users },
    inEdges,
    sources,
    roles: ofEdges(all.roles),
    tiers: ofEdges(all.tiers),
    importBits: ofEdges(all.importBits),
    refOf: (node) => all.refOf(there[node]!),
    nodeOf: (ref) => {
      const node = all.nodeOf(ref)
      return node < 0 ? -1 : here[node]!
    },
    edge: (edge) => all.edge(edges[edge]!)
  }
  const doubtsOf = ({ bits, of }: GraphDoubts): GraphDoubts => ({ of: bytes(of), bits })
  return { columns, doubtsOf }
}

const known = new WeakMap<GraphView["symbol"], Map<string, GraphView>>()

/** The part of a view below any of the paths; the whole where there are none. Made once for a view and its paths. */
export const within = (view: GraphView, paths: ReadonlyArray<string>): GraphView => {
  if (paths.length === 0) return view
  let made = known.get(view.symbol)
  if (made === undefined) known.set(view.symbol, (made = new Map()))
  const key = paths.join("\n")
  let narrow = made.get(key)
  if (narrow === undefined) made.set(key, (narrow = narrowed(view, paths)))
  const { freshness } = view
  return withFreshness(narrow, {
    ...freshness,
    stale_files: freshness.stale_files.filter((file) => paths.some((path) => isWithin(file, path)))
  })
}

const narrowed = (view: GraphView, paths: ReadonlyArray<string>): GraphView => {
  const inside = (path: string): boolean => paths.some((prefix) => isWithin(path, prefix))
  const holds = (ref: SymbolRef): boolean => inside(view.pathOf(ref))
  const kept = (refs: ReadonlyArray<SymbolRef>): ReadonlyArray<SymbolRef> => refs.filter(holds)
  const at = <A>(path: string, none: A, ask: () => A): A => (inside(path) ? ask() : none)
  const incoming = (ref: SymbolRef, from?: (path: string) => boolean): ReadonlyArray<EdgeInfo> =>
    view.incoming(ref, (path) => inside(path) && (from === undefined || from(path)))
  let files: ReturnType<GraphView["files"]> | undefined
  const filesInside = () => (files ??= view.files().filter(({ path }) => inside(path)))
  let columns: ReturnType<typeof columnsOf> | undefined
  const columnsInside = () => (columns ??= columnsOf(view.columns, holds))
  let doubts: GraphDoubts | undefined
  let counts: GraphView["counts"] | undefined
  let unresolved: ReturnType<GraphView["unresolved"]> | undefined
  const unresolvedInside = () => {
    if (unresolved !== undefined) return unresolved
    const all = view.unresolved()
    const reasons = Object.keys(all.counts) as ReadonlyArray<UnresolvedReason>
    const rows = new Map(
      reasons.map((reason) => [
        reason,
        all.rows(reason, 0, all.counts[reason]).filter(({ path }) => inside(path))
      ])
    )
    unresolved = {
      counts: Object.fromEntries(
        reasons.map((reason) => [reason, rows.get(reason)!.length])
      ) as typeof all.counts,
      rows: (reason, from, limit) => rows.get(reason)!.slice(from, from + limit)
    }
    return unresolved
  }

  const over: Partial<GraphView> = {
    generation: `${view.generation} in ${paths.join(" ")}`,
    // Whatever is kept with a view is kept with this function of it.
    symbol: (ref) => view.symbol(ref),
    get counts() {
      if (counts !== undefined) return counts
      const all = filesInside()
      const unbound = unresolvedInside().counts
      return (counts = {
        files: all.length,
        indexed_files: all.filter(({ skipped }) => skipped === undefined).length,
        symbols: all.reduce((n, file) => n + file.symbols, 0),
        edges: columnsInside().columns.edgeCount,
        unbound: Object.values(unbound).reduce((n, count) => n + count, 0)
      })
    },
    fileRef: (path) => at(path, undefined, () => view.fileRef(path)),
    file: (path) => at(path, undefined, () => view.file(path)),
    files: filesInside,
    skipped: () => {
      const counts = new Map<string, number>()
      for (const { skipped } of filesInside())
        if (skipped !== undefined) counts.set(skipped, (counts.get(skipped) ?? 0) + 1)
      return counts
    },
    definitions: (path) => at(path, [], () => view.definitions(path)),
    *all() {
      for (const ref of view.all()) if (holds(ref)) yield ref
    },
    at: (path, line) => at(path, undefined, () => view.at(path, line)),
    resolve: (words) => {
      const { exact, found, suggestions } = view.resolve(words)
      const own = kept(found)
      return { found: own, exact: exact && own.length > 0, suggestions: own.length > 0 ? [] : suggestions }
    },
    named: (name) => kept(view.named(name)),
    search: (query) => {
      const asked = both(query.paths, paths)
      return asked === undefined
        ? { ...view.search({ ...query, limit: 0 }), matches: [], total: 0 }
        : view.search({ ...query, paths: asked })
    },
    incoming,
    incomingCount: (ref) => incoming(ref).length,
    // The same names mean less here than in the whole.
    meaning: (path) => at(path, undefined, () => view.meaning(path) && {}),
    outgoing: (ref) => view.outgoing(ref).filter(({ to }) => holds(to)),
    above: (ref) => view.above(ref).filter((kin) => holds(kin.ref)),
    below: (ref) => view.below(ref).filter((kin) => holds(kin.ref)),
    members: (ref) => kept(view.members(ref)),
    unbound: (name, limit) => {
      const all = view.unbound(name, Number.MAX_SAFE_INTEGER).sites.filter(({ path }) => inside(path))
      return { total: all.length, sites: all.slice(0, limit) }
    },
    unresolved: unresolvedInside,
    imports: (path) =>
      at(path, [], () => view.imports(path).map((row) => ({ ...row, targets: kept(row.targets) }))),
    outside: (path) => at(path, [], () => view.outside(path)),
    marks: (path) =>
      path === undefined
        ? view.marks().filter((mark) => inside(mark.path))
        : at(path, [], () => view.marks(path)),
    get columns() {
      return columnsInside().columns
    },
    get doubts() {
      return (doubts ??= columnsInside().doubtsOf(view.doubts))
    },
    reach: (roots, options) => {
      const all = view.reach(roots, options)
      // A way may lead through what is outside; who is inside is told with the next on it that is inside too.
      const places = all.refs.map(() => -1)
      let count = 0
      all.refs.forEach((ref, i) => {
        if (holds(ref)) places[i] = count++
      })
      const pick = <A>(list: ReadonlyArray<A>) => list.filter((_, i) => places[i]! >= 0)
      const cameFrom = all.cameFrom.map((from) => {
        let by = from
        while (by >= 0 && places[by]! < 0) by = all.cameFrom[by]!
        return by < 0 ? by : places[by]!
      })
      return {
        ...all,
        refs: pick(all.refs),
        files: pick(all.files),
        depths: pick(all.depths),
        cameFrom: pick(cameFrom),
        tiers: pick(all.tiers),
        importers: kept(all.importers)
      }
    },
    overriders: (ref) => kept(view.overriders(ref)),
    runner: (path) => at(path, undefined, () => view.runner(path))
  }
  // What a view makes when it is first asked for is not asked for here.
  return Object.defineProperties(
    {},
    { ...Object.getOwnPropertyDescriptors(view), ...Object.getOwnPropertyDescriptors(over) }
  ) as GraphView
}
