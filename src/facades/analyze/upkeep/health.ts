/** Grades from what was measured. */
import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import type { Member } from "../../../registry/Facade.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph, type GraphView } from "../../../services/CodeGraph.ts"
import type { GraphColumns } from "../../../services/GraphColumns.ts"
import { ControlView } from "../../../services/ControlView.ts"
import { type Commit, GitReader } from "../../../services/GitReader.ts"
import * as Shared from "../../fields.ts"
import { unreadFiles } from "../../shared/coverage.ts"
import { freshnessOf, graph } from "../../shared/symbols.ts"
import { analyze, kind } from "../facade.ts"
import { counted, type Grade, gradeOf, looseness, mean, rounded, simplicity } from "./Grades.ts"
import { kindFilter, under, window } from "./Narrowing.ts"
import { callables, usesOf } from "./Uses.ts"

const bodies = ["function", "method", "constructor"]
/** Ties that cost nothing. */
const freeIn = 10
const freeOut = 7
const worst = 20

/** Complexity, fan-in and fan-out of a callable in one number. */
const structural = (columns: GraphColumns, n: number): number => {
  const { fanIn, fanOut } = usesOf(columns)
  return (
    0.6 * simplicity(columns.complexity[n]!) +
    0.25 * looseness(fanOut[n]!, freeOut) +
    0.15 * looseness(fanIn[n]!, freeIn)
  )
}

const healthNeeds = [CodeGraph] as const

export const health: Member<typeof analyze, "health", typeof healthNeeds> = analyze.operation("health", {
  narrows: true,
  tool: "audit_health",
  summary: "A grade of the repository's complexity.",
  tier: 2,
  input: F.input({}),
  needs: healthNeeds,
  handler: () =>
    Effect.gen(function* () {
      const view = yield* graph
      const { columns } = view
      const { fanIn, fanOut } = usesOf(columns)
      const scored = callables(
        columns,
        columns.kindNames.map((each) => bodies.includes(each))
      ).map((node) => ({ node, score: structural(columns, node) }))
      const unread = unreadFiles(view)
      const caveats = {
        ...(unread === 0 ? {} : { unread_files: unread }),
        ...(view.freshness.state === "fresh" ? {} : { freshness: freshnessOf(view.freshness) })
      }
      if (scored.length === 0)
        return {
          symbol_count: 0,
          note: "no function or method with a body is indexed outside of tests, so there is nothing to grade",
          ...caveats
        }
      const average = mean(scored.map(({ score }) => score))
      return {
        symbol_count: scored.length,
        mean_score: rounded(average),
        grade: gradeOf(average),
        grade_counts: counted(scored.map(({ score }) => gradeOf(score))),
        worst_symbols: scored
          .sort((a, b) => a.score - b.score || a.node - b.node)
          .slice(0, worst)
          .map(({ node, score }) => {
            const ref = columns.refOf(node)
            return {
              id: view.idOf(ref),
              file_path: view.pathOf(ref),
              line: columns.lines[node]!,
              score: rounded(score),
              grade: gradeOf(score),
              complexity: columns.complexity[node]!,
              fan_in: fanIn[node]!,
              fan_out: fanOut[node]!
            }
          }),
        weights: { complexity: 0.6, fan_out: 0.25, fan_in: 0.15 },
        note: "every function and method with a body outside of tests; coverage and history are not part of it: see health_score",
        ...caveats
      }
    })
})

/** Weight of each axis; one that is not known leaves its weight to the others. */
const weights = { coverage: 0.35, complexity: 0.35, recency: 0.1, churn: 0.2 } as const
type Axis = keyof typeof weights
const axes = Object.keys(weights) as ReadonlyArray<Axis>

/** Commits that are read where no churn was stamped. */
const mostCommits = 2000
const day = 86_400_000

interface Past {
  readonly commits: number
  /** Milliseconds since the epoch. */
  readonly last: number
}

/** Commits by file, from the log. */
const pastOf = (log: ReadonlyArray<Commit>): ReadonlyMap<string, Past> => {
  const out = new Map<string, Past>()
  for (const { at, files } of log) {
    // A commit that touches hundreds of files says little of one of them.
    if (files.length > 300) continue
    for (const path of files) {
      const known = out.get(path)
      out.set(path, {
        commits: (known?.commits ?? 0) + 1,
        last: Math.max(known?.last ?? 0, Date.parse(at))
      })
    }
  }
  return out
}

interface Scored {
  readonly node: number
  readonly score: number
  readonly values: { readonly [axis in Axis]?: number }
}

const healthScoreNeeds = [CodeGraph, GitReader, ControlView] as const

export const healthScore = kind("health_score", {
  summary: "A grade of each symbol, from coverage, complexity, age and churn.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      grade: F.optional(Shared.words("a", "b", "c", "d", "f")),
      min_score: F.optional(F.number()),
      max_score: F.optional(F.number()),
      min_axes: F.withDefault(F.described(F.count, "measures a symbol must have"), 1),
      roll_up: F.optional(F.described(F.choice("file", "repo"), "sum up by")),
      kinds: Shared.kinds,
      path_prefix: Shared.pathPrefix
    })
  }),
  needs: healthScoreNeeds,
  handler: ({ options }, call) =>
    Effect.gen(function* () {
      const view = yield* graph
      const { columns } = view
      const fits = yield* under(view, options.path_prefix)
      const kinds = yield* kindFilter(view, options.kinds, bodies)
      const control = yield* ControlView
      const missing: { [axis in Axis]?: string } = {}

      const coverage = new Map<string, number>()
      const stamped = yield* Effect.either(control.list("coverage"))
      const covered = stamped._tag === "Right" ? stamped.right : []
      for (const { value } of covered)
        for (const { hit, id, total } of value.symbols) if (total > 0) coverage.set(id, (100 * hit) / total)
      if (coverage.size === 0)
        missing.coverage = "no coverage was stamped: workspace_admin.coverage does it from a profile"

      const churn = new Map<string, Past>()
      const measured = yield* Effect.either(control.list("churn"))
      for (const { key, value } of measured._tag === "Right" ? measured.right : []) {
        churn.set(key, { commits: value.commits, last: value.last_at * 1000 })
        for (const each of value.symbols)
          churn.set(each.id, { commits: each.commits, last: each.last_at * 1000 })
      }
      let history = "stamped by workspace_admin.enrich_churn"
      if (churn.size === 0) {
        const log = yield* Effect.either((yield* GitReader).log({ limit: mostCommits }))
        if (log._tag === "Right" && log.right.length > 0) {
          for (const [path, past] of pastOf(log.right)) churn.set(path, past)
          history = `of files, from the newest ${log.right.length} commits`
        } else
          missing.recency = missing.churn = log._tag === "Left" ? log.left.detail : "there are no commits"
      }
      // Age is counted from the newest commit there is, so that an answer does not change by waiting.
      const now = [...churn.values()].reduce((most, { last }) => Math.max(most, last), 0)
      const busiest = [...churn.values()].reduce((most, { commits }) => Math.max(most, commits), 1)

      const all: Array<Scored> = []
      let tooFew = 0
      for (let node = 0; node < columns.nodeCount; node++) {
        if (
          !kinds[columns.kinds[node]!] ||
          columns.primaries[node] !== node ||
          columns.tests[node] === 1 ||
          columns.generated[node] === 1
        )
          continue
        const ref = columns.refOf(node)
        const path = view.pathOf(ref)
        if (!fits(path)) continue
        const id = view.idOf(ref)
        const past = churn.get(id) ?? churn.get(path)
        const percent = coverage.get(id)
        const values: { [axis in Axis]?: number } = {
          ...(percent === undefined ? {} : { coverage: percent }),
          ...(columns.complexity[node]! > 0 ? { complexity: simplicity(columns.complexity[node]!) } : {}),
          ...(past === undefined
            ? {}
            : {
                // What rested for a year has settled; what changed just now has not.
                recency: Math.min(100, (100 * Math.max(0, now - past.last)) / (365 * day)),
                churn: 100 * (1 - Math.log2(past.commits) / Math.max(1, Math.log2(busiest)))
              })
        }
        const known = axes.filter((axis) => values[axis] !== undefined)
        if (known.length < Math.max(1, options.min_axes)) {
          tooFew++
          continue
        }
        const weight = known.reduce((sum, axis) => sum + weights[axis], 0)
        const score =
          known.reduce((sum, axis) => sum + weights[axis] * Math.min(100, Math.max(0, values[axis]!)), 0) /
          weight
        all.push({ node, score, values })
      }
      const kept = all.filter(
        ({ score }) =>
          (options.grade === undefined ||
            options.grade.some((grade) => grade === gradeOf(score).toLowerCase())) &&
          score >= (options.min_score ?? -Infinity) &&
          score <= (options.max_score ?? Infinity)
      )
      kept.sort((a, b) => a.score - b.score || a.node - b.node)
      const head = {
        total: kept.length,
        ...(tooFew === 0 ? {} : { too_few_axes: tooFew }),
        distribution: counted(kept.map(({ score }) => gradeOf(score))),
        weights,
        ...(Object.keys(missing).length === 0 ? {} : { missing_axes: missing }),
        ...(missing.churn === undefined ? { history } : {}),
        ...(coverage.size > 0 && covered.some(({ key, value }) => view.file(key)?.sha !== value.sha)
          ? { coverage_is_stale: true }
          : {}),
        note: "100 is best; an axis that a symbol has not leaves its weight to the others; recency is the time since the last change, in shares of a year",
        ...(view.freshness.state === "fresh" ? {} : { freshness: freshnessOf(view.freshness) })
      }
      if (options.roll_up !== undefined) {
        const rows = rolledUp(view, kept, options.roll_up)
        return page(
          "rollup",
          { ...head, roll_up: options.roll_up, rollup: window(rows, call) },
          { from: call.offset, total: rows.length, snapshot: view.generation }
        )
      }
      return page(
        "symbols",
        {
          ...head,
          symbols: window(kept, call).map(({ node, score, values }) => {
            const ref = columns.refOf(node)
            return {
              id: view.idOf(ref),
              kind: columns.kindNames[columns.kinds[node]!]!,
              file_path: view.pathOf(ref),
              line: columns.lines[node]!,
              score: rounded(score),
              grade: gradeOf(score),
              ...Object.fromEntries(
                axes.flatMap((axis) =>
                  values[axis] === undefined ? [] : [[`${axis}_pct`, rounded(values[axis])]]
                )
              ),
              complexity: columns.complexity[node]!,
              axes_used: axes.filter((axis) => values[axis] !== undefined)
            }
          })
        },
        { from: call.offset, total: kept.length, snapshot: view.generation }
      )
    })
})

const rolledUp = (view: GraphView, rows: ReadonlyArray<Scored>, by: "file" | "repo") => {
  const groups = new Map<string, Array<Scored>>()
  for (const row of rows) {
    const key = by === "repo" ? "." : view.pathOf(view.columns.refOf(row.node))
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [row])
    else group.push(row)
  }
  return [...groups]
    .map(([key, group]) => {
      const score = mean(group.map((row) => row.score))
      const grade: Grade = gradeOf(score)
      return {
        id: key,
        ...(by === "file" ? { file_path: key } : {}),
        score: rounded(score),
        grade,
        symbols: group.length,
        worst: view.idOf(view.columns.refOf(group[0]!.node)),
        distribution: counted(group.map((row) => gradeOf(row.score)))
      }
    })
    .sort((a, b) => a.score - b.score || (a.id < b.id ? -1 : 1))
}
