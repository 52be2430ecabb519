import { Context, type Effect } from "effect"
import type { ServiceFailure } from "./ServiceFailure.ts"

/** Starts and steers indexing. */
export class IndexControl extends Context.Tag("portico/IndexControl")<IndexControl, {
  readonly reindex: (repository: string) => Effect.Effect<void, ServiceFailure>
}>() {}
