import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph } from "../../../services/CodeGraph.ts"
import { ReadFs } from "../../../services/ReadFs.ts"
import { RuleMatcher } from "../../../services/RuleMatcher.ts"
import { graph } from "../../shared/symbols.ts"
import { kind } from "../facade.ts"
import { rules } from "../fields.ts"
import { choose } from "./Choice.ts"
import { coverageOf, matchOf, matchRules, presentIn, summaryOf, type Where } from "./Match.ts"
import { fileName } from "../../shared/settings.ts"
import { detectors, infosOf } from "./Own.ts"

export const domain = kind("domain", {
  summary: "The project's own rules for facts of its domain.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      ...rules,
      tag: F.optional(F.text),
      exclude_tests: F.optional(F.flag),
      kinds_only: F.withDefault(F.described(F.flag, "breakdown without rows"), false)
    })
  }),
  needs: [CodeGraph, ReadFs, RuleMatcher],
  handler: ({ options }) =>
    Effect.gen(function* () {
      const view = yield* graph
      const held = yield* detectors
      const own = held?.rules ?? []
      const chosen = yield* choose(infosOf(held), options, presentIn(view))
      if (own.length === 0)
        return page("matches", {
          category: "domain",
          summary: [],
          matches: [],
          total: 0,
          rules: 0,
          message: `no rules: ${fileName} states none under detectors.rules`
        })
      const where: Where = {
        path: options.path_prefix,
        languages: options.language,
        excludeTests: options.exclude_tests === true
      }
      const found = yield* matchRules(view, chosen, own, where)
      const about = { category: "domain", summary: summaryOf(found.rows) }
      const rest = { total: found.rows.length, ...coverageOf(view, chosen, where, found) }
      return options.kinds_only
        ? { ...about, ...rest }
        : page(
            "matches",
            { ...about, matches: found.rows.map(matchOf), ...rest },
            { snapshot: view.generation }
          )
    })
})
