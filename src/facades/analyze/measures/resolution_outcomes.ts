import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import type { Member } from "../../../registry/Facade.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph, type UnresolvedReason, type UnresolvedUse } from "../../../services/CodeGraph.ts"
import { unreadFiles } from "../../shared/coverage.ts"
import { freshnessOf, graph } from "../../shared/symbols.ts"
import { type analyze, kind } from "../facade.ts"

const reasons = [
  "ambiguous_multi_match",
  "candidate_out_of_scope",
  "cross_language_only",
  "stub_only",
  "no_definition"
] as const satisfies ReadonlyArray<UnresolvedReason>

const means: { readonly [R in UnresolvedReason]: string } = {
  ambiguous_multi_match: "several definitions have the name, and nothing says which is meant",
  candidate_out_of_scope: "one definition has the name, and no import or type leads to it",
  cross_language_only: "only definitions in other languages have the name",
  stub_only: "only declarations without a body have the name",
  no_definition: "nothing here has the name: most often a member of something from outside"
}
const mostCandidates = 3

const needs = [CodeGraph] as const

export const resolutionOutcomes: Member<typeof analyze, "resolution_outcomes", typeof needs> = kind(
  "resolution_outcomes",
  {
    summary: "Why calls and references stayed unresolved.",
    page: { default: 100, max: 1000 },
    input: F.input({
      options: F.group({
        reason: F.optional(
          F.described(F.choice(...reasons), "keep this one; without it rows of names there are here")
        )
      })
    }),
    needs,
    handler: ({ options }, call) =>
      Effect.gen(function* () {
        const view = yield* graph
        const { counts, rows } = view.unresolved()
        // What nothing here has the name of is the most by far, and says least.
        const wanted: ReadonlyArray<UnresolvedReason> =
          options.reason === undefined
            ? reasons.filter((reason) => reason !== "no_definition")
            : [options.reason]
        const total = wanted.reduce((sum, reason) => sum + counts[reason], 0)
        const found: Array<UnresolvedUse> = []
        let from = call.offset
        let left = call.limit ?? total
        for (const reason of wanted) {
          if (left <= 0) break
          if (from >= counts[reason]) {
            from -= counts[reason]
            continue
          }
          const own = rows(reason, from, left)
          found.push(...own)
          left -= own.length
          from = 0
        }
        return page(
          "rows",
          {
            total,
            by_reason: counts,
            rows: found.map(({ candidates, column, language, line, name, path, reason, role, within }) => ({
              name,
              kind: role,
              file_path: path,
              line,
              column,
              within: view.idOf(within),
              reason,
              language,
              ...(candidates.length === 0
                ? {}
                : {
                    candidates: candidates.slice(0, mostCandidates).map((ref) => view.idOf(ref)),
                    ...(candidates.length > mostCandidates ? { candidate_count: candidates.length } : {})
                  })
            })),
            reasons: Object.fromEntries(wanted.map((reason) => [reason, means[reason]])),
            bound: view.counts.edges,
            unread_files: unreadFiles(view),
            freshness: freshnessOf(view.freshness)
          },
          { from: call.offset, total, snapshot: view.generation }
        )
      })
  }
)
