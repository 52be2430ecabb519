import { Context, type Effect } from "effect"
import type { ServiceFailure } from "./ServiceFailure.ts"

/** Reads a repository's history and work tree state. */
export class GitReader extends Context.Tag("portico/GitReader")<GitReader, {
  /** Full commit id of a revision; fails with reason `not_found`. */
  readonly resolve: (revision: string) => Effect.Effect<string, ServiceFailure>
}>() {}
