/** What the project's settings say of detectors. */
import type { Effect } from "effect"
import { DetectorRules } from "../../../registry/DetectorRules.ts"
import type { OperationFailure } from "../../../registry/Failure.ts"
import type { ReadFs } from "../../../services/ReadFs.ts"
import type { RuleInfo } from "../../../services/RuleMatcher.ts"
import { invalidSettings, readSection, sectionOf } from "../../shared/settings.ts"

const data = { keys: ["rules", "bundles"], severities: ["error", "warning", "info"] }

/** The settings are at fault. */
export const invalid = (why: string): OperationFailure => invalidSettings(why, data)

/** The detectors of the workspace; undefined when it states none. */
export const detectors: Effect.Effect<DetectorRules | undefined, OperationFailure, ReadFs> = sectionOf(
  readSection({
    key: "detectors",
    schema: DetectorRules,
    data,
    fault: ({ bundles = [], rules = [] }) => {
      const names = [...rules, ...bundles].map(({ name }) => name)
      const twice = names.find((name, i) => names.indexOf(name) !== i)
      return twice === undefined ? undefined : `: ${twice} is the name of two things`
    }
  })
)

/** Rules of the project as rules say what they are. */
export const infosOf = (held: DetectorRules | undefined): ReadonlyArray<RuleInfo> =>
  (held?.rules ?? []).map(({ fix, languages, message, name, severity, tags }) => ({
    id: name,
    family: "domain",
    languages,
    severity: severity ?? "info",
    message,
    fix,
    cwe: undefined,
    owasp: undefined,
    tags: tags ?? []
  }))
