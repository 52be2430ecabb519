import { Effect } from "effect"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph, type EdgeInfo, type SymbolRef } from "../../services/CodeGraph.ts"
import { TextIndex } from "../../services/TextIndex.ts"
import * as Shared from "../fields.ts"
import { graph, oneDefinition, rowOf } from "../shared/symbols.ts"
import { completenessOf, dispatchOf, hiddenOf, nothingHidden, sift, textHits } from "./Evidence.ts"
import { relations } from "./facade.ts"
import { bySymbol, page, trust } from "./fields.ts"
import { walk, walkAnswer } from "./Walk.ts"

/** Roles in which a definition is run. */
export const runs = new Set(["call", "new", "macro", "decorate"])

const needs = [CodeGraph, TextIndex] as const

export const callers: Member<typeof relations, "callers", typeof needs> = relations.operation("callers", {
  narrows: true,
  tool: "get_callers",
  federated: true,
  presets: ["agent", "core", "edit", "nav", "localization", "hybrid"],
  summary: "Who calls a function, to a depth.",
  page,
  input: F.input({
    target: bySymbol,
    options: F.group({ ...trust, depth: Shared.depth(2), exclude_tests: Shared.excludeTests })
  }),
  needs,
  handler: ({ options, target }, call) =>
    Effect.gen(function* () {
      const view = yield* graph
      const ref = yield* oneDefinition(view, target.symbol, { facade: "relations", operation: "callers" })
      const symbol = view.symbol(ref)
      const hidden = nothingHidden()
      const tests = new Map<SymbolRef, boolean>()
      const isTest = (from: SymbolRef) => {
        let known = tests.get(from)
        if (known === undefined) tests.set(from, (known = view.symbol(from).test))
        return known
      }
      let excluded = 0
      let direct: ReadonlyArray<EdgeInfo> = []
      let others = 0
      const step = (at: SymbolRef, distance: number): ReadonlyArray<EdgeInfo> => {
        const all = view.incoming(at)
        const calls = sift(
          all.filter(({ role }) => runs.has(role)),
          options,
          hidden
        )
        const kept = options.exclude_tests ? calls.filter(({ from }) => !isTest(from)) : calls
        excluded += calls.length - kept.length
        if (distance === 0) {
          direct = kept
          others = all.reduce(
            (n, { role }) => n + Number(!runs.has(role) && role !== "import" && role !== "export"),
            0
          )
        }
        return kept
      }
      const walked = walk([ref], options.depth, step, ({ from }) => from)
      const dispatch = dispatchOf(view, ref)
      const hits = direct.length === 0 ? yield* textHits(view, symbol.name) : undefined
      return walkAnswer(view, call, walked, {
        symbol: rowOf(symbol),
        ...completenessOf(view, {
          name: symbol.name,
          refs: [ref],
          edges: direct,
          hidden,
          hits,
          because: [
            ...(dispatch.length > 0 ? ["dispatch_through_supers"] : []),
            ...(walked.stopped ? ["walk_stopped"] : [])
          ]
        }),
        ...hiddenOf(hidden),
        ...(excluded === 0 ? {} : { excluded_tests: excluded }),
        ...(others === 0 ? {} : { uses_other_than_calls: others }),
        ...(dispatch.length === 0 ? {} : { dispatched_through: dispatch.slice(0, 10) })
      })
    })
})
