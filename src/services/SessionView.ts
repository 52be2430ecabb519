import { Context, type Effect } from "effect"
import type { ServiceFailure } from "./ServiceFailure.ts"

/** State of a connection, without changing it. */
export class SessionView extends Context.Tag("portico/SessionView")<SessionView, {
  readonly get: (session: string, name: string) => Effect.Effect<unknown, ServiceFailure>
}>() {}
