import { Context, type Effect } from "effect"
import type { ServiceFailure } from "./ServiceFailure.ts"

/** One complaint of a linter. Lines and columns are 1-based, in the units the linter counts in. */
export interface LintFinding {
  readonly linter: string
  readonly severity: "error" | "warning" | "info"
  readonly rule: string | undefined
  readonly message: string
  readonly line: number
  readonly column: number
  readonly end_line: number | undefined
}

/** A linter that ran, and where it was found. */
export interface LinterRun {
  readonly linter: string
  readonly source: "workspace" | "path"
  readonly findings: number
}

/**
 * A linter for the language that did not run. `absent`: it was not found; `untrusted`: it is a program of the
 * repository, or runs code of it, and the workspace is not trusted; `overlay`: it reads files only, and the text is none;
 * `timeout`, `failed`: it did not end in time, or not well.
 */
export interface LinterSkip {
  readonly linter: string
  readonly reason: "absent" | "untrusted" | "overlay" | "timeout" | "failed"
  readonly detail: string
}

export interface LintAnswer {
  readonly ran: ReadonlyArray<LinterRun>
  readonly skipped: ReadonlyArray<LinterSkip>
  /** By line. */
  readonly findings: ReadonlyArray<LintFinding>
}

/** Runs installed linters. Reads only: none is asked to mend what it finds. */
export class LintReader extends Context.Tag("portico/LintReader")<
  LintReader,
  {
    /** Ids of the languages there are linters for. */
    readonly languages: ReadonlyArray<string>
    /** Runs every linter of a language on one file; each for `timeout_ms` at most, and gone afterwards. */
    readonly lint: (file: {
      /** Root-relative. */
      readonly path: string
      readonly language: string
      readonly text: string
      /** The text is not what is on disk. */
      readonly overlay: boolean
      readonly timeout_ms: number
    }) => Effect.Effect<LintAnswer, ServiceFailure>
  }
>() {}
