import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import type { Member } from "../../../registry/Facade.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph } from "../../../services/CodeGraph.ts"
import { ControlView } from "../../../services/ControlView.ts"
import { GitReader } from "../../../services/GitReader.ts"
import { WorkspaceView } from "../../../services/WorkspaceView.ts"
import * as Shared from "../../fields.ts"
import { daysBetween, iso, nowSeconds } from "../../shared/past/Days.ts"
import { past, symbolsOf } from "../../shared/past/Records.ts"
import { graph } from "../../shared/symbols.ts"
import { inTurns } from "../../../registry/Turns.ts"
import { analyze } from "../facade.ts"
import { kindFilter, under } from "../upkeep/Narrowing.ts"
import { historyKinds } from "./fields.ts"

/** Days over which a definition's commits are spread at least: else whatever was written last week would lead. */
const leastDays = 365

/** Commits in 30 days, between the first one that touched a definition and the newest of all. */
const rateOf = (commits: number, firstAt: number, headAt: number): number =>
  Math.round((commits * 100) / (Math.max(leastDays, daysBetween(firstAt, headAt)) / 30)) / 100

const needs = [CodeGraph, GitReader, ControlView, WorkspaceView] as const

export const churn: Member<typeof analyze, "churn", typeof needs> = analyze.operation("churn", {
  tool: "get_churn_rate",
  summary: "Symbols by how often commits touch them.",
  tier: 2,
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      path_prefix: Shared.pathPrefix,
      min_commits: F.withDefault(F.count, 1),
      kinds: historyKinds,
      sort_by: F.withDefault(F.choice("churn_rate", "commit_count", "age_days"), "churn_rate")
    })
  }),
  needs,
  handler: ({ options }) =>
    Effect.gen(function* () {
      const view = yield* graph
      const fits = yield* under(view, options.path_prefix)
      const kinds = yield* kindFilter(view, options.kinds, ["function", "method"])
      const now = yield* nowSeconds
      const { about, headAt, records, stale } = yield* past(view, "churn")
      let scanned = 0
      let measured = 0
      const rows: Array<{
        readonly id: string
        readonly kind: string
        readonly name: string
        readonly file_path: string
        readonly line: number
        readonly churn_rate: number
        readonly commit_count: number
        readonly age_days: number
        readonly last_author: string
        readonly last_email: string
        readonly last_commit: string
        readonly last_commit_at: string
      }> = []
      yield* inTurns(records, ([path, record]) => {
        if (!fits(path) || view.file(path) === undefined) return
        scanned++
        for (const symbol of symbolsOf(view, path, record.symbols, stale.has(path))) {
          if (kinds[view.columns.kindNames.indexOf(symbol.kind)] !== true) continue
          measured++
          if (symbol.commits < options.min_commits) continue
          rows.push({
            id: symbol.id,
            kind: symbol.kind,
            name: symbol.id.slice(symbol.id.indexOf("::") + 2),
            file_path: path,
            line: symbol.line,
            churn_rate: rateOf(symbol.commits, symbol.first_at, headAt),
            commit_count: symbol.commits,
            age_days: daysBetween(symbol.last_at, now),
            last_author: symbol.last_author,
            last_email: symbol.last_email,
            last_commit: symbol.last_commit,
            last_commit_at: iso(symbol.last_at)
          })
        }
      })
      const by = options.sort_by
      rows.sort(
        (a, b) =>
          b[by] - a[by] ||
          b.commit_count - a.commit_count ||
          (a.file_path < b.file_path ? -1 : a.file_path > b.file_path ? 1 : a.line - b.line) ||
          (a.id < b.id ? -1 : 1)
      )
      return page("symbols", {
        symbols: rows,
        total: rows.length,
        scanned_files: scanned,
        measured_symbols: measured,
        sort_by: by,
        churn_rate_is:
          "commits in 30 days, over the time from the first that touched a symbol to the newest, at least a year",
        ...about
      })
    })
})
