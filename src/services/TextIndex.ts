import { Context, type Effect } from "effect"
import type { ServiceFailure } from "./ServiceFailure.ts"

export interface TextQuery {
  readonly pattern: string
  /** Take the pattern as a regular expression in the syntax of Rust's `regex`. */
  readonly regexp: boolean
  readonly ignore_case?: boolean | undefined
  readonly word?: boolean | undefined
  readonly multiline?: boolean | undefined
  /** Lines of context. */
  readonly before?: number | undefined
  readonly after?: number | undefined
  /** Path prefixes, globs and language ids a file must fit; each list is any-of. */
  readonly paths?: ReadonlyArray<string> | undefined
  readonly globs?: ReadonlyArray<string> | undefined
  readonly languages?: ReadonlyArray<string> | undefined
  readonly limit: number
  readonly per_file?: number | undefined
  readonly mode: "matches" | "files" | "count"
  /** Lines of a file to pass over, undefined for none: what begins in one is neither told nor counted. */
  readonly except?: ((path: string) => ((line: number) => boolean) | undefined) | undefined
  /** Milliseconds after which the search stops and says so. */
  readonly deadline_ms?: number | undefined
}
export interface TextMatch {
  readonly path: string
  /** 1-based line and 1-based UTF-16 column of the first match in it. */
  readonly line: number
  readonly column: number
  readonly end_line: number
  /** The line without its end, cut around the match when it is long. */
  readonly text: string
  readonly clipped: boolean
  readonly before: ReadonlyArray<string>
  readonly after: ReadonlyArray<string>
}
export interface TextMatches {
  readonly matches: ReadonlyArray<TextMatch>
  /** Files with their number of matching lines, in path order; filled in modes files and count, bounded by the limit. */
  readonly files: ReadonlyArray<{ readonly path: string; readonly count: number }>
  /** Matching lines and files seen. Exact when `complete`, a lower bound otherwise. */
  readonly total: number
  readonly total_files: number
  readonly complete: boolean
  /** Why it is not complete: limit, per_file, deadline, unreadable, repository_unavailable. */
  readonly causes: ReadonlyArray<string>
  readonly searched_files: number
  /** Files the query asked for that were not searched: too large, or not to be read when they were indexed. */
  readonly unread_files: number
}

/** Literal and regular-expression search over the text of the listed files as they are on disk. */
export class TextIndex extends Context.Tag("portico/TextIndex")<
  TextIndex,
  {
    /** Fails with reason invalid_pattern (detail tells where) or no_index. */
    readonly search: (query: TextQuery) => Effect.Effect<TextMatches, ServiceFailure>
    /** Whether a path fits the glob: `*` stays in a segment, `**` crosses, a bare pattern matches base names. */
    readonly glob: (pattern: string) => (path: string) => boolean
    /**
     * Matches of a tree-sitter query or an ast-grep-style code pattern in the listed files of one language. Fails with
     * reason invalid_pattern or no_grammar.
     */
    readonly structural: (query: {
      readonly pattern: string
      readonly language: string
      readonly paths?: ReadonlyArray<string> | undefined
      readonly limit: number
      readonly deadline_ms?: number | undefined
    }) => Effect.Effect<
      {
        readonly matches: ReadonlyArray<{
          readonly path: string
          readonly line: number
          readonly end_line: number
          /** 1-based UTF-16. */
          readonly column: number
          readonly text: string
          /** Text of the named captures or metavariables. */
          readonly captures: { readonly [name: string]: string }
        }>
        readonly total: number
        readonly complete: boolean
        readonly files_walked: number
        readonly errors: ReadonlyArray<string>
      },
      ServiceFailure
    >
  }
>() {}
