import { Effect } from "effect"
import { draft } from "../../registry/FollowUp.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { byteLength } from "../../registry/Json.ts"
import { CodeGraph, type SymbolRef } from "../../services/CodeGraph.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import * as Shared from "../fields.ts"
import { unreadFiles } from "../shared/coverage.ts"
import { freshnessOf, graph, oneFile } from "../shared/symbols.ts"
import { change } from "./facade.ts"
import { boundariesOf, impactOf, reachedRow, summaryOf } from "./Affected.ts"
import { fitting, remainder } from "./Rows.ts"
import { subjects, wordsOf } from "./Subjects.ts"

/** Why nothing reached does not mean that nothing depends on it. */
const zeroCaveat = (unbound: number, unread: number, exported: boolean): string =>
  [
    "no use is bound in the index, which is no proof that there is none",
    ...(unbound > 0 ? [`${unbound} places use the name and are bound to nothing`] : []),
    ...(unread > 0 ? [`${unread} files were not read`] : []),
    ...(exported ? ["it is exported, so code outside this workspace may use it"] : []),
    "dynamic uses are not seen: a search for the name tells more"
  ].join("; ")

const needs = [CodeGraph, ReadFs] as const

export const impact: Member<typeof change, "impact", typeof needs> = change.operation("impact", {
  tool: "explain_change_impact",
  presets: ["hybrid"],
  summary: "What symbols or a file reach, by risk.",
  input: F.input(
    {
      target: F.optional(F.target({ symbol: Shared.symbol, symbols: Shared.symbols, file: Shared.file })),
      source: F.group({ symbols: F.optional(F.described(F.aliased(F.ids, "ids"), "used without a target")) }),
      output: F.group({
        summary_only: F.withDefault(F.flag, false),
        offset: F.withDefault(F.count, 0),
        limit: F.described(F.clamped({ min: 1, max: 1000, default: 100 }), "affected rows")
      })
    },
    { atLeastOne: [["target", "source.symbols"]] }
  ),
  needs,
  handler: ({ output, source, target }, call) =>
    Effect.gen(function* () {
      const view = yield* graph
      const refs =
        target?.file !== undefined
          ? [yield* oneFile(view, target.file)]
          : target === undefined
            ? yield* subjects(view, { symbols: source.symbols }, "impact", "source.symbols")
            : yield* subjects(view, target, "impact")
      const found = impactOf(view, refs)
      const bounds = boundariesOf(view, found)
      const { testFiles } = found
      const none = found.rows.length === 0
      const first = view.symbol(refs[0]!)
      const unread = none ? unreadFiles(view) : 0
      const unboundSites = (bounds.boundaries ?? []).reduce(
        (sum, { unbound_sites }) => sum + unbound_sites,
        0
      )
      const reasons = [
        ...(view.freshness.state === "fresh" ? [] : [`index_${view.freshness.state}`]),
        ...(unboundSites === 0 ? [] : ["boundaries"]),
        ...(found.suppressed === 0 ? [] : ["name_only_edges"]),
        ...(unread === 0 ? [] : ["unindexed_files"]),
        ...(none ? ["zero_is_not_proof"] : [])
      ]
      const head = {
        ...(refs.length === 1 ? { symbol: first.id } : { symbols: refs.map((ref) => view.idOf(ref)) }),
        risk: found.risk,
        summary: summaryOf(found, wordsOf(view, refs)),
        complete: reasons.length === 0,
        ...(reasons.length === 0 ? {} : { incomplete_because: reasons }),
        ...(unboundSites === 0 ? {} : { lower_bound: true }),
        by_depth_counts: found.counts,
        total_affected: found.rows.length,
        ...(none
          ? {
              zero_impact_caveat: zeroCaveat(
                unboundSites,
                unread,
                refs.some((ref) => !view.isFile(ref) && view.symbol(ref).flags.includes("exported"))
              ),
              ...(view.isFile(refs[0]!)
                ? {}
                : {
                    follow_up: draft("fallback_recovery", "search", { operation: "text", query: first.name })
                  })
            }
          : {}),
        ...bounds,
        ...(found.suppressed === 0 ? {} : { text_matched_suppressed: found.suppressed }),
        test_files: testFiles.slice(0, 100),
        ...(testFiles.length > 100 ? { test_file_count: testFiles.length } : {}),
        ...(view.freshness.state === "fresh" ? {} : { freshness: freshnessOf(view.freshness) })
      }
      if (output.summary_only) return head
      // Many are reached through the same few.
      const ids = new Map<SymbolRef, string>()
      const idOf = (ref: SymbolRef): string => {
        const id = ids.get(ref) ?? view.idOf(ref)
        ids.set(ref, id)
        return id
      }
      const rows = fitting(
        found.rows,
        {
          offset: output.offset,
          limit: output.limit,
          bytes: Math.max(0, call.budget - byteLength(head) - 400)
        },
        (row) => ({ depth: row.depth, row: reachedRow(view, row, idOf) })
      )
      const by_depth: { [depth: string]: Array<object> } = {}
      for (const { depth, row } of rows) (by_depth[depth] ??= []).push(row)
      return { ...head, by_depth, ...remainder(found.rows.length, output.offset, rows.length) }
    })
})
