import { Effect, Either } from "effect"
import { page } from "../../../registry/Answer.ts"
import type { Member } from "../../../registry/Facade.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph, type GraphView } from "../../../services/CodeGraph.ts"
import * as Shared from "../../fields.ts"
import { edgeFilter, edgeKinds } from "../../search/EdgeKinds.ts"
import { communitiesOf, round } from "../../shared/structure/Communities.ts"
import { coupledOf } from "../../shared/structure/Coupled.ts"
import { isSymbol, kindsOf, under } from "../../shared/structure/Nodes.ts"
import { type UseGraph, useRow, usesOf } from "../../shared/structure/Uses.ts"
import { freshnessOf, graph } from "../../shared/symbols.ts"
import { analyze } from "../facade.ts"

const weights = {
  cross_community: 0.3,
  cross_language: 0.2,
  peripheral_to_hub: 0.2,
  cross_test: 0.15,
  rare_kind: 0.15
} as const
type Signal = keyof typeof weights

interface Connection {
  readonly from: number
  readonly to: number
  readonly signals: ReadonlyArray<Signal>
  readonly score: number
  /** Edges between the communities of its ends; fewer is stranger. */
  readonly between: number
}

const needs = [CodeGraph] as const

export const surprisingConnections: Member<typeof analyze, "surprising_connections", typeof needs> =
  analyze.operation("surprising_connections", {
    tool: "get_surprising_connections",
    summary: "Edges that are out of the ordinary, with the reasons.",
    tier: 2,
    page: { default: 25, max: 1000 },
    input: F.input({
      options: F.group({
        min_score: F.withDefault(F.number(), 0.3),
        hub_threshold: F.withDefault(F.count, 5),
        rare_kind_pct: F.withDefault(F.described(F.number({ min: 0, max: 100 }), "percent"), 5),
        path_prefix: Shared.pathPrefix
      })
    }),
    needs,
    handler: ({ options }, call) =>
      Effect.gen(function* () {
        const view = yield* graph
        const uses = usesOf(view, "uses", "inferred")
        const { all, looked, rare } = found(view, uses, options)
        const { columns } = view
        const begin = call.offset
        const end = call.limit === undefined ? undefined : begin + call.limit
        const { of, list } = communitiesOf(view)
        const labelOf = (node: number) => (of[node]! < 0 ? "no community" : list[of[node]!]!.label)
        const languageOf = (node: number) => columns.languageNames[columns.languages[node]!] ?? "none"
        const reason = (signal: Signal, { between, from, to }: Connection, kind: string): string => {
          switch (signal) {
            case "cross_community":
              return `from ${labelOf(from)} to ${labelOf(to)}, which ${between === 1 ? "this use alone ties" : `${between} uses tie`}`
            case "cross_language":
              return `from ${languageOf(from)} to ${languageOf(to)}`
            case "peripheral_to_hub":
              return `hardly used itself, and uses what ${coupledOf(view).fanIn[to]!} others use`
            case "cross_test":
              return "code that is no test uses code of tests"
            case "rare_kind":
              return `few uses are of kind ${kind}`
          }
        }
        return page(
          "connections",
          {
            total: all.length,
            connections: all.slice(begin, end).map((each) => {
              const row = useRow(view, uses, each.from, each.to)
              return {
                ...row,
                score: each.score,
                signals: each.signals,
                reasons: each.signals.map((signal) => reason(signal, each, row.kind))
              }
            }),
            looked_at: looked,
            rare_kinds: rare,
            thresholds: {
              min_score: options.min_score,
              hub_threshold: options.hub_threshold,
              rare_kind_pct: options.rare_kind_pct
            },
            signal_weights: weights,
            freshness: freshnessOf(view.freshness)
          },
          { from: begin, total: all.length, snapshot: view.generation }
        )
      })
  })

const kindOf = (name: string): ((role: string) => boolean) =>
  Either.getOrElse(edgeFilter("kind", [name]), () => () => false)

const found = (
  view: GraphView,
  uses: UseGraph,
  options: {
    readonly min_score: number
    readonly hub_threshold: number
    readonly rare_kind_pct: number
    readonly path_prefix?: string | undefined
  }
) => {
  const { columns } = view
  const { of } = communitiesOf(view)
  const { fanIn, fanOut } = coupledOf(view)
  const keep = under(view, options.path_prefix)
  const { graph } = uses
  const { callable, type } = kindsOf(columns)
  const behaves = (node: number) =>
    isSymbol(columns, node) && (callable[columns.kinds[node]!] === 1 || type[columns.kinds[node]!] === 1)
  /** Kinds of edge by role: calls, references and the like. */
  const family = columns.roleNames.map((role) => edgeKinds.findIndex((each) => kindOf(each)(role)))
  const shares = new Float64Array(edgeKinds.length)
  let looked = 0
  const pairs = new Map<number, number>()
  const size = columns.nodeCount
  const key = (a: number, b: number) => Math.min(a, b) * size + Math.max(a, b)
  const each = (visit: (from: number, to: number, edge: number) => void) => {
    for (let from = 0; from < size; from++) {
      if (!behaves(from)) continue
      for (let e = graph.starts[from]!; e < graph.starts[from + 1]!; e++) {
        const to = graph.others[e]!
        if (to !== from && behaves(to) && uses.edges[e]! >= 0) visit(from, to, uses.edges[e]!)
      }
    }
  }
  each((from, to, edge) => {
    looked++
    shares[family[columns.roles[edge]!]!]!++
    if (of[from]! >= 0 && of[to]! >= 0 && of[from] !== of[to])
      pairs.set(key(of[from]!, of[to]!), (pairs.get(key(of[from]!, of[to]!)) ?? 0) + 1)
  })
  const isRare = Array.from(shares, (count) => count > 0 && (100 * count) / looked <= options.rare_kind_pct)
  const all: Array<Connection> = []
  each((from, to, edge) => {
    if (!keep(from) && !keep(to)) return
    const signals: Array<Signal> = []
    const crosses = of[from]! >= 0 && of[to]! >= 0 && of[from] !== of[to]
    if (crosses) signals.push("cross_community")
    if (columns.languages[from] !== columns.languages[to]) signals.push("cross_language")
    if (fanIn[from]! <= 1 && fanOut[from]! <= 2 && fanIn[to]! >= options.hub_threshold)
      signals.push("peripheral_to_hub")
    if (columns.tests[from] === 0 && columns.tests[to] === 1) signals.push("cross_test")
    if (isRare[family[columns.roles[edge]!]!] === true) signals.push("rare_kind")
    const score = round(signals.reduce((sum, signal) => sum + weights[signal], 0))
    if (signals.length === 0 || score < options.min_score) return
    all.push({ from, to, signals, score, between: crosses ? pairs.get(key(of[from]!, of[to]!))! : Infinity })
  })
  all.sort(
    (a, b) =>
      b.score - a.score ||
      (a.between === b.between ? 0 : a.between - b.between) ||
      a.from - b.from ||
      a.to - b.to
  )
  return {
    all,
    looked,
    rare: edgeKinds.filter((_, at) => isRare[at] === true)
  }
}
