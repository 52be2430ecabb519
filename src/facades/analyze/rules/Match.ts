/** Rules matched, and what they find as rows. */
import { Effect } from "effect"
import type { DetectorRule } from "../../../registry/DetectorRules.ts"
import { fromService, type OperationFailure } from "../../../registry/Failure.ts"
import { isUnder } from "../../../registry/Place.ts"
import type { GraphView } from "../../../services/CodeGraph.ts"
import { type Finding, type RuleInfo, type RuleMatches, RuleMatcher } from "../../../services/RuleMatcher.ts"
import { freshnessOf } from "../../shared/symbols.ts"
import { fileName } from "../../shared/settings.ts"
import { invalid } from "./Own.ts"

/** Milliseconds for one call; the next one goes on where it stopped. */
const deadline = 12_000
/** Files listed of those that were not looked at. */
const mostListed = 20

export interface Where {
  readonly path?: string | undefined
  readonly languages?: ReadonlyArray<string> | undefined
  readonly excludeTests: boolean
}

/** A finding with the definition it stands in; "" for none. */
export interface Row {
  readonly rule: RuleInfo
  readonly finding: Finding
  readonly symbol: string
}

export interface Matched {
  /** Errors first, then by path and line. */
  readonly rows: ReadonlyArray<Row>
  readonly files: number
  readonly left: RuleMatches["left"]
  readonly generated: number
}

const weight = { error: 0, warning: 1, info: 2 } as const

const nothing: RuleMatches = { findings: [], files: 0, left: [], generated: 0 }

/** Matches rules of the catalogue, and of the project where `own` has them. */
export const matchRules = (
  view: GraphView,
  rules: ReadonlyArray<RuleInfo>,
  own: ReadonlyArray<DetectorRule>,
  where: Where
): Effect.Effect<Matched, OperationFailure, RuleMatcher> =>
  Effect.gen(function* () {
    const matcher = yield* RuleMatcher
    const query = {
      path: where.path,
      languages: where.languages,
      tests: !where.excludeTests,
      deadline_ms: deadline
    }
    const ids = (domain: boolean) =>
      rules.flatMap(({ family, id }) => ((family === "domain") === domain ? [id] : []))
    const catalog = ids(false)
    const project = ids(true)
    const built =
      catalog.length === 0
        ? nothing
        : yield* Effect.mapError(matcher.match({ ...query, rules: catalog }), (cause) => fromService(cause))
    const domain =
      project.length === 0
        ? nothing
        : yield* Effect.mapError(matcher.match({ ...query, rules: project, own }), (cause) =>
            cause.reason === "invalid_pattern"
              ? invalid(cause.detail)
              : fromService(cause, { field: fileName })
          )
    const byId = new Map(rules.map((rule) => [rule.id, rule]))
    const rows: Array<Row> = []
    for (const finding of [...built.findings, ...domain.findings]) {
      const ref = view.at(finding.path, finding.line)
      const symbol = ref === undefined || view.isFile(ref) ? undefined : ref
      if (where.excludeTests && symbol !== undefined && view.isTest(symbol)) continue
      rows.push({
        rule: byId.get(finding.rule)!,
        finding,
        symbol: symbol === undefined ? "" : view.idOf(symbol)
      })
    }
    rows.sort((a, b) => weight[a.rule.severity] - weight[b.rule.severity])
    return {
      rows,
      files: Math.max(built.files, domain.files),
      left: [...new Map([...built.left, ...domain.left].map((one) => [one.path, one])).values()],
      generated: Math.max(built.generated, domain.generated)
    }
  })

/** Languages of the workspace's files. */
export const presentIn = (view: GraphView): ReadonlySet<string> =>
  new Set(view.files().flatMap(({ language }) => (language === undefined ? [] : [language])))

/** One finding as an answer shows it. */
export const matchOf = ({ finding, rule, symbol }: Row) => ({
  detector: rule.id,
  severity: rule.severity,
  category: rule.family,
  ...(rule.cwe === undefined ? {} : { cwe: rule.cwe }),
  ...(rule.owasp === undefined ? {} : { owasp: rule.owasp }),
  ...(rule.tags.length === 0 ? {} : { tags: rule.tags }),
  ...(finding.language === undefined ? {} : { language: finding.language }),
  file: finding.path,
  line: finding.line,
  ...(finding.end_line === finding.line ? {} : { end_line: finding.end_line }),
  column: finding.column,
  ...(symbol === "" ? {} : { symbol }),
  text: finding.text
})

/** Rules with what they found, the most serious first, then by count. */
export const summaryOf = (rows: ReadonlyArray<Row>) => {
  const counts = new Map<RuleInfo, number>()
  for (const { rule } of rows) counts.set(rule, (counts.get(rule) ?? 0) + 1)
  return [...counts]
    .sort(([a, m], [b, n]) => weight[a.severity] - weight[b.severity] || n - m || (a.id < b.id ? -1 : 1))
    .map(([{ cwe, fix, id, message, severity }, count]) => ({
      detector: id,
      severity,
      ...(cwe === undefined ? {} : { cwe }),
      count,
      message,
      ...(fix === undefined ? {} : { fix })
    }))
}

/** What was looked at and what was not. */
export const coverageOf = (
  view: GraphView,
  rules: ReadonlyArray<RuleInfo>,
  where: Where,
  matched: Matched
) => {
  const everything = rules.some(({ languages }) => languages.includes("*"))
  const covered = new Set(rules.flatMap(({ languages }) => languages))
  const fits = isUnder(where.path)
  const bare = new Map<string, number>()
  if (!everything)
    for (const { language, path, skipped, test } of view.files()) {
      if (language === undefined || skipped !== undefined || covered.has(language)) continue
      if (where.languages !== undefined || (where.excludeTests && test)) continue
      if (!fits(path) || documents.has(language)) continue
      bare.set(language, (bare.get(language) ?? 0) + 1)
    }
  const reasons: { [reason: string]: number } = {}
  for (const { reason } of matched.left) reasons[reason] = (reasons[reason] ?? 0) + 1
  return {
    rules: rules.length,
    files_looked_at: matched.files,
    complete: matched.left.length === 0,
    ...(matched.left.length === 0
      ? {}
      : {
          not_looked_at: { total: matched.left.length, reasons },
          errors: matched.left.slice(0, mostListed).map(({ path, reason }) => `${path}: ${reason}`),
          ...(reasons["deadline"] === undefined
            ? {}
            : {
                note: "the time for one call ran out; what was found is kept, so the same call again goes on from here"
              })
        }),
    ...(matched.generated === 0 ? {} : { generated_files_passed_over: matched.generated }),
    ...(bare.size === 0
      ? {}
      : {
          languages_without_rules: [...bare]
            .map(([language, files]) => ({ language, files }))
            .sort((a, b) => b.files - a.files || (a.language < b.language ? -1 : 1))
        }),
    ...(view.freshness.state === "fresh" ? {} : { freshness: freshnessOf(view.freshness) })
  }
}

/** Languages of documents and data, of which nobody expects rules for code. */
const documents: ReadonlySet<string> = new Set([
  "markdown",
  "json",
  "yaml",
  "toml",
  "ini",
  "css",
  "html",
  "graphql",
  "protobuf"
])
