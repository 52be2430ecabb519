import { Context, type Effect } from "effect"
import type { ServiceFailure } from "./ServiceFailure.ts"

/** Literal and regular-expression search over indexed text. */
export class TextIndex extends Context.Tag("portico/TextIndex")<TextIndex, {
  /** Repository-relative paths that hold the literal. */
  readonly filesWith: (literal: string) => Effect.Effect<ReadonlyArray<string>, ServiceFailure>
}>() {}
