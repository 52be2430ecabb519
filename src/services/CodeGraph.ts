import { Context, type Effect } from "effect"
import type { ServiceFailure } from "./ServiceFailure.ts"

/** The indexed graph of definitions and their relations. */
export class CodeGraph extends Context.Tag("portico/CodeGraph")<CodeGraph, {
  /** A word for the snapshot in use; it changes whenever the answers may. */
  readonly snapshot: Effect.Effect<string, ServiceFailure>
}>() {}
