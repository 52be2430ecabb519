import { Context, type Effect } from "effect"
import type { DetectorRule } from "../registry/DetectorRules.ts"
import type { ServiceFailure } from "./ServiceFailure.ts"

export type RuleSeverity = "error" | "warning" | "info"

/** What a rule says of itself. */
export interface RuleInfo {
  readonly id: string
  /** sast, hygiene, review, unsafe_patterns, or domain for rules of the project. */
  readonly family: string
  /** Language ids; `*` stands for every file with text. */
  readonly languages: ReadonlyArray<string>
  readonly severity: RuleSeverity
  /** What is wrong, as one sentence, and what to do instead. */
  readonly message: string
  readonly fix: string | undefined
  /** Such as CWE-89, and A03:2021. */
  readonly cwe: string | undefined
  readonly owasp: string | undefined
  readonly tags: ReadonlyArray<string>
}

export interface RuleQuery {
  /** Ids of the rules to match. */
  readonly rules: ReadonlyArray<string>
  /** Rules of the project that `rules` may name as well. */
  readonly own?: ReadonlyArray<DetectorRule> | undefined
  /** A file or folder to stay in, and language ids to keep. */
  readonly path?: string | undefined
  readonly languages?: ReadonlyArray<string> | undefined
  /** Whether files of tests are looked at. */
  readonly tests: boolean
  /** Milliseconds after which the search stops and says so. The next one goes on where it stopped. */
  readonly deadline_ms: number
}

export interface Finding {
  readonly rule: string
  readonly path: string
  /** Undefined for a file without a known language. */
  readonly language: string | undefined
  /** 1-based lines, and 1-based UTF-16 column. */
  readonly line: number
  readonly end_line: number
  readonly column: number
  /** What was found, on one line, cut when it is long; secrets in it are masked. */
  readonly text: string
}

export interface RuleMatches {
  /** In order of path, line, column, rule. */
  readonly findings: ReadonlyArray<Finding>
  /** Files that the rules are for, all of which have been looked at when `left` is empty. */
  readonly files: number
  /**
   * Files with rules for them that were not looked at, and why: deadline, too_large, unreadable, minified, failed …; or
   * too_many_findings, where only the first 200 of a rule are told.
   */
  readonly left: ReadonlyArray<{ readonly path: string; readonly reason: string }>
  /** Generated files, which are passed over. */
  readonly generated: number
}

/** Rules for code, and the places that break them. */
export class RuleMatcher extends Context.Tag("portico/RuleMatcher")<
  RuleMatcher,
  {
    /** Every rule of this build, by family, then language, then id. */
    readonly catalog: Effect.Effect<ReadonlyArray<RuleInfo>>
    /**
     * What the rules find in the files of the workspace as the session sees them. Fails with reason unknown_rule, with
     * no_grammar, or with invalid_pattern for a rule of the project that cannot be read.
     */
    readonly match: (query: RuleQuery) => Effect.Effect<RuleMatches, ServiceFailure>
  }
>() {}
