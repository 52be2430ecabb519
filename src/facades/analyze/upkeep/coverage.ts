/** What of the code tests ran, as stamped from a profile. */
import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import { failure, fromService, invalidArgument } from "../../../registry/Failure.ts"
import * as F from "../../../registry/Fields.ts"
import { draft } from "../../../registry/FollowUp.ts"
import { CodeGraph, type GraphView } from "../../../services/CodeGraph.ts"
import type { Run } from "../../../services/ControlTables.ts"
import { ControlView } from "../../../services/ControlView.ts"
import * as Shared from "../../fields.ts"
import { freshnessOf, graph } from "../../shared/symbols.ts"
import { kind } from "../facade.ts"
import { rounded } from "./Grades.ts"
import { kindFilter, under, window } from "./Narrowing.ts"

interface Covered {
  readonly id: string
  readonly kind: string
  readonly path: string
  readonly line: number
  readonly hit: number
  readonly total: number
  readonly percent: number
}

interface Stamped {
  readonly run: Run | undefined
  readonly rows: ReadonlyArray<Covered>
  /** Files that changed since, or are gone. */
  readonly stale: ReadonlyArray<string>
}

/** What was stamped, by path and line. Fails when nothing ever was: that is not the same as no coverage. */
const stampedOf = (view: GraphView) =>
  Effect.gen(function* () {
    const control = yield* ControlView
    const run = yield* Effect.mapError(control.run("coverage"), (cause) => fromService(cause))
    const records = yield* Effect.mapError(control.list("coverage"), (cause) => fromService(cause))
    if (run === undefined && records.length === 0)
      return yield* failure(
        "capability_unavailable",
        "no coverage was stamped, so it is not known what tests run",
        {
          reason_code: "no_coverage",
          failure_stage: "resolve",
          recovery: draft("fallback_recovery", "workspace_admin", {
            operation: "coverage",
            arguments: { profile: "coverage/lcov.info" }
          })
        }
      )
    const rows: Array<Covered> = []
    const stale: Array<string> = []
    for (const { key, value } of records) {
      const file = view.file(key)
      if (file?.sha !== value.sha) stale.push(key)
      if (file === undefined) continue
      for (const each of value.symbols)
        if (each.total > 0)
          rows.push({
            id: each.id,
            kind: each.kind,
            path: key,
            line: each.line,
            hit: each.hit,
            total: each.total,
            percent: (100 * each.hit) / each.total
          })
    }
    return { run, rows, stale } satisfies Stamped
  })

const aboutOf = (view: GraphView, { run, stale }: Stamped) => ({
  ...(run === undefined ? {} : { stamped: { at: new Date(run.at).toISOString(), ...run.about } }),
  ...(stale.length === 0 ? {} : { stale_files: stale.slice(0, 20), stale_file_count: stale.length }),
  ...(view.freshness.state === "fresh" ? {} : { freshness: freshnessOf(view.freshness) })
})

const none = (rows: number): string =>
  rows === 0
    ? "the profile has no statement of any indexed definition"
    : `none of the ${rows} definitions the profile covers`

export const coverageGaps = kind("coverage_gaps", {
  summary: "Symbols whose coverage lies in a band.",
  input: F.input({
    options: F.group({
      min_pct: F.withDefault(F.described(F.number({ min: 0, max: 100 }), "inclusive"), 0),
      max_pct: F.withDefault(F.described(F.number({ min: 0, max: 100 }), "exclusive"), 100),
      path_prefix: Shared.pathPrefix,
      kinds: F.withDefault(F.described(F.csv, "kinds of symbol to keep; all for every kind"), [
        "function",
        "method"
      ])
    })
  }),
  needs: [CodeGraph, ControlView],
  handler: ({ options }, call) =>
    Effect.gen(function* () {
      if (options.min_pct >= options.max_pct)
        return yield* invalidArgument(
          "options.min_pct",
          "options.min_pct is not below options.max_pct: no percentage is in that band",
          {
            reason_code: "empty_band",
            data: { min_pct: options.min_pct, max_pct: options.max_pct }
          }
        )
      const view = yield* graph
      const fits = yield* under(view, options.path_prefix)
      const kinds = yield* kindFilter(view, options.kinds, ["function", "method"])
      const stamped = yield* stampedOf(view)
      const rows = stamped.rows
        .filter(
          (row) =>
            kinds[view.columns.kindNames.indexOf(row.kind)] === true &&
            fits(row.path) &&
            row.percent >= options.min_pct &&
            row.percent < options.max_pct
        )
        .sort((a, b) => a.percent - b.percent || b.total - a.total || (a.id < b.id ? -1 : 1))
      return page(
        "gaps",
        {
          gaps: window(rows, call).map(({ hit, id, kind: what, line, path, percent, total }) => ({
            id,
            kind: what,
            file_path: path,
            line,
            coverage_pct: rounded(percent),
            num_stmt: total,
            hit
          })),
          total: rows.length,
          min_pct: options.min_pct,
          max_pct: options.max_pct,
          ...(rows.length === 0 ? { note: `${none(stamped.rows.length)} lies in that band` } : {}),
          ...aboutOf(view, stamped)
        },
        { from: call.offset, total: rows.length, snapshot: view.generation }
      )
    })
})

export const coverageSummary = kind("coverage_summary", {
  summary: "Coverage by folder.",
  input: F.input({
    options: F.group({
      path_prefix: Shared.pathPrefix,
      kinds: Shared.kinds
    })
  }),
  needs: [CodeGraph, ControlView],
  handler: ({ options }, call) =>
    Effect.gen(function* () {
      const view = yield* graph
      const fits = yield* under(view, options.path_prefix)
      const kinds = yield* kindFilter(view, options.kinds, "all")
      const stamped = yield* stampedOf(view)
      const folders = new Map<string, Array<Covered>>()
      let looked = 0
      for (const row of stamped.rows) {
        if (kinds[view.columns.kindNames.indexOf(row.kind)] !== true || !fits(row.path)) continue
        looked++
        const dir = row.path.includes("/") ? row.path.slice(0, row.path.lastIndexOf("/")) : "."
        const own = folders.get(dir)
        if (own === undefined) folders.set(dir, [row])
        else own.push(row)
      }
      const rows = [...folders]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([dir, all]) => {
          const hit = all.reduce((sum, row) => sum + row.hit, 0)
          const total = all.reduce((sum, row) => sum + row.total, 0)
          return {
            id: dir,
            dir,
            symbols: all.length,
            avg_pct: rounded(all.reduce((sum, row) => sum + row.percent, 0) / all.length),
            // By statement rather than by symbol: a long function counts for more.
            statement_pct: rounded((100 * hit) / total),
            covered: all.filter((row) => row.hit === row.total).length,
            partial: all.filter((row) => row.hit > 0 && row.hit < row.total).length,
            uncovered: all.filter((row) => row.hit === 0).length
          }
        })
      return page(
        "directories",
        {
          directories: window(rows, call),
          total: rows.length,
          symbols: looked,
          ...(rows.length === 0 ? { note: `${none(stamped.rows.length)} is asked for` } : {}),
          ...aboutOf(view, stamped)
        },
        { from: call.offset, total: rows.length, snapshot: view.generation }
      )
    })
})
