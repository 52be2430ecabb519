import { Context, type Effect } from "effect"
import type { ServiceFailure } from "./ServiceFailure.ts"

/** An earlier answer of the session, kept as text lines. */
export interface BufferedResponse {
  readonly id: string
  /** Canonical tool that gave it. */
  readonly tool: string
  readonly text: string
  readonly bytes: number
  /** ISO 8601 UTC. */
  readonly captured_at: string
}

/** State of a connection, without changing it. */
export class SessionView extends Context.Tag("portico/SessionView")<
  SessionView,
  {
    /** A value a session operation has set; undefined when there is none. */
    readonly get: (session: string, name: string) => Effect.Effect<unknown, ServiceFailure>
    /** The last answers of at least 1 KiB, oldest first: at most 8 and 8 MiB. */
    readonly responses: (session: string) => Effect.Effect<ReadonlyArray<BufferedResponse>, ServiceFailure>
  }
>() {}
