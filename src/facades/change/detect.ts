import { Effect } from "effect"
import { draft } from "../../registry/FollowUp.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { byteLength } from "../../registry/Json.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { GitReader } from "../../services/GitReader.ts"
import { OverlayView } from "../../services/OverlayView.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { WorkspaceView } from "../../services/WorkspaceView.ts"
import { changes, diffFields, repository } from "../diff.ts"
import { freshnessOf } from "../shared/symbols.ts"
import { change } from "./facade.ts"
import { boundariesOf, impactOf, reachedRow, summaryOf } from "./Affected.ts"
import { changedRow, lower, unknownRows } from "./Lowered.ts"
import { compare, fileRow, graphOnDisk } from "./Repositories.ts"
import { fitting, remainder } from "./Rows.ts"

/** Ids a follow-up carries; for more than these the next call is left to the caller. */
const mostFollowed = 200
/** Changed symbols and files an answer lists. */
const mostListed = 500

const needs = [GitReader, CodeGraph, OverlayView, ReadFs, WorkspaceView] as const

export const detect: Member<typeof change, "detect", typeof needs> = change.operation("detect", {
  tool: "detect_changes",
  presets: ["core", "hybrid"],
  summary: "Symbols and files changed in git, with what they reach.",
  input: F.input({
    source: F.group(diffFields),
    options: F.group({
      repo: repository,
      offset: F.withDefault(F.count, 0),
      limit: F.described(F.clamped({ min: 1, max: 1000, default: 100 }), "affected rows")
    }),
    output: F.group({ summary_only: F.withDefault(F.flag, false) })
  }),
  needs,
  handler: ({ options, output, source }, call) =>
    Effect.gen(function* () {
      const comparison = changes(source)
      const compared = yield* compare(comparison, options.repo)
      const view = yield* graphOnDisk
      const { symbols, unknown } = yield* lower(view, compared, comparison.scope)
      const files = compared.flatMap((each) => each.changes.files)
      const live = symbols.flatMap(({ change: how, ref }) =>
        ref === undefined || (how === "top_level" && view.isFile(ref)) ? [] : [ref]
      )
      const deleted = symbols.filter(({ ref }) => ref === undefined)
      const cut = compared.reduce(
        (sum, { changes: { cut: own } }) => ({ files: sum.files + own.files, hunks: sum.hunks + own.hunks }),
        { files: 0, hunks: 0 }
      )
      const reasons = [
        ...(view.freshness.state === "fresh" ? [] : [`index_${view.freshness.state}`]),
        ...(unknown.length === 0 ? [] : ["unknown_files"]),
        ...(cut.files === 0 ? [] : ["files_cut"]),
        ...(cut.hunks === 0 ? [] : ["hunks_cut"])
      ]
      const impact = impactOf(view, live)
      const { testFiles } = impact
      const ids = symbols.flatMap(({ info, ref }) => (ref === undefined ? [] : [info.id]))
      const filters = [...new Set(compared.flatMap((each) => each.changes.filters_not_run))]
      const head = {
        scope: comparison.scope,
        ...(comparison.scope === "compare" ? { base: comparison.base } : {}),
        ...(compared.length === 1
          ? {
              repo: compared[0]!.name,
              ...(compared[0]!.root === "" ? {} : { repo_root: compared[0]!.root }),
              ...(compared[0]!.changes.from === undefined ? {} : { from_commit: compared[0]!.changes.from }),
              ...(compared[0]!.changes.base === undefined ? {} : { base_commit: compared[0]!.changes.base }),
              ...(compared[0]!.changes.unrelated ? { unrelated_histories: true } : {})
            }
          : {
              repos: compared.map(({ changes: own, name, root }) => ({
                name,
                root,
                changed_files: own.files.length,
                ...(own.from === undefined ? {} : { from_commit: own.from })
              }))
            }),
        summary:
          files.length === 0
            ? "no file differs"
            : symbols.length === 0
              ? `${files.length} files differ, and no symbol of the index changed`
              : `${files.length} files and ${symbols.length} symbols differ; ${summaryOf(impact, `the ${live.length} that are still there`)}`,
        complete: reasons.length === 0,
        ...(reasons.length === 0 ? {} : { incomplete_because: reasons }),
        risk: impact.risk,
        by_depth_counts: impact.counts,
        total_affected: impact.rows.length
      }
      const more = {
        ...(view.freshness.state === "fresh" ? {} : { freshness: freshnessOf(view.freshness) }),
        ...unknownRows(unknown),
        ...(cut.files + cut.hunks === 0 ? {} : { cut }),
        ...(filters.length === 0 ? {} : { filters_not_run: filters }),
        ...(deleted.length === 0 ? {} : { deleted_symbols_not_followed: deleted.length }),
        test_files: testFiles.slice(0, 100),
        ...(testFiles.length > 100 ? { test_file_count: testFiles.length } : {}),
        ...(ids.length === 0 || ids.length > mostFollowed
          ? {}
          : {
              follow_up: draft(
                reasons.length === 0 && deleted.length === 0
                  ? "mechanically_followable"
                  : "fallback_recovery",
                "change",
                { operation: "tests", target: { symbols: ids } }
              )
            })
      }
      if (output.summary_only)
        return {
          ...head,
          changed_symbol_count: symbols.length,
          changed_file_count: files.length,
          ...more
        }
      const lists = {
        changed_symbols: symbols.slice(0, mostListed).map(changedRow),
        ...(symbols.length > mostListed ? { changed_symbol_count: symbols.length } : {}),
        changed_files: files.slice(0, mostListed).map(({ path }) => path),
        file_changes: files.slice(0, mostListed).map(fileRow),
        ...(files.length > mostListed ? { changed_file_count: files.length } : {})
      }
      const rows = fitting(
        impact.rows,
        {
          offset: options.offset,
          limit: options.limit,
          bytes: Math.max(0, call.budget - byteLength({ ...head, ...lists, ...more }) - 600)
        },
        (row) => ({ depth: row.depth, row: reachedRow(view, row) })
      )
      const by_depth: { [depth: string]: Array<object> } = {}
      for (const { depth, row } of rows) (by_depth[depth] ??= []).push(row)
      return {
        ...head,
        ...lists,
        by_depth,
        ...remainder(impact.rows.length, options.offset, rows.length),
        ...boundariesOf(view, impact),
        ...more
      }
    })
})
