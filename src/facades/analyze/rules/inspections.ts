/** Every rule and some questions to the index, run by name, findings in one form. */
import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import type { Member } from "../../../registry/Facade.ts"
import * as F from "../../../registry/Fields.ts"
import { isUnder } from "../../../registry/Place.ts"
import { CodeGraph } from "../../../services/CodeGraph.ts"
import { type RuleInfo, RuleMatcher } from "../../../services/RuleMatcher.ts"
import * as Shared from "../../fields.ts"
import { graph } from "../../shared/symbols.ts"
import { analyze } from "../facade.ts"
import { unknownWord } from "./Choice.ts"
import { graphInspections, type Violation } from "./Graphs.ts"
import { coverageOf, type Matched, matchRules, type Where } from "./Match.ts"

const weight = { error: 0, warning: 1, info: 2 } as const

interface Inspection {
  readonly id: string
  readonly category: string
  readonly description: string
  readonly severity: "error" | "warning" | "info"
}

const ofRule = ({ family, id, message, severity }: RuleInfo): Inspection => ({
  id,
  category: family,
  description: message,
  severity
})

const categoriesOf = (all: ReadonlyArray<Inspection>) =>
  [...new Set(all.map(({ category }) => category))].sort()

const catalogNeeds = [RuleMatcher] as const

export const inspectionCatalog: Member<typeof analyze, "inspection_catalog", typeof catalogNeeds> =
  analyze.operation("inspection_catalog", {
    tool: "list_inspections",
    summary: "The inspections there are.",
    tier: 2,
    page: { default: 100, max: 1000 },
    input: F.input({ options: F.group({ category: F.optional(F.text) }) }),
    needs: catalogNeeds,
    handler: ({ options }) =>
      Effect.gen(function* () {
        const catalog = yield* (yield* RuleMatcher).catalog
        const all = [
          ...catalog.map((rule) => ({ ...ofRule(rule), languages: rule.languages })),
          ...graphInspections.map(({ category, description, id, severity }) => ({
            id,
            category,
            description,
            severity
          }))
        ]
        const categories = categoriesOf(all)
        if (options.category !== undefined) {
          const refused = unknownWord("options.category", "category", [options.category], categories)
          if (refused !== undefined) return yield* Effect.fail(refused)
        }
        const inspections = all.filter(
          ({ category }) => options.category === undefined || category === options.category
        )
        const counts: { [category: string]: number } = {}
        for (const { category } of all) counts[category] = (counts[category] ?? 0) + 1
        return page("inspections", { inspections, total: inspections.length, categories: counts })
      })
  })

const runNeeds = [CodeGraph, RuleMatcher] as const

export const inspections: Member<typeof analyze, "inspections", typeof runNeeds> = analyze.operation(
  "inspections",
  {
    narrows: true,
    tool: "run_inspections",
    summary: "Chosen inspections, findings in one format.",
    tier: 2,
    page: { default: 50, max: 1000 },
    input: F.input({
      options: F.group({
        inspections: F.described(F.csv, "ids of inspections, categories, or all"),
        path_prefix: Shared.pathPrefix,
        severity: F.optional(F.choice("error", "warning", "info")),
        max_per_inspection: F.clamped({ min: 1, max: 1000, default: 50 })
      })
    }),
    needs: runNeeds,
    handler: ({ options }) =>
      Effect.gen(function* () {
        const view = yield* graph
        const catalog = yield* (yield* RuleMatcher).catalog
        const all: ReadonlyArray<Inspection> = [...catalog.map(ofRule), ...graphInspections]
        const names = options.inspections
        const refused = unknownWord("options.inspections", "inspection", names, [
          "all",
          ...categoriesOf(all),
          ...all.map(({ id }) => id)
        ])
        if (refused !== undefined) return yield* Effect.fail(refused)
        const chosen = all.filter(
          ({ category, id, severity }) =>
            (names.includes("all") || names.includes(category) || names.includes(id)) &&
            (options.severity === undefined || severity === options.severity)
        )
        const ids = new Set(chosen.map(({ id }) => id))
        const rules = catalog.filter(({ id }) => ids.has(id))
        const where: Where = { path: options.path_prefix, excludeTests: true }
        const found: Matched =
          rules.length === 0
            ? { rows: [], files: 0, left: [], generated: 0 }
            : yield* matchRules(view, rules, [], where)
        const wanted = isUnder(options.path_prefix)
        const violations = new Map<string, Array<Violation>>()
        for (const { finding, rule, symbol } of found.rows) {
          const list = violations.get(rule.id)
          const violation: Violation = {
            file: finding.path,
            line: finding.line,
            ...(symbol === "" ? {} : { symbol }),
            text: finding.text
          }
          if (list === undefined) violations.set(rule.id, [violation])
          else list.push(violation)
        }
        for (const { id, run } of graphInspections)
          if (ids.has(id)) violations.set(id, [...run(view, wanted)])
        const broken = chosen
          .map((inspection) => ({ ...inspection, found: violations.get(inspection.id) ?? [] }))
          // Asked for by its own id, none is an answer too.
          .filter((inspection) => inspection.found.length > 0 || names.includes(inspection.id))
          .sort(
            (a, b) =>
              weight[a.severity] - weight[b.severity] ||
              b.found.length - a.found.length ||
              (a.id < b.id ? -1 : 1)
          )
        return page(
          "results",
          {
            results: broken.map(({ category, description, found: rows, id, severity }) => ({
              inspection: id,
              category,
              severity,
              description,
              violations: rows.slice(0, options.max_per_inspection),
              total: rows.length,
              truncated: rows.length > options.max_per_inspection
            })),
            summary: {
              by_inspection: Object.fromEntries(broken.map(({ found: rows, id }) => [id, rows.length])),
              total_violations: broken.reduce((sum, { found: rows }) => sum + rows.length, 0),
              inspections_run: chosen.length
            },
            ...(rules.length === 0 ? {} : coverageOf(view, rules, where, found))
          },
          { snapshot: view.generation }
        )
      })
  }
)
