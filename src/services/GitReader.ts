import { Context, type Effect } from "effect"
import type { ServiceFailure } from "./ServiceFailure.ts"

export interface Commit {
  readonly id: string
  readonly subject: string
  readonly author: string
  /** ISO 8601 UTC. */
  readonly at: string
  readonly files: ReadonlyArray<string>
}

/** Reads a repository's history and work tree state. Fails with reason not_a_repository, not_found or git_failed. */
export class GitReader extends Context.Tag("portico/GitReader")<
  GitReader,
  {
    /** Full commit id of a revision. */
    readonly resolve: (revision: string) => Effect.Effect<string, ServiceFailure>
    /** The newest commits, with the files they touch. */
    readonly log: (options: {
      readonly limit: number
      readonly path?: string | undefined
    }) => Effect.Effect<ReadonlyArray<Commit>, ServiceFailure>
    /** Paths that differ from the index or are untracked, with their two-letter status. */
    readonly status: Effect.Effect<
      ReadonlyArray<{ readonly path: string; readonly status: string }>,
      ServiceFailure
    >
  }
>() {}
