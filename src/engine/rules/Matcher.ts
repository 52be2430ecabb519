/** The rules of this build and of projects, served for one workspace. */
import { Effect } from "effect"
import type { DetectorRule } from "../../registry/DetectorRules.ts"
import type { RuleInfo, RuleMatcher, RuleQuery } from "../../services/RuleMatcher.ts"
import { ServiceFailure } from "../../services/ServiceFailure.ts"
import { languages } from "../languages/index.ts"
import { owaspOf } from "./Owasp.ts"
import { InvalidRule } from "./Program.ts"
import type { CatalogRule, Place } from "./Rule.ts"
import { RuleSet } from "./RuleSet.ts"
import { type Corpus, runRules } from "./Runner.ts"
import { boundedLines, boundedTest, trustedLines, trustedTest } from "./Tests.ts"

/** Sets of projects' rules that are kept, with what they found. */
const mostOwn = 4

const failed = (reason: string, detail: string) =>
  new ServiceFailure({ service: "RuleMatcher", reason, detail, stateChanged: false })

let loading: Promise<ReadonlyArray<CatalogRule>> | undefined
/** Every rule of the build; loaded when it is first asked for. */
export const catalogRules = (): Promise<ReadonlyArray<CatalogRule>> =>
  (loading ??= import("./catalog/index.ts").then(({ groups }) =>
    groups.flatMap(({ family, languages: of, rules }) =>
      rules.map((rule) => {
        const owasp = rule.owasp ?? (rule.cwe === undefined ? undefined : owaspOf(rule.cwe))
        return { ...rule, family, languages: of, ...(owasp === undefined ? {} : { owasp }) }
      })
    )
  ))

const infoOf = (rule: CatalogRule): RuleInfo => ({
  id: rule.id,
  family: rule.family,
  languages: rule.languages,
  severity: rule.severity,
  message: rule.message,
  fix: rule.fix,
  cwe: rule.cwe,
  owasp: rule.owasp,
  tags: rule.tags ?? []
})

/** A rule of a project in the form of the catalogue's. */
const ownRule = ({ name, paths, severity, ...rest }: DetectorRule): CatalogRule => {
  const unknown = rest.languages.filter((id) => id !== "*" && !languages.some((l) => l.id === id))
  if (unknown.length > 0)
    throw new InvalidRule(
      name,
      `no language is called ${unknown.join(", ")}; there are ${languages.map(({ id }) => id).join(", ")}`
    )
  const bare =
    rest.find === undefined
      ? []
      : rest.languages.filter((id) => languages.find((l) => l.id === id)?.grammar === undefined)
  if (bare.length > 0)
    throw new InvalidRule(name, `find needs a grammar, and there is none for ${bare.join(", ")}; use line`)
  return {
    ...rest,
    id: name,
    family: "domain",
    severity: severity ?? "info",
    ...(rest.find === undefined ? {} : { find: rest.find as Place | ReadonlyArray<Place> }),
    ...(paths === undefined ? {} : { globs: paths })
  }
}

/** Rules as a service over the files that a query may ask for. */
export const makeRuleMatcher = (
  corpusOf: (query: RuleQuery) => Effect.Effect<Corpus, ServiceFailure>
): RuleMatcher["Type"] => {
  let catalog: RuleSet | undefined
  const own = new Map<string, RuleSet>()

  const setOf = ({ own: rules }: RuleQuery): Effect.Effect<RuleSet, ServiceFailure> =>
    rules === undefined
      ? Effect.map(
          Effect.promise(catalogRules),
          (all) => (catalog ??= new RuleSet(all, { test: trustedTest, lines: trustedLines }))
        )
      : Effect.try({
          try: () => {
            const key = JSON.stringify(rules)
            const held =
              own.get(key) ?? new RuleSet(rules.map(ownRule), { test: boundedTest, lines: boundedLines })
            own.delete(key)
            own.set(key, held)
            for (const old of own.keys()) {
              if (own.size <= mostOwn) break
              own.delete(old)
            }
            return held
          },
          catch: (cause) => failed("invalid_pattern", cause instanceof Error ? cause.message : String(cause))
        })

  return {
    catalog: Effect.map(Effect.promise(catalogRules), (all) => all.map(infoOf)),
    match: (query) =>
      Effect.gen(function* () {
        const set = yield* setOf(query)
        const unknown = query.rules.filter((id) => !set.byId.has(id))
        if (unknown.length > 0)
          return yield* failed("unknown_rule", `no rule is called ${unknown.join(", ")}`)
        // A rule that cannot be read is told, whether or not there is a file for it.
        if (query.own !== undefined) {
          const asked = new Set(query.rules.map((id) => set.byId.get(id)!))
          const named = new Set([...asked].flatMap((rule) => set.rules[rule]!.languages))
          yield* Effect.forEach(
            [...named].filter((id) => id !== "*"),
            (id) =>
              Effect.tryPromise({
                try: () => set.share(id, asked),
                catch: (cause) =>
                  failed("invalid_pattern", cause instanceof Error ? cause.message : String(cause))
              })
          )
        }
        return yield* runRules(
          set,
          query.rules.map((id) => set.byId.get(id)!),
          yield* corpusOf(query),
          query.deadline_ms
        )
      })
  }
}
