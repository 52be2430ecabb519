import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import { fromService } from "../../../registry/Failure.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph, type GraphView } from "../../../services/CodeGraph.ts"
import { type BodyMeasure, CodeTokens } from "../../../services/CodeTokens.ts"
import * as Shared from "../../fields.ts"
import { freshnessOf, graph } from "../../shared/symbols.ts"
import { kind } from "../facade.ts"
import { kindFilter, under, window } from "./Narrowing.ts"
import { callables, usesOf } from "./Uses.ts"

/** Calls that are followed to find loops behind loops. */
const mostSteps = 6

interface Cost {
  readonly node: number
  readonly cognitive: number
  readonly loopDepth: number
  /** Loops around each other on the way down the calls, those of what is called included. */
  readonly through: number
  readonly recursive: boolean
  readonly guarded: boolean
  readonly score: number
}

const measured = new WeakMap<GraphView["columns"], ReadonlyMap<number, Cost>>()

/** Deepest nest of loops that a call of each body leads to: its own, and those of what it calls inside them. */
const depthsThrough = (
  view: GraphView,
  measures: ReadonlyMap<number, BodyMeasure>
): ((node: number) => number) => {
  const { columns } = view
  const { roleNames } = columns
  const calls = roleNames.map((role) => role === "call" || role === "new")
  const known = new Map<number, number>()
  const open = new Set<number>()
  const through = (node: number, steps: number): number => {
    const before = known.get(node)
    if (before !== undefined) return before
    const own = measures.get(node)
    let depth = own?.loop_depth ?? 0
    // On a cycle of calls, or far down, only what the body itself does counts.
    if (open.has(node) || steps === 0) return depth
    open.add(node)
    let cut = false
    for (let e = columns.out.starts[node]!; e < columns.out.starts[node + 1]!; e++) {
      const to = columns.out.others[e]!
      if (to === node || !calls[columns.roles[e]!] || columns.tiers[e]! > 2 || !measures.has(to)) continue
      const deeper = through(to, steps - 1)
      if (open.has(to) || steps === 1) cut = true
      if (deeper === 0 && depth >= (own?.loop_depth ?? 0)) continue
      const { line } = columns.edge(e)
      const around = (own?.loops ?? []).reduce(
        (most, loop) =>
          loop.start_line <= line && line <= loop.end_line ? Math.max(most, loop.depth) : most,
        0
      )
      depth = Math.max(depth, around + deeper)
    }
    open.delete(node)
    if (!cut) known.set(node, depth)
    return depth
  }
  return (node) => through(node, mostSteps)
}

/** Cost of every callable that can be measured. */
const costsOf = (
  view: GraphView,
  byFile: ReadonlyMap<string, ReadonlyArray<BodyMeasure>>
): ReadonlyMap<number, Cost> => {
  const { columns } = view
  const { recursive } = usesOf(columns)
  const measures = new Map<number, BodyMeasure>()
  for (const [path, all] of byFile) {
    const places = new Map(all.map((each) => [`${each.line}:${each.column}`, each]))
    for (const ref of view.definitions(path)) {
      const node = columns.nodeOf(ref)
      if (columns.complexity[node] === 0) continue
      const symbol = view.symbol(ref)
      const own = places.get(`${symbol.line}:${symbol.column}`)
      if (own !== undefined) measures.set(node, own)
    }
  }
  const through = depthsThrough(view, measures)
  const out = new Map<number, Cost>()
  for (const [node, own] of measures) {
    const cyclomatic = columns.complexity[node]!
    const isRecursive = recursive[node] === 1
    const guarded = cyclomatic > 1
    const cognitive = own.cognitive + (isRecursive ? 1 : 0)
    const deep = through(node)
    out.set(node, {
      node,
      cognitive,
      loopDepth: own.loop_depth,
      through: deep,
      recursive: isRecursive,
      guarded,
      score:
        cyclomatic +
        cognitive +
        5 * own.loop_depth * own.loop_depth +
        4 * (deep - own.loop_depth) +
        (isRecursive ? (guarded ? 5 : 25) : 0)
    })
  }
  return out
}

const reasonsOf = (cyclomatic: number, cost: Cost): ReadonlyArray<string> => [
  ...(cyclomatic > 10 ? [`${cyclomatic} ways through it`] : []),
  ...(cost.cognitive > 15 ? [`cognitive complexity ${cost.cognitive}`] : []),
  ...(cost.loopDepth > 1 ? [`loops ${cost.loopDepth} deep`] : []),
  ...(cost.through > Math.max(1, cost.loopDepth) ? [`loops ${cost.through} deep with what it calls`] : []),
  ...(cost.recursive ? [cost.guarded ? "calls itself" : "calls itself without a branch that ends it"] : [])
]

export const bottlenecks = kind("bottlenecks", {
  summary: "Functions by cost: complexity, nested loops, recursion.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      kinds: F.withDefault(F.described(F.csv, "kinds of symbol to keep; all for every kind"), [
        "function",
        "method"
      ]),
      min_score: F.optional(F.number()),
      path_prefix: Shared.pathPrefix
    })
  }),
  needs: [CodeGraph, CodeTokens],
  handler: ({ options }, call) =>
    Effect.gen(function* () {
      const view = yield* graph
      const { columns } = view
      const fits = yield* under(view, options.path_prefix)
      const kinds = yield* kindFilter(view, options.kinds, ["function", "method"])
      const reader = yield* CodeTokens
      const all = callables(columns, kinds)
      let costs = measured.get(columns)
      if (costs === undefined) {
        // What is called may lie in any file.
        const paths = new Set<string>()
        for (const n of columns.fileNodes) paths.add(view.pathOf(columns.refOf(n)))
        costs = costsOf(
          view,
          yield* Effect.mapError(reader.measures([...paths]), (cause) => fromService(cause))
        )
        measured.set(columns, costs)
      }
      const looked = all.filter((n) => fits(view.pathOf(columns.refOf(n))))
      const rows: Array<Cost> = []
      const unmeasured = new Set<string>()
      for (const n of looked) {
        const cost = costs.get(n)
        if (cost === undefined) unmeasured.add(columns.languageNames[columns.languages[n]!] ?? "unknown")
        else if (options.min_score === undefined || cost.score >= options.min_score) rows.push(cost)
      }
      rows.sort((a, b) => b.score - a.score || a.node - b.node)
      return page(
        "functions",
        {
          functions: window(rows, call).map((cost) => {
            const ref = columns.refOf(cost.node)
            const cyclomatic = columns.complexity[cost.node]!
            return {
              id: view.idOf(ref),
              name: view.nameOf(ref),
              kind: columns.kindNames[columns.kinds[cost.node]!]!,
              file_path: view.pathOf(ref),
              line: columns.lines[cost.node]!,
              score: cost.score,
              cyclomatic,
              cognitive: cost.cognitive,
              loop_depth: cost.loopDepth,
              transitive_loop_depth: cost.through,
              recursive: cost.recursive,
              reasons: reasonsOf(cyclomatic, cost)
            }
          }),
          total: rows.length,
          looked_at: looked.length,
          ...(unmeasured.size === 0 ? {} : { languages_not_measured: [...unmeasured].sort() }),
          note: `score = cyclomatic + cognitive + 5 × loop depth² + 4 × further loops through calls (at most ${mostSteps} steps) + 5 for recursion, 25 when nothing branches around it`,
          ...(view.freshness.state === "fresh" ? {} : { freshness: freshnessOf(view.freshness) })
        },
        { from: call.offset, total: rows.length, snapshot: view.generation }
      )
    })
})
