/** Rules of the catalogue by what they are for. */
import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph } from "../../../services/CodeGraph.ts"
import { RuleMatcher } from "../../../services/RuleMatcher.ts"
import { graph } from "../../shared/symbols.ts"
import { kind } from "../facade.ts"
import { rules } from "../fields.ts"
import { choose, type Filters } from "./Choice.ts"
import { coverageOf, matchOf, matchRules, presentIn, summaryOf, type Where } from "./Match.ts"

const needs = [CodeGraph, RuleMatcher] as const

interface Asked extends Filters {
  readonly path_prefix?: string | undefined
  readonly exclude_tests?: boolean | undefined
  readonly kinds_only?: boolean | undefined
}

const distinct = (words: ReadonlyArray<string | undefined>): ReadonlyArray<string> =>
  [...new Set(words)]
    .filter((word) => word !== undefined)
    .sort((a, b) => Number(a.slice(4)) - Number(b.slice(4)))

const matched = (family: string, options: Asked) =>
  Effect.gen(function* () {
    const view = yield* graph
    const catalog = yield* (yield* RuleMatcher).catalog
    const chosen = yield* choose(
      catalog.filter((rule) => rule.family === family),
      options,
      presentIn(view)
    )
    const where: Where = {
      path: options.path_prefix,
      languages: options.language,
      excludeTests: options.exclude_tests === true
    }
    const found = yield* matchRules(view, chosen, [], where)
    const { rows } = found
    const about = {
      category: family,
      summary: summaryOf(rows),
      ...(family === "sast" ? { cwes: distinct(rows.map(({ rule }) => rule.cwe)) } : {})
    }
    const rest = { total: rows.length, ...coverageOf(view, chosen, where, found) }
    return options.kinds_only === true
      ? { ...about, ...rest }
      : page("matches", { ...about, matches: rows.map(matchOf), ...rest }, { snapshot: view.generation })
  })

export const sast = kind("sast", {
  summary: "Security rules, with CWE and OWASP tags.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      ...rules,
      cwe: F.optional(F.csv),
      tag: F.optional(F.text),
      exclude_tests: F.withDefault(F.flag, true),
      kinds_only: F.withDefault(F.described(F.flag, "breakdown without rows"), false)
    })
  }),
  needs,
  handler: ({ options }) => matched("sast", options)
})

export const hygiene = kind("hygiene", {
  summary: "Hygiene rules.",
  page: { default: 100, max: 1000 },
  input: F.input({ options: F.group({ ...rules, exclude_tests: F.withDefault(F.flag, true) }) }),
  needs,
  handler: ({ options }) => matched("hygiene", options)
})

export const review = kind("review", {
  summary: "Rules of idiom and correctness behind a review.",
  page: { default: 100, max: 1000 },
  input: F.input({ options: F.group({ ...rules, exclude_tests: F.optional(F.flag) }) }),
  needs,
  handler: ({ options }) => matched("review", options)
})

export const unsafePatterns = kind("unsafe_patterns", {
  summary: "Primitives that panic or are undefined.",
  page: { default: 200, max: 1000 },
  input: F.input({ options: F.group({ ...rules, exclude_tests: F.withDefault(F.flag, true) }) }),
  needs,
  handler: ({ options }) => matched("unsafe_patterns", options)
})
