import { Effect, Either } from "effect"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph, type EdgeInfo } from "../../services/CodeGraph.ts"
import { TextIndex } from "../../services/TextIndex.ts"
import * as Shared from "../fields.ts"
import { freshnessOf, graph, oneDefinition, rowOf } from "../shared/symbols.ts"
import { completenessOf, dispatchOf, hiddenOf, nothingHidden, sift, textHits } from "./Evidence.ts"
import { runs } from "./callers.ts"
import { relations } from "./facade.ts"
import { bySymbol } from "./fields.ts"
import { isInside } from "./Files.ts"
import { ids } from "./Walk.ts"

const tally = (edges: ReadonlyArray<EdgeInfo>) => {
  const counts: { [kind: string]: number } = {}
  for (const { role } of edges) counts[role] = (counts[role] ?? 0) + 1
  return counts
}

const needs = [CodeGraph, TextIndex] as const

export const references: Member<typeof relations, "references", typeof needs> = relations.operation(
  "references",
  {
    tool: "check_references",
    flat: { "target.symbol": "symbol_id" },
    summary: "One verdict: is a symbol still used anywhere, with evidence.",
    input: F.input(
      {
        target: F.optional(bySymbol),
        options: F.group({
          name: F.optional(F.described(F.text, "name to look for when the symbol is gone")),
          exclude_tests: Shared.excludeTests,
          evidence_limit: F.clamped({ min: 1, max: 1000, default: 50 }),
          min_tier: Shared.minTier
        })
      },
      { atLeastOne: [["target", "options.name"]] }
    ),
    needs,
    handler: ({ options, target }) =>
      Effect.gen(function* () {
        const view = yield* graph
        const asking = {
          facade: "relations",
          operation: "references",
          field: target === undefined ? "options.name" : "target.symbol"
        }
        const found = oneDefinition(view, (target?.symbol ?? options.name)!, asking)
        if (Either.isLeft(found)) {
          // A symbol that is gone can still be looked for by its name; one of several cannot.
          if (found.left.code === "invalid_argument" || options.name === undefined) return yield* found.left
          if (target !== undefined && view.named(options.name).length > 0) return yield* found.left
          const hits = yield* textHits(view, options.name)
          const searched = !("unknown" in hits) && (hits.total > 0 || hits.at_least !== true)
          const unused = searched && hits.total === 0 && view.freshness.state === "fresh"
          return {
            verdict: unused ? "unused" : "unknown",
            ...(unused
              ? { referenced: false }
              : {
                  reason: !searched
                    ? "text_not_searched"
                    : hits.total > 0
                      ? "text_hits"
                      : `index_${view.freshness.state}`
                }),
            name: options.name,
            defined: false,
            text_hits: hits,
            freshness: freshnessOf(view.freshness)
          }
        }
        const ref = found.right
        const symbol = view.symbol(ref)
        const hidden = nothingHidden()
        const bound = sift(
          view.incoming(ref),
          {
            include_speculative: false,
            ...(options.min_tier === undefined ? {} : { min_tier: options.min_tier })
          },
          hidden
        )
        const outside = bound.filter(({ from }) => !isInside(view, ref, from))
        const kept = options.exclude_tests ? outside.filter(({ from }) => !view.symbol(from).test) : outside
        const verified = kept.filter(({ tier }) => tier !== "name")
        const dispatch = dispatchOf(view, ref)
        const hits = verified.length === 0 ? yield* textHits(view, symbol.name) : undefined
        const { completeness, freshness } = completenessOf(view, {
          name: symbol.name,
          refs: [ref],
          edges: kept,
          hidden,
          hits,
          because: dispatch.length > 0 ? ["dispatch_through_supers"] : []
        })
        // Left-out test uses are no doubt, they are an answer.
        const verdict =
          verified.length > 0 ? "used" : kept.length === 0 && completeness.complete ? "unused" : "unknown"
        const others = view.named(symbol.name).filter((other) => other !== ref)
        const importing = [
          ...new Set(
            kept.filter(({ role }) => role === "import" || role === "export").map(({ path }) => path)
          )
        ]
        const idOf = ids(view)
        const evidence = [...verified, ...kept.filter(({ tier }) => tier === "name")].slice(
          0,
          options.evidence_limit
        )
        return {
          verdict,
          ...(verdict === "unknown"
            ? { reason: kept.length > 0 ? "name_only_edges" : completeness.reason }
            : { referenced: verdict === "used" }),
          symbol: rowOf(symbol),
          ...(symbol.flags.includes("exported") && verdict !== "used" ? { exported: true } : {}),
          total_references: kept.length,
          by_kind: tally(kept),
          caller_count: new Set(kept.filter(({ role }) => runs.has(role)).map(({ from }) => from)).size,
          ...(bound.length === outside.length ? {} : { own_references: bound.length - outside.length }),
          ...(outside.length === kept.length ? {} : { excluded_tests: outside.length - kept.length }),
          ...(others.length === 0
            ? {}
            : {
                same_name_elsewhere: others.slice(0, 10).map(idOf),
                ...(others.length > 10 ? { same_name_count: others.length } : {})
              }),
          ...(importing.length === 0
            ? {}
            : {
                importing_files: importing.slice(0, 50),
                ...(importing.length > 50 ? { importing_file_count: importing.length } : {})
              }),
          ...(dispatch.length === 0 ? {} : { dispatched_through: dispatch.slice(0, 10) }),
          ...hiddenOf(hidden),
          completeness,
          freshness,
          evidence: evidence.map((edge) => ({
            from_id: idOf(edge.from),
            file_path: edge.path,
            line: edge.line,
            kind: edge.role,
            tier: edge.tier
          }))
        }
      })
  }
)
