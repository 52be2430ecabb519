import { Context, type Effect } from "effect"
import type { ServiceFailure } from "./ServiceFailure.ts"

/** A definition with a body, by the place of its name: 1-based line, 0-based UTF-16 column. A file's rest has line 1, column -1. */
export interface TokenUnit {
  readonly path: string
  readonly line: number
  readonly column: number
  readonly start_line: number
  readonly end_line: number
  readonly tokens: number
}

/** A loop of a body. */
export interface LoopSpan {
  readonly start_line: number
  readonly end_line: number
  /** 1 for one that lies in no other loop of its body. */
  readonly depth: number
}

/** What reading a body's tokens tells. */
export interface BodyMeasure extends TokenUnit {
  /** Cognitive complexity: each break of the flow counts one, and one more for each it is nested in. Recursion is not seen here. */
  readonly cognitive: number
  readonly loop_depth: number
  readonly loops: ReadonlyArray<LoopSpan>
}

/** Two bodies that are much alike. */
export interface ClonePair {
  readonly a: TokenUnit
  readonly b: TokenUnit
  /** Jaccard index of their token shingles, names of variables and literals aside: 1 for copies. */
  readonly similarity: number
}

/** A run of equal tokens in two places. */
export interface SharedRun {
  readonly tokens: number
  readonly a: TokenUnit
  readonly b: TokenUnit
  /** Lines of the run in either file. */
  readonly a_start: number
  readonly a_end: number
  readonly b_start: number
  readonly b_end: number
}

export interface CloneQuery {
  /** Bodies of fewer tokens are not compared. */
  readonly min_tokens: number
  /** Pairs below it are left out, 0 to 1. */
  readonly min_similarity: number
  /** Runs of fewer tokens are left out. */
  readonly min_run: number
  /** Milliseconds after which what was found so far is answered. */
  readonly deadline_ms: number
}

export interface Clones {
  /** Most alike first. */
  readonly pairs: ReadonlyArray<ClonePair>
  /** Longest first; those between two bodies of a pair are left out. */
  readonly runs: ReadonlyArray<SharedRun>
  readonly compared: number
  readonly files: number
  /** Files of languages that were asked for and could not be read. */
  readonly unread_files: number
  readonly complete: boolean
}

/** What files are made of, token by token, as the session sees them. Read when asked for and kept by content. */
export class CodeTokens extends Context.Tag("portico/CodeTokens")<
  CodeTokens,
  {
    /** Ids of languages whose tokens are known, and of those whose bodies can be measured. */
    readonly languages: { readonly read: ReadonlyArray<string>; readonly measured: ReadonlyArray<string> }
    /** Measures of every body in these files; a file of another language, or that cannot be read, has none. */
    readonly measures: (
      paths: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, ReadonlyArray<BodyMeasure>>, ServiceFailure>
    readonly clones: (query: CloneQuery) => Effect.Effect<Clones, ServiceFailure>
  }
>() {}
