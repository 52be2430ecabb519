import { Effect } from "effect"
import { shortest, shortestWays, within } from "../../../algorithms/paths.ts"
import type { Member } from "../../../registry/Facade.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph, type GraphView } from "../../../services/CodeGraph.ts"
import * as Shared from "../../fields.ts"
import { dispatchOf } from "../../shared/structure/Dispatch.ts"
import { startsOf } from "../../shared/structure/Subject.ts"
import { idOf, isSymbol, kindsOf, membersOf, nodeRow, once } from "../../shared/structure/Nodes.ts"
import { placeOf, tierNames, type UseGraph, useRow, usesOf } from "../../shared/structure/Uses.ts"
import { freshnessOf, graph, oneOf } from "../../shared/symbols.ts"
import { trace } from "../facade.ts"
import { end, start } from "./fields.ts"
import { joined } from "./Joined.ts"

/** How likely an edge of each tier is what runs. */
const weights = [1, 0.95, 0.7, 0.3] as const
/** Names of definitions near the end whose unbound uses are looked for, and uses of each. */
const mostNames = 50
const mostSites = 200
/** Places a gap lists. */
const mostHits = 10

const wayRow = (view: GraphView, uses: UseGraph, nodes: ReadonlyArray<number>) => {
  let confidence = 1
  let worst = 0
  const edges = nodes.slice(1).map((to, i) => {
    const from = nodes[i]!
    const place = placeOf(uses, from, to)
    const tier = uses.tiers[place]!
    confidence *= weights[tier]!
    worst = Math.max(worst, tier)
    return useRow(view, uses, from, to)
  })
  return {
    nodes: nodes.map((node) => nodeRow(view, node)),
    edges,
    length: edges.length,
    confidence: Number(confidence.toFixed(4)),
    ...(edges.length === 0 ? {} : { worst_tier: tierNames[worst]! })
  }
}

interface Hit {
  readonly kind: "dispatch" | "unbound_call" | "external"
  readonly from: string
  readonly to: string
  readonly file_path?: string
  readonly line?: number
}

/** Calls on the way to the end that the graph does not know the callee of, made by something the start leads to. */
const unboundBetween = (view: GraphView, ahead: Int32Array, backward: Int32Array): ReadonlyArray<Hit> => {
  const { columns } = view
  const hits: Array<Hit> = []
  const leadsTo = membersOf(columns.nodeCount, ahead)
  for (const node of backward.subarray(0, mostNames)) {
    if (!isSymbol(columns, node)) continue
    const ref = columns.refOf(node)
    for (const site of view.unbound(view.nameOf(ref), mostSites).sites) {
      if (site.role !== "call" && site.role !== "new") continue
      const [from] = startsOf(view, site.within)
      if (from === undefined || !leadsTo(from)) continue
      hits.push({
        kind: "unbound_call",
        from: idOf(view, from),
        to: view.idOf(ref),
        file_path: site.path,
        line: site.line
      })
      break
    }
    if (hits.length >= mostHits) break
  }
  return hits
}

/** By node the first edge that hands it to something outside, from the top level of a file that is no test; -1 for none. */
const handings = once((_, columns) => {
  const { callable, file } = kindsOf(columns)
  const read = columns.roleNames.indexOf("read")
  const out = new Int32Array(columns.nodeCount).fill(-1)
  for (const from of columns.fileNodes) {
    if (columns.kinds[from] !== file || columns.tests[from] === 1) continue
    for (let edge = columns.out.starts[from]!; edge < columns.out.starts[from + 1]!; edge++) {
      const to = columns.out.others[edge]!
      if (columns.roles[edge] === read && out[to]! < 0 && callable[columns.kinds[to]!] === 1) out[to] = edge
    }
  }
  return out
})

/** Definitions on the way to the end that are handed to something outside, which may run them. */
const handedOut = (view: GraphView, backward: Int32Array): ReadonlyArray<Hit> => {
  const { columns } = view
  const edges = handings(view)
  const hits: Array<Hit> = []
  for (const node of backward) {
    const edge = edges[node]!
    if (edge < 0) continue
    const { line, path } = columns.edge(edge)
    hits.push({
      kind: "external",
      from: idOf(view, columns.sources[edge]!),
      to: idOf(view, node),
      file_path: path,
      line
    })
    if (hits.length >= mostHits) break
  }
  return hits
}

const messages = {
  src_no_out_edges: "the start runs nothing that the graph knows of",
  sink_no_in_edges: "nothing that the graph knows of runs the end",
  depth_exceeded: "no way within max_depth; there may be a longer one",
  crosses_dynamic_dispatch: "the way goes through a call whose callee is not known: see boundary_hits",
  crosses_external_boundary:
    "the end is run by something outside the index that it is handed to: see boundary_hits",
  disconnected: "no way leads from the start to the end"
} as const

const needs = [CodeGraph] as const

export const path: Member<typeof trace, "path", typeof needs> = trace.operation("path", {
  tool: "trace_path",
  flat: { "target.symbol": "source_id", "to.symbol": "sink_id" },
  summary: "Shortest call path between two symbols, or why there is none.",
  input: F.input({
    target: start,
    to: end,
    options: F.group({
      max_depth: Shared.depth(24, 64),
      k: F.described(F.clamped({ min: 1, max: 50, default: 1 }), "paths to find"),
      max_frontier: F.described(
        F.clamped({ min: 1, max: 500, default: 25 }),
        "nodes named when there is no path"
      ),
      include_references: F.withDefault(F.described(F.flag, "follow functions passed as values"), true),
      min_tier: Shared.minTier
    })
  }),
  needs,
  handler: ({ options, target, to }) =>
    Effect.gen(function* () {
      const view = yield* graph
      const asking = { facade: "trace", operation: "path" }
      const source = yield* oneOf(view, target.symbol, { ...asking, field: "target.symbol", rest: { to } })
      const sink = yield* oneOf(view, to.symbol, { ...asking, field: "to.symbol" })
      const uses = usesOf(view, options.include_references ? "runs" : "calls", options.min_tier ?? "usual")
      const starts = startsOf(view, source)
      const ends = startsOf(view, sink)
      const head = { source_id: view.idOf(source), sink_id: view.idOf(sink) }
      const tail = {
        truncated: false,
        ...(view.freshness.state === "fresh" ? {} : { freshness: freshnessOf(view.freshness) })
      }
      const most = options.max_depth

      // A type or a file stands for all in it: any of that will do.
      const search = shortest(uses.graph, uses.back, starts, ends, { most })
      const best = search.path
      if (best !== undefined) {
        const ways =
          options.k === 1 && starts.length === 1 && ends.length === 1
            ? [best]
            : shortestWays(uses.graph, uses.back, best[0]!, best[best.length - 1]!, {
                count: options.k,
                most
              })
        return { found: true, ...head, paths: ways.map((way) => wayRow(view, uses, way)), ...tail }
      }

      const { bounded } = search
      const ahead = within(uses.graph, starts, most).nodes
      const backward = within(uses.back, ends, most).nodes
      const dispatch = dispatchOf(view)
      const guess = joined(view, uses.graph, dispatch.graph)
      const guessBack = joined(view, uses.back, dispatch.back)
      const through = shortest(guess, guessBack, starts, ends, { most }).path
      const hits: Array<Hit> = (through ?? []).slice(1).flatMap((node, i) => {
        const from = through![i]!
        return placeOf(uses, from, node) >= 0
          ? []
          : [{ kind: "dispatch" as const, from: idOf(view, from), to: idOf(view, node) }]
      })
      const hasOut = starts.some((node) => uses.graph.starts[node + 1]! > uses.graph.starts[node]!)
      const hasIn = ends.some((node) => uses.back.starts[node + 1]! > uses.back.starts[node]!)
      if (hits.length === 0) hits.push(...unboundBetween(view, ahead, backward))
      const dynamic = hits.length > 0
      if (!dynamic && !bounded) hits.push(...handedOut(view, backward))
      const reason = dynamic
        ? "crosses_dynamic_dispatch"
        : bounded
          ? "depth_exceeded"
          : !hasOut
            ? "src_no_out_edges"
            : hits.length > 0
              ? "crosses_external_boundary"
              : !hasIn
                ? "sink_no_in_edges"
                : "disconnected"
      return {
        found: false,
        ...head,
        paths: [],
        gap: {
          reason,
          message: messages[reason],
          furthest_from_source: Array.from(ahead.subarray(-options.max_frontier), (node) => idOf(view, node)),
          nearest_to_sink: Array.from(backward.subarray(0, options.max_frontier), (node) => idOf(view, node)),
          reached_from_source: ahead.length,
          leading_to_sink: backward.length,
          boundary_hits: hits.slice(0, mostHits)
        },
        ...tail
      }
    })
})
