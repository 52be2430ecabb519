import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import type { Member } from "../../../registry/Facade.ts"
import type { OperationFailure } from "../../../registry/Failure.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph, type GraphView, type SymbolRef } from "../../../services/CodeGraph.ts"
import { GitReader } from "../../../services/GitReader.ts"
import { ReadFs } from "../../../services/ReadFs.ts"
import { withParts } from "../../change/Affected.ts"
import * as Shared from "../../fields.ts"
import { unreadFiles } from "../../shared/coverage.ts"
import { communitiesOf } from "../../shared/structure/Communities.ts"
import { coupledOf } from "../../shared/structure/Coupled.ts"
import { isSymbol, nodeRow, once, under } from "../../shared/structure/Nodes.ts"
import { freshnessOf, graph, oneFile, oneOf } from "../../shared/symbols.ts"
import { type analyze, kind } from "../facade.ts"
import { type CoChange, coChangeOf, commits } from "./CoChange.ts"
import { kindFilter } from "./fields.ts"
import { standardRanks } from "./ranks.ts"
import { mostReached, reachDepth, reachOf } from "./Reach.ts"

const weights = { centrality: 0.3, reach: 0.3, complexity: 0.15, co_change: 0.1, community: 0.15 } as const

/** From 0 towards 100, two thirds of the way at `k`. */
const saturated = (value: number, k: number): number => 100 * (1 - Math.exp(-value / k))

interface Parts {
  readonly score: number
  readonly centrality: number
  readonly reach: number
  readonly complexity: number
  readonly co_change: number | null
  readonly community: number
  readonly reach_count: number
}

const riskOf = (score: number): string =>
  score >= 75 ? "CRITICAL" : score >= 55 ? "HIGH" : score >= 30 ? "MEDIUM" : "LOW"

const highest: (view: GraphView) => { readonly rank: number } = once((view) => {
  let most = 0
  for (const rank of standardRanks(view).ranks) if (rank > most) most = rank
  return { rank: most }
})

/** The parts of a definition's score. Without a history the other parts share its weight. */
const partsOf = (view: GraphView, changes: CoChange): ((node: number) => Parts) => {
  const { columns } = view
  const { ranks } = standardRanks(view)
  const { rank: most } = highest(view)
  const size = columns.nodeCount
  const full = Math.log1p(most * size)
  const { crossings } = coupledOf(view)
  const reach = reachOf(view)
  const partners = new Map<number, number>()
  const known = 1 - (changes === undefined ? weights.co_change : 0)
  return (node) => {
    const count = reach.count(node)
    const centrality = full === 0 ? 0 : (100 * Math.log1p(ranks[node]! * size)) / full
    const reached = saturated(count, 30)
    const complexity = saturated(columns.complexity[node]!, 15)
    const community = saturated(crossings[node]!, 2)
    const file = columns.files[node]!
    let together = partners.get(file)
    if (together === undefined)
      partners.set(file, (together = changes?.get(view.pathOf(columns.refOf(file))) ?? 0))
    const change = changes === undefined ? 0 : saturated(together, 5)
    const score =
      (weights.centrality * centrality +
        weights.reach * reached +
        weights.complexity * complexity +
        weights.co_change * change +
        weights.community * community) /
      known
    const one = (value: number) => Number(value.toFixed(1))
    return {
      score: one(score),
      centrality: one(centrality),
      reach: one(reached),
      complexity: one(complexity),
      co_change: changes === undefined ? null : one(change),
      community: one(community),
      reach_count: count
    }
  }
}

/** What depends on some definitions, each once with its least distance: everything, however far. */
export const dependentsOf = (
  view: GraphView,
  subjects: ReadonlyArray<SymbolRef>
): {
  readonly depths: ReadonlyMap<number, number>
  readonly roots: ReadonlySet<number>
  readonly suppressed: number
} => {
  const { columns } = view
  const node = (ref: SymbolRef) => columns.primaries[columns.nodeOf(ref)]!
  const parts = withParts(view, subjects)
  const roots = new Set(parts.map(node))
  const depths = new Map<number, number>()
  const put = (at: number, depth: number) => {
    if (roots.has(at)) return
    const known = depths.get(at)
    if (known === undefined || depth < known) depths.set(at, depth)
  }
  // Members that take the place of a subject depend on it, and so does what uses them.
  const instead = new Set<SymbolRef>()
  for (const ref of parts)
    for (const other of view.overriders(ref)) if (!roots.has(node(other))) instead.add(other)
  const most = Number.MAX_SAFE_INTEGER
  const direct = view.reach(parts, { depth: most, most })
  direct.refs.forEach((ref, i) => put(node(ref), direct.depths[i]!))
  for (const ref of direct.importers) put(node(ref), 1)
  let suppressed = direct.suppressed
  if (instead.size > 0) {
    const others = [...instead]
    for (const ref of others) put(node(ref), 1)
    const further = view.reach(others, { depth: most, most })
    further.refs.forEach((ref, i) => put(node(ref), further.depths[i]! + 1))
    suppressed += further.suppressed
  }
  return { depths, roots, suppressed }
}

const subjectsOf = (
  view: GraphView,
  target: {
    readonly symbol?: string | undefined
    readonly symbols?: ReadonlyArray<string> | undefined
    readonly file?: string | undefined
  }
): Effect.Effect<ReadonlyArray<SymbolRef>, OperationFailure, ReadFs> =>
  Effect.gen(function* () {
    if (target.file !== undefined) return [yield* oneFile(view, target.file)]
    const asking = { facade: "analyze", operation: "impact" }
    if (target.symbol !== undefined)
      return [yield* oneOf(view, target.symbol, { ...asking, field: "target.symbol" })]
    const out: Array<SymbolRef> = []
    for (const words of target.symbols ?? [])
      out.push(yield* oneOf(view, words, { ...asking, field: "target.symbols" }))
    return out
  })

const needs = [CodeGraph, GitReader, ReadFs] as const

export const impact: Member<typeof analyze, "impact", typeof needs> = kind("impact", {
  fixed: { refresh_cochange: false },
  summary: "How far a change reaches: 0 to 100 by symbol, or around one target.",
  tier: 1,
  page: { default: 100, max: 1000 },
  input: F.input({
    target: F.optional(F.target({ symbol: Shared.symbol, symbols: Shared.symbols, file: Shared.file })),
    options: F.group({
      path_prefix: Shared.pathPrefix,
      kinds: F.withDefault(F.described(F.csv, "kinds of symbol to keep; all for every kind"), [
        "function",
        "method"
      ]),
      min_score: F.optional(F.number()),
      max_score: F.optional(F.number())
    })
  }),
  needs,
  handler: ({ options, target }, call) =>
    Effect.gen(function* () {
      const view = yield* graph
      const { columns } = view
      const wanted = yield* kindFilter(view, "options.kinds", options.kinds)
      const subjects = target === undefined ? undefined : yield* subjectsOf(view, target)
      const changes = yield* coChangeOf(view)
      const parts = partsOf(view, changes)
      const inside = under(view, options.path_prefix)
      const { max_score: most = Infinity, min_score: least = -Infinity } = options
      const { list, of } = communitiesOf(view)
      const scored = (nodes: Iterable<number>) =>
        Array.from(nodes, (node) => ({ node, ...parts(node) })).sort(
          (a, b) => b.score - a.score || a.node - b.node
        )
      const keeps = ({ node, score }: { readonly node: number; readonly score: number }) =>
        wanted[columns.kinds[node]!] === 1 && inside(node) && score >= least && score <= most
      const row = (
        { node, reach_count, score, ...rest }: { readonly node: number } & Parts,
        extra: object = {}
      ) => ({
        ...nodeRow(view, node),
        score,
        risk: riskOf(score),
        ...rest,
        reach_count,
        ...(reach_count >= mostReached ? { reach_count_at_least: true as const } : {}),
        ...(of[node]! < 0 ? {} : { in_community: list[of[node]!]!.id }),
        ...extra
      })
      const head = {
        weights: changes === undefined ? { ...weights, co_change: 0 } : weights,
        co_change:
          changes === undefined
            ? "no history to read"
            : `files changed together in the last ${commits} commits`,
        scope: {
          kinds: options.kinds,
          ...(options.path_prefix === undefined ? {} : { path_prefix: options.path_prefix }),
          reach: `definitions that depend on one within ${reachDepth} edges, at most ${mostReached} counted`
        },
        freshness: freshnessOf(view.freshness)
      }
      const slice = <A>(all: ReadonlyArray<A>) =>
        all.slice(call.offset, call.limit === undefined ? undefined : call.offset + call.limit)
      const paged = (rows: ReadonlyArray<object>, total: number, target: object = {}) =>
        page(
          "symbols",
          { total, symbols: rows, ...target, ...head },
          {
            from: call.offset,
            total,
            snapshot: view.generation
          }
        )

      if (subjects === undefined) {
        const nodes: Array<number> = []
        for (let node = 0; node < columns.nodeCount; node++)
          if (
            isSymbol(columns, node) &&
            columns.tests[node] === 0 &&
            wanted[columns.kinds[node]!] === 1 &&
            inside(node)
          )
            nodes.push(node)
        const rows = scored(nodes).filter(keeps)
        return paged(
          slice(rows).map((each) => row(each)),
          rows.length
        )
      }

      const own = [...new Set(subjects.map((ref) => columns.primaries[columns.nodeOf(ref)]!))]
      if (target?.symbols !== undefined)
        return paged(
          slice(scored(own)).map((each) => row(each, { target: true })),
          own.length,
          { target: { symbols: own.map((node) => view.idOf(columns.refOf(node))), closure: false } }
        )

      const { depths, roots, suppressed } = dependentsOf(view, subjects)
      const seeds = target?.file === undefined ? own : [...roots].filter((node) => isSymbol(columns, node))
      const first = scored(seeds.length === 0 ? own : seeds)
      const dependents = scored(depths.keys())
      const kept = dependents.filter(keeps)
      const byDepth: { [depth: string]: number } = {}
      for (const depth of [...depths.values()].sort((a, b) => a - b))
        byDepth[depth] = (byDepth[depth] ?? 0) + 1
      const names = new Set(seeds.map((node) => view.nameOf(columns.refOf(node))))
      let unbound = 0
      for (const name of [...names].slice(0, 200)) unbound += view.unbound(name, 0).total
      const unread = unreadFiles(view)
      const because = [
        ...(unbound === 0 ? [] : [`${unbound} places use its name and are bound to nothing`]),
        ...(suppressed === 0
          ? []
          : [`${suppressed} edges known by name only were left out beside better ones`]),
        ...(unread === 0 ? [] : [`${unread} files were not read`]),
        ...(view.freshness.state === "fresh" ? [] : [`the index is ${view.freshness.state}`])
      ]
      const all = [
        ...first.map((each) => [each, true] as const),
        ...kept.map((each) => [each, false] as const)
      ]
      return paged(
        slice(all).map(([each, isTarget]) =>
          row(each, isTarget ? { depth: 0, target: true } : { depth: depths.get(each.node)! })
        ),
        all.length,
        {
          target: {
            ...(target?.file === undefined
              ? { id: view.idOf(subjects[0]!) }
              : { file: view.idOf(subjects[0]!) }),
            dependents: depths.size,
            dependents_by_depth: byDepth,
            ...(kept.length < dependents.length ? { filtered_out: dependents.length - kept.length } : {}),
            ...(because.length === 0 ? {} : { lower_bound: true, lower_bound_because: because })
          }
        }
      )
    })
})
