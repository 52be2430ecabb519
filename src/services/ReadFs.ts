import { Context, type Effect } from "effect"
import type { ServiceFailure } from "./ServiceFailure.ts"

/** Reads files of tracked repositories. Paths are repository-relative with `/`. */
export class ReadFs extends Context.Tag("portico/ReadFs")<ReadFs, {
  readonly readText: (path: string) => Effect.Effect<string, ServiceFailure>
}>() {}
