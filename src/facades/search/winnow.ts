import { fromService } from "../../registry/Failure.ts"
import { Effect } from "effect"
import { page } from "../../registry/Answer.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph, type SymbolInfo } from "../../services/CodeGraph.ts"
import * as Shared from "../fields.ts"
import { search } from "./facade.ts"

/** Shares of a score. Each contribution lies between 0 and its share. */
const weights = { text: 0.6, fan_in: 0.25, fan_out: 0.15 } as const
const structural = { text: 0, fan_in: 0.6, fan_out: 0.4 } as const

const roleOf = (info: SymbolInfo): "test" | "benchmark" | "fuzz" | "example" =>
  /^(?:bench|Benchmark)/.test(info.name) || /(?:^|\/)bench(?:mark)?s?\//.test(info.path)
    ? "benchmark"
    : /^(?:fuzz|Fuzz)/.test(info.name)
      ? "fuzz"
      : /^Example(?:[A-Z_]|$)/.test(info.name) || /(?:^|\/)examples?\//.test(info.path)
        ? "example"
        : "test"

/** Saturates: twenty uses say nearly as much as two hundred. */
const degree = (n: number): number => n / (n + 8)
const round = (n: number): number => Math.round(n * 1000) / 1000

const needs = [CodeGraph] as const

export const winnow: Member<typeof search, "winnow", typeof needs> = search.operation("winnow", {
  narrows: true,
  tool: "winnow_symbols",
  flat: { query: "text_match" },
  summary: "Symbols narrowed by kind, language, degree or tests, and by text if wanted.",
  page: { default: 20, max: 200 },
  input: F.input({
    query: F.optional(
      F.aliased(F.described(F.text, "ranked text; without it structure alone ranks"), "text_match")
    ),
    options: F.group({
      kind: Shared.kinds,
      language: F.optional(F.text),
      path_prefix: F.optional(F.described(Shared.paths, "any of these prefixes")),
      min_fan_in: F.withDefault(F.count, 0),
      min_fan_out: F.withDefault(F.count, 0),
      is_test: F.optional(F.described(F.flag, "true: tests only; false: no tests")),
      test_role: F.optional(F.list(F.choice("test", "benchmark", "fuzz", "example")))
    })
  }),
  needs,
  handler: (input, call) =>
    Effect.gen(function* () {
      const { options } = input
      const view = yield* (yield* CodeGraph).view
      const found = view.search({
        text: input.query ?? "",
        kinds: options.kind,
        languages: options.language === undefined ? undefined : [options.language],
        paths: options.path_prefix,
        tests: options.is_test === false ? false : undefined,
        limit: Math.max(1, view.counts.symbols)
      })
      const top = found.matches.reduce((n, m) => Math.max(n, m.score), 0) || 1
      const share = input.query === undefined ? structural : weights
      const tests = options.is_test === true || options.test_role !== undefined
      const fanOut = (ref: number) => view.outgoing(ref).reduce((n, e) => (e.tier === "name" ? n : n + 1), 0)
      const kept: Array<{
        readonly ref: number
        readonly text: number
        readonly fanIn: number
        readonly fanOut: number | undefined
        score: number
      }> = []
      for (const { ref, score } of found.matches) {
        const fanIn = view.incomingCount(ref)
        if (fanIn < options.min_fan_in) continue
        if (tests) {
          const info = view.symbol(ref)
          if (!info.test || (options.test_role !== undefined && !options.test_role.includes(roleOf(info))))
            continue
        }
        const out = options.min_fan_out > 0 ? fanOut(ref) : undefined
        if (out !== undefined && out < options.min_fan_out) continue
        const text = input.query === undefined ? 0 : score / top
        kept.push({ ref, text, fanIn, fanOut: out, score: share.text * text + share.fan_in * degree(fanIn) })
      }
      // What a row uses is only counted for rows that can still be shown: it adds at most its share.
      kept.sort((a, b) => b.score - a.score || a.ref - b.ref)
      const limit = call.limit ?? 20
      const needed = call.offset + limit
      const bar = kept[needed - 1]?.score ?? -1
      const near = kept
        .filter((r, at) => at < needed || r.score + share.fan_out >= bar)
        .slice(0, Math.max(needed, 2000))
      const ranked = near
        .map((r) => {
          const out = r.fanOut ?? fanOut(r.ref)
          return { ...r, fanOut: out, score: r.score + share.fan_out * degree(out) }
        })
        .sort((a, b) => b.score - a.score || a.ref - b.ref)
      const rows = ranked.slice(call.offset, needed).map((r) => {
        const info = view.symbol(r.ref)
        return {
          id: info.id,
          name: info.name,
          kind: info.kind,
          file: info.path,
          score: round(r.score),
          fan_in: r.fanIn,
          fan_out: r.fanOut,
          contributions: {
            ...(share.text === 0 ? {} : { text: round(share.text * r.text) }),
            fan_in: round(share.fan_in * degree(r.fanIn)),
            fan_out: round(share.fan_out * degree(r.fanOut))
          }
        }
      })
      return page(
        "results",
        { results: rows, total: kept.length, weights: share },
        { from: call.offset, total: kept.length, snapshot: view.generation }
      )
    }).pipe(Effect.mapError(fromService))
})
