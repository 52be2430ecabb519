import { Clock, Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import type { Member } from "../../../registry/Facade.ts"
import { fromService, type OperationFailure } from "../../../registry/Failure.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph, type GraphView } from "../../../services/CodeGraph.ts"
import { GitReader } from "../../../services/GitReader.ts"
import { round } from "../../shared/structure/Communities.ts"
import { coupledOf, scoreWords } from "../../shared/structure/Coupled.ts"
import { isSymbol, kindsOf, nodeRow, once, pathOf } from "../../shared/structure/Nodes.ts"
import { freshnessOf, graph } from "../../shared/symbols.ts"
import { type analyze, kind } from "../facade.ts"

/** Callables and types by their score, tests left out. */
export const ranked: (view: GraphView) => Int32Array = once((view, columns) => {
  const { callable, type } = kindsOf(columns)
  const { score } = coupledOf(view)
  const nodes: Array<number> = []
  for (let node = 0; node < columns.nodeCount; node++) {
    const own = columns.kinds[node]!
    if (
      score[node]! > 0 &&
      columns.tests[node] === 0 &&
      (callable[own] === 1 || type[own] === 1) &&
      isSymbol(columns, node)
    )
      nodes.push(node)
  }
  nodes.sort((a, b) => score[b]! - score[a]! || a - b)
  return Int32Array.from(nodes)
})

export const hotspotRow = (view: GraphView, node: number) => {
  const { betweenness, crossings, fanIn, fanOut, score } = coupledOf(view)
  return {
    ...nodeRow(view, node),
    fan_in: fanIn[node]!,
    fan_out: fanOut[node]!,
    community_crossings: crossings[node]!,
    betweenness: round(betweenness[node]!),
    complexity_score: Number(score[node]!.toFixed(1)),
    ...(view.columns.complexity[node]! > 1 ? { cyclomatic: view.columns.complexity[node]! } : {})
  }
}

/** Files whose lines are dated for one answer, and definitions looked at. */
const mostFiles = 24
const mostCandidates = 400
const day = 86_400_000

interface Dated {
  readonly node: number
  /** Lines of the definition, and those that came within the window. */
  readonly lines: number
  readonly recent: number
  readonly first: string
  readonly last: string
}

/** Dates the lines of the most coupled definitions, as far as their files are few enough. */
const dated = (
  view: GraphView,
  nodes: Int32Array,
  since: string
): Effect.Effect<
  {
    readonly rows: ReadonlyArray<Dated>
    readonly files: number
    readonly undated: number
    readonly left: number
  },
  OperationFailure,
  GitReader
> =>
  Effect.gen(function* () {
    const git = yield* GitReader
    const candidates = nodes.subarray(0, mostCandidates)
    const files = new Map<number, Array<number>>()
    let left = nodes.length - candidates.length
    for (const node of candidates) {
      const file = view.columns.files[node]!
      const own = files.get(file)
      if (own !== undefined) own.push(node)
      else if (files.size < mostFiles) files.set(file, [node])
      else left++
    }
    const rows: Array<Dated> = []
    let undated = 0
    const blames = yield* Effect.forEach(
      [...files.keys()],
      (file) => Effect.either(git.blame(pathOf(view, file))),
      {
        concurrency: 4
      }
    )
    for (const [at, own] of [...files.values()].entries()) {
      const found = blames[at]!
      if (found._tag === "Left") {
        // A file that nobody has committed yet; a folder without history fails for every file alike.
        if (found.left.reason !== "not_found")
          return yield* fromService(found.left, { field: "options.mode" })
        undated += own.length
        continue
      }
      for (const node of own) {
        const { end_line, start_line } = view.symbol(view.columns.refOf(node))
        const times = found.right.slice(start_line - 1, end_line).map((line) => line?.at ?? "")
        const known = times.filter((at) => at !== "").sort()
        rows.push({
          node,
          lines: times.length,
          recent: times.filter((at) => at === "" || at >= since).length,
          first: known[0] ?? "uncommitted",
          last: known.length < times.length ? "uncommitted" : (known[known.length - 1] ?? "uncommitted")
        })
      }
    }
    return { rows, files: files.size, undated, left }
  })

const needs = [CodeGraph, GitReader] as const

export const hotspots: Member<typeof analyze, "hotspots", typeof needs> = kind("hotspots", {
  summary: "Symbols with the heaviest coupling.",
  tier: 1,
  page: { default: 50, max: 1000 },
  input: F.input({
    options: F.group({
      threshold: F.optional(F.described(F.number(), "least score; mean plus two deviations unless given")),
      mode: F.withDefault(
        F.described(
          F.choice("complexity", "novelty", "directional"),
          "novelty: by what changed lately; directional: what is new, or has long stood still"
        ),
        "complexity"
      ),
      direction: F.withDefault(F.choice("adds", "stable"), "adds"),
      window_days: F.withDefault(F.described(F.count, "days"), 30)
    })
  }),
  needs,
  handler: ({ options }, call) =>
    Effect.gen(function* () {
      const view = yield* graph
      const { score, threshold: usual } = coupledOf(view)
      const threshold = options.threshold ?? usual
      const nodes = ranked(view)
      let count = 0
      while (count < nodes.length && score[nodes[count]!]! >= threshold) count++
      const hot = nodes.subarray(0, count)
      const tail = {
        threshold: Number(threshold.toFixed(2)),
        score_weights: scoreWords,
        freshness: freshnessOf(view.freshness)
      }
      if (options.mode === "complexity")
        return page(
          "hotspots",
          {
            total: count,
            mode: options.mode,
            hotspots: Array.from(
              hot.subarray(call.offset, call.limit === undefined ? undefined : call.offset + call.limit),
              (node) => hotspotRow(view, node)
            ),
            looked_at: nodes.length,
            ...tail
          },
          { from: call.offset, total: count, snapshot: view.generation }
        )

      const now = yield* Clock.currentTimeMillis
      const since = new Date(Math.max(0, now - options.window_days * day)).toISOString()
      const { files, left, rows, undated } = yield* dated(view, hot, since)
      const kept = rows
        .flatMap((each) => {
          const share = each.lines === 0 ? 0 : each.recent / each.lines
          const counts =
            options.mode === "novelty" ? share > 0 : options.direction === "adds" ? share === 1 : share === 0
          return counts
            ? [{ ...each, share, value: score[each.node]! * (options.mode === "novelty" ? share : 1) }]
            : []
        })
        .sort((a, b) => b.value - a.value || a.node - b.node)
      return page(
        "hotspots",
        {
          total: kept.length,
          mode: options.mode,
          ...(options.mode === "directional" ? { direction: options.direction } : {}),
          window_days: options.window_days,
          since,
          hotspots: kept.map(({ first, last, node, share, value }) => ({
            ...hotspotRow(view, node),
            changed_pct: Math.round(share * 100),
            first_line_at: first,
            last_line_at: last,
            ...(options.mode === "novelty" ? { novelty_score: Number(value.toFixed(1)) } : {})
          })),
          dated: rows.length,
          dated_files: files,
          ...(undated === 0 ? {} : { uncommitted: undated }),
          ...(left === 0 ? {} : { not_dated: left, lower_bound: true }),
          ...tail
        },
        { snapshot: view.generation }
      )
    })
})
