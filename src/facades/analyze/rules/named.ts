import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph } from "../../../services/CodeGraph.ts"
import { ReadFs } from "../../../services/ReadFs.ts"
import { RuleMatcher } from "../../../services/RuleMatcher.ts"
import * as Shared from "../../fields.ts"
import { graph } from "../../shared/symbols.ts"
import { kind } from "../facade.ts"
import { severities } from "../fields.ts"
import { bundlesOf } from "./Bundles.ts"
import { choose, unknownWord } from "./Choice.ts"
import { coverageOf, matchOf, matchRules, presentIn, summaryOf, type Where } from "./Match.ts"
import { detectors, infosOf, invalid } from "./Own.ts"

/** Names shown of a bundle's rules in the list of bundles. */
const mostNames = 12

export const named = kind("named", {
  summary: "A named bundle of detectors; without a name, the bundles.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      name: F.optional(F.text),
      severity: F.optional(severities),
      language: F.optional(F.csv),
      exclude_tests: F.optional(F.flag),
      path_prefix: Shared.pathPrefix
    })
  }),
  needs: [CodeGraph, ReadFs, RuleMatcher],
  handler: ({ options }) =>
    Effect.gen(function* () {
      const view = yield* graph
      const held = yield* detectors
      const catalog = yield* (yield* RuleMatcher).catalog
      const all = [...infosOf(held), ...catalog]
      const bundles = bundlesOf(catalog, held?.bundles ?? [])
      if (options.name === undefined)
        return page("queries", {
          queries: bundles.map(({ description, detectors: names, name, own }) => ({
            name,
            description,
            source: own ? "project" : "built_in",
            detectors: names.slice(0, mostNames),
            detector_count: names.length
          })),
          total: bundles.length
        })
      const bundle = bundles.find(({ name }) => name === options.name)
      if (bundle === undefined)
        return yield* Effect.fail(
          unknownWord(
            "options.name",
            "bundle",
            [options.name],
            bundles.map(({ name }) => name)
          )!
        )
      const stray = bundle.detectors.filter((id) => all.every((rule) => rule.id !== id))
      if (stray.length > 0)
        return yield* Effect.fail(
          invalid(`detectors.bundles: ${bundle.name} names ${stray.join(", ")}, which is no rule`)
        )
      const chosen = yield* choose(
        all.filter(({ id }) => bundle.detectors.includes(id)),
        options,
        presentIn(view)
      )
      const where: Where = {
        path: options.path_prefix,
        languages: options.language,
        excludeTests: options.exclude_tests === true
      }
      const found = yield* matchRules(view, chosen, held?.rules ?? [], where)
      return page(
        "matches",
        {
          query: bundle.name,
          detectors: chosen.map(({ id }) => id),
          summary: summaryOf(found.rows),
          matches: found.rows.map(matchOf),
          total: found.rows.length,
          ...coverageOf(view, chosen, where, found)
        },
        { snapshot: view.generation }
      )
    })
})
