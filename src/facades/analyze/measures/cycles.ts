import { Effect } from "effect"
import { strong } from "../../../algorithms/components.ts"
import { fromEdges, type Graph, merged, reversed } from "../../../algorithms/Graph.ts"
import { membersOf } from "../../../algorithms/Groups.ts"
import { shortest, within } from "../../../algorithms/paths.ts"
import { page } from "../../../registry/Answer.ts"
import type { Member } from "../../../registry/Facade.ts"
import { invalidArgument } from "../../../registry/Failure.ts"
import * as F from "../../../registry/Fields.ts"
import { isWithin } from "../../../registry/Place.ts"
import { CodeGraph, type GraphView } from "../../../services/CodeGraph.ts"
import type { GraphColumns } from "../../../services/GraphColumns.ts"
import { unreadFiles } from "../../shared/coverage.ts"
import { communitiesOf } from "../../shared/structure/Communities.ts"
import { isSymbol, once, under } from "../../shared/structure/Nodes.ts"
import { startsOf } from "../../shared/structure/Subject.ts"
import { usesOf } from "../../shared/structure/Uses.ts"
import { freshnessOf, graph, oneOf } from "../../shared/symbols.ts"
import { type analyze, kind } from "../facade.ts"

/** Files by what they import and pass on from each other; what is taken for types alone vanishes when code runs and is left out. */
export interface FileGraph {
  readonly graph: Graph
  readonly back: Graph
  /** The same with imports of types. */
  readonly typed: Graph
}

/** Uses that say what something is. */
const declares: ReadonlySet<string> = new Set([
  "type",
  "parameter_type",
  "return_type",
  "field_type",
  "generic_arg",
  "implements"
])
/** Languages whose compilers drop an import of nothing but types, whether or not it says so. */
const elide: ReadonlySet<string> = new Set(["typescript", "tsx"])

/** For each file the definitions it uses for their values, and those it uses at all. */
const usedBy = ({
  edgeCount,
  files,
  kindNames,
  kinds,
  nodeCount,
  out,
  roleNames,
  roles,
  sources
}: GraphColumns) => {
  const value = new Set<number>()
  const any = new Set<number>()
  const interfaces = kindNames.indexOf("interface")
  for (let e = 0; e < edgeCount; e++) {
    const role = roleNames[roles[e]!]!
    if (role === "import" || role === "export") continue
    const key = files[sources[e]!]! * nodeCount + out.others[e]!
    any.add(key)
    if (declares.has(role) || (role === "extends" && kinds[sources[e]!] === interfaces)) continue
    value.add(key)
  }
  return (file: number, node: number): "value" | "type" | "none" => {
    const key = file * nodeCount + node
    return value.has(key) ? "value" : any.has(key) ? "type" : "none"
  }
}

export const importsOf: (view: GraphView) => FileGraph = once((_, columns) => {
  const { edgeCount, files, importBits, kindNames, kinds, languageNames, languages, nodeCount } = columns
  const { out, roleNames, roles, sources, tiers } = columns
  const passes = roleNames.map((role) => role === "import" || role === "export")
  const imports = roleNames.indexOf("import")
  const valueless = new Set(["interface", "type_alias"].map((name) => kindNames.indexOf(name)))
  const drops = languageNames.map((name) => elide.has(name))
  const used = usedBy(columns)
  const vanishes = (e: number): boolean => {
    if ((importBits[e]! & 1) !== 0) return true
    const from = sources[e]!
    const to = out.others[e]!
    if (drops[languages[from]!] !== true) return false
    return valueless.has(kinds[to]!) || (roles[e] === imports && used(files[from]!, to) === "type")
  }
  const gather = (types: boolean) => {
    const from: Array<number> = []
    const to: Array<number> = []
    for (let e = 0; e < edgeCount; e++) {
      if (passes[roles[e]!] !== true || tiers[e] === 3 || (!types && vanishes(e))) continue
      const a = files[sources[e]!]!
      const b = files[out.others[e]!]!
      if (a === b) continue
      from.push(a)
      to.push(b)
    }
    return merged(fromEdges(nodeCount, from, to))
  }
  const found = gather(false)
  return { graph: found, back: reversed(found), typed: gather(true) }
})

/** The shortest way from a node back to itself through some nodes; the node is first and last. */
export const ringOf = (
  graph: Graph,
  back: Graph,
  node: number,
  inside: (node: number) => boolean
): ReadonlyArray<number> => {
  let best: ReadonlyArray<number> | undefined
  for (let e = graph.starts[node]!; e < graph.starts[node + 1]!; e++) {
    const next = graph.others[e]!
    if (next === node || !inside(next)) continue
    const { path } = shortest(graph, back, next, node, {
      most: best === undefined ? 1_000_000 : best.length - 2,
      allows: (a, b) => inside(a) && inside(b)
    })
    if (path !== undefined && (best === undefined || path.length + 1 < best.length)) best = [node, ...path]
  }
  return best ?? [node]
}

type CycleKind = "import" | "cross-community" | "call"
const severities: { readonly [K in CycleKind]: number } = { import: 3, "cross-community": 2, call: 1 }

interface Cycle {
  readonly kind: CycleKind
  readonly members: ReadonlyArray<number>
  readonly ring: ReadonlyArray<number>
}

/** Members of a cycle shown. */
const mostMembers = 30

/** One for each component of which every member leads to every other, with the shortest ring through its first member. */
const cyclesIn = (
  graph: Graph,
  back: Graph,
  keep: (node: number) => boolean
): ReadonlyArray<{ readonly members: ReadonlyArray<number>; readonly ring: ReadonlyArray<number> }> => {
  const nodes = graph.starts.length - 1
  const from: Array<number> = []
  const to: Array<number> = []
  for (let node = 0; node < nodes; node++) {
    if (!keep(node)) continue
    for (let e = graph.starts[node]!; e < graph.starts[node + 1]!; e++)
      if (keep(graph.others[e]!)) {
        from.push(node)
        to.push(graph.others[e]!)
      }
  }
  const groups = strong(fromEdges(nodes, from, to))
  const { members, starts } = membersOf(groups)
  const out: Array<{ readonly members: ReadonlyArray<number>; readonly ring: ReadonlyArray<number> }> = []
  for (let group = 0; group < groups.count; group++) {
    if (starts[group + 1]! - starts[group]! < 2) continue
    const own = Array.from(members.subarray(starts[group]!, starts[group + 1]!))
    out.push({ members: own, ring: ringOf(graph, back, own[0]!, (node) => groups.of[node] === group) })
  }
  return out
}

export const cyclesOf = (view: GraphView, keep: (node: number) => boolean): ReadonlyArray<Cycle> => {
  const { columns } = view
  const imports = importsOf(view)
  const calls = usesOf(view, "calls", "inferred")
  const { of } = communitiesOf(view)
  return [
    ...cyclesIn(imports.graph, imports.back, keep).map((each): Cycle => ({ kind: "import", ...each })),
    ...cyclesIn(calls.graph, calls.back, (node) => isSymbol(columns, node) && keep(node)).map(
      (each): Cycle => {
        const groups = new Set(each.members.map((node) => of[node]!).filter((group) => group >= 0))
        return { kind: groups.size > 1 ? "cross-community" : "call", ...each }
      }
    )
  ].sort(
    (a, b) =>
      severities[b.kind] - severities[a.kind] ||
      b.members.length - a.members.length ||
      a.members[0]! - b.members[0]!
  )
}

const needs = [CodeGraph] as const

export const cycles: Member<typeof analyze, "cycles", typeof needs> = kind("cycles", {
  summary: "Dependency cycles by severity.",
  tier: 1,
  page: { default: 50, max: 1000 },
  input: F.input({
    options: F.group({
      scope: F.optional(F.described(F.text, "path or package prefix to stay in"))
    })
  }),
  needs,
  handler: ({ options }) =>
    Effect.gen(function* () {
      const view = yield* graph
      const { columns } = view
      const scope = scopePath(view, options.scope)
      const keep = under(view, scope)
      const inScope = columns.fileNodes.reduce((sum, file) => sum + Number(keep(file)), 0)
      if (options.scope !== undefined && inScope === 0)
        return yield* invalidArgument(
          "options.scope",
          `options.scope: no indexed file lies under ${JSON.stringify(options.scope)}`,
          { reason_code: "empty_scope", data: { scope: options.scope } }
        )
      const found = cyclesOf(view, keep)
      const imports = importsOf(view)
      const typed = cyclesIn(imports.typed, reversed(imports.typed), keep).length
      const own = found.filter(({ kind: of }) => of === "import").length
      const idOf = (node: number) => view.idOf(columns.refOf(node))
      const recursive = recursions(view, keep)
      const unread = unreadFiles(view)
      return page(
        "cycles",
        {
          total: found.length,
          ...(found.length === 0 ? { message: "no cycles among what was looked at" } : {}),
          cycles: found.map(({ kind: of, members, ring }) => ({
            kind: of,
            severity: severities[of],
            path: ring.map(idOf),
            size: members.length,
            ...(members.length > ring.length - 1 ? { members: members.slice(0, mostMembers).map(idOf) } : {})
          })),
          by_kind: {
            import: own,
            "cross-community": found.filter(({ kind: of }) => of === "cross-community").length,
            call: found.filter(({ kind: of }) => of === "call").length
          },
          ...(typed > own ? { import_cycles_with_types: typed } : {}),
          recursive_functions: recursive,
          looked_at: { files: inScope, import_edges: imports.graph.others.length },
          means:
            "one cycle for each component, the shortest through its first member; import: files that import each other at run time (3), cross-community (2) and call (1): definitions that call each other; direct recursion is only counted",
          ...(unread === 0 ? {} : { unindexed_files: unread }),
          ...(scope === undefined ? {} : { scope }),
          freshness: freshnessOf(view.freshness)
        },
        { snapshot: view.generation }
      )
    })
})

/** A prefix of paths, or a package written with dots. */
const scopePath = (view: GraphView, scope: string | undefined): string | undefined => {
  if (scope === undefined || scope.includes("/")) return scope
  const dotted = scope.replaceAll(".", "/")
  const holds = (prefix: string) => view.files().some(({ path }) => isWithin(path, prefix))
  return holds(scope) || !holds(dotted) ? scope : dotted
}

const recursions = (view: GraphView, keep: (node: number) => boolean): number => {
  const { graph: calls } = usesOf(view, "calls", "inferred")
  let count = 0
  for (let node = 0; node < view.columns.nodeCount; node++) {
    if (!keep(node) || !isSymbol(view.columns, node)) continue
    for (let e = calls.starts[node]!; e < calls.starts[node + 1]!; e++)
      if (calls.others[e] === node) {
        count++
        break
      }
  }
  return count
}

/** A ring without the same node twice in a row; a node that leads to itself is there twice. */
const closed = (ids: ReadonlyArray<string>): ReadonlyArray<string> => {
  const out = ids.filter((id, i) => id !== ids[i - 1])
  return out.length === 1 ? [out[0]!, out[0]!] : out
}

export const wouldCreateCycle: Member<typeof analyze, "would_create_cycle", typeof needs> = kind(
  "would_create_cycle",
  {
    summary: "Whether a new dependency would close a cycle.",
    input: F.input({
      options: F.group({
        from_id: F.described(F.text, "symbol that would depend"),
        to_id: F.described(F.text, "symbol it would depend on")
      })
    }),
    needs,
    handler: ({ options }) =>
      Effect.gen(function* () {
        const view = yield* graph
        const { columns } = view
        const asking = { facade: "analyze", operation: "would_create_cycle" }
        const from = yield* oneOf(view, options.from_id, { ...asking, field: "options.from_id" })
        const to = yield* oneOf(view, options.to_id, { ...asking, field: "options.to_id" })
        const idOf = (node: number) => view.idOf(columns.refOf(node))
        const imports = importsOf(view)
        const a = columns.files[columns.nodeOf(from)]!
        const b = columns.files[columns.nodeOf(to)]!
        const fileWay =
          a === b ? undefined : shortest(imports.graph, imports.back, b, a, { most: 1_000_000 }).path
        const uses = usesOf(view, "uses")
        const starts = startsOf(view, to)
        const ends = startsOf(view, from)
        const files = view.isFile(from) || view.isFile(to)
        const way = files
          ? undefined
          : shortest(uses.graph, uses.back, starts, ends, { most: 1_000_000 }).path
        const already = files
          ? a !== b && within(imports.graph, [a], 1).nodes.includes(b)
          : ends.some((node) => within(uses.graph, [node], 1).nodes.some((other) => starts.includes(other)))
        const first = view.idOf(from)
        const second = view.idOf(to)
        const path = way ?? fileWay
        return {
          would_cycle: path !== undefined,
          ...(path === undefined ? {} : { level: way === undefined ? "file" : "symbol" }),
          // The way may start at a part of what was named, and end at one.
          path:
            path === undefined
              ? []
              : way === undefined
                ? closed([idOf(a), ...path.map(idOf)])
                : closed([first, second, ...path.map(idOf), first]),
          from_id: first,
          to_id: second,
          ...(already ? { depends_already: true as const } : {}),
          ...(way !== undefined && fileWay !== undefined
            ? { file_path: [idOf(a), ...fileWay.map(idOf)] }
            : {}),
          means:
            "symbol: what to_id uses leads back to from_id; file: only the files would import each other in a ring. Uses known by name only count where there are no better ones",
          freshness: freshnessOf(view.freshness)
        }
      })
  }
)
