/** Which rules a call asks for. A filter that nothing fits is refused with what there is. */
import { Either } from "effect"
import { invalidArgument, type OperationFailure } from "../../../registry/Failure.ts"
import { nearest } from "../../../registry/Names.ts"
import type { RuleInfo } from "../../../services/RuleMatcher.ts"

export interface Filters {
  readonly detector?: ReadonlyArray<string> | undefined
  readonly severity?: ReadonlyArray<string> | undefined
  readonly language?: ReadonlyArray<string> | undefined
  readonly cwe?: ReadonlyArray<string> | undefined
  readonly tag?: string | undefined
}

const sorted = (words: Iterable<string>): ReadonlyArray<string> => [...new Set(words)].sort()

/** `89`, `cwe-89` and `CWE-89` are one. */
const cweOf = (word: string): string => `CWE-${word.trim().replace(/^cwe[-_ ]?/i, "")}`

/** Refuses the first word that is not among those there are. */
export const unknownWord = (
  field: string,
  what: string,
  words: ReadonlyArray<string>,
  valid: ReadonlyArray<string>
): OperationFailure | undefined => {
  const stray = words.filter((word) => !valid.includes(word))
  if (stray.length === 0) return undefined
  const near = nearest(stray[0]!, valid)
  return invalidArgument(
    field,
    `no ${what} is called ${stray.join(", ")}${near === undefined ? "" : `; did you mean ${near}?`}`,
    { data: { valid_values: valid, ...(near === undefined ? {} : { suggestion: near }) } }
  )
}

/** The rules that fit all filters. `present` are the languages of the workspace, which rules for any text apply to. */
export const choose = (
  rules: ReadonlyArray<RuleInfo>,
  filters: Filters,
  present: Iterable<string>
): Either.Either<ReadonlyArray<RuleInfo>, OperationFailure> => {
  const cwes = filters.cwe?.map(cweOf)
  const named = rules.flatMap((rule) => rule.languages)
  const languages = sorted(named.includes("*") ? [...named.filter((id) => id !== "*"), ...present] : named)
  const refused =
    unknownWord("options.detector", "rule here", filters.detector ?? [], sorted(rules.map(({ id }) => id))) ??
    unknownWord("options.language", "language with rules here", filters.language ?? [], languages) ??
    unknownWord(
      "options.cwe",
      "weakness that rules look for",
      cwes ?? [],
      sorted(rules.flatMap(({ cwe }) => (cwe === undefined ? [] : [cwe])))
    ) ??
    unknownWord(
      "options.tag",
      "tag of rules here",
      filters.tag === undefined ? [] : [filters.tag],
      sorted(rules.flatMap(({ tags }) => tags))
    )
  if (refused !== undefined) return Either.left(refused)
  const fitting = rules.filter(
    (rule) =>
      (filters.detector === undefined || filters.detector.includes(rule.id)) &&
      (filters.severity === undefined || filters.severity.includes(rule.severity)) &&
      (filters.language === undefined ||
        rule.languages.includes("*") ||
        rule.languages.some((id) => filters.language!.includes(id))) &&
      (cwes === undefined || (rule.cwe !== undefined && cwes.includes(rule.cwe))) &&
      (filters.tag === undefined || rule.tags.includes(filters.tag))
  )
  return fitting.length > 0 || rules.length === 0
    ? Either.right(fitting)
    : Either.left(
        invalidArgument("options", "no rule fits all of these filters", {
          data: {
            severities: sorted(rules.map(({ severity }) => severity)),
            languages,
            rules: rules.length
          }
        })
      )
}
