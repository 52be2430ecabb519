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

/** A call of the session that is over. */
export interface LoggedCall {
  /** When it ended; ISO 8601 UTC. */
  readonly at: string
  /** Canonical tool, and the operation. */
  readonly tool: string
  readonly operation: string
  readonly duration_ms: number
  /** Rows of its list before a page was cut from it; undefined for an answer that is no list, and for a failure. */
  readonly rows: number | undefined
  /** `ok`, or the failure's code. */
  readonly outcome: string
  /** What was looked for, as far as one argument says it; undefined where none does. */
  readonly question: string | undefined
}

/** State of a connection, without changing it. */
export class SessionView extends Context.Tag("portico/SessionView")<
  SessionView,
  {
    /** A value a session operation has set; undefined when there is none. */
    readonly get: (session: string, name: string) => Effect.Effect<unknown, ServiceFailure>
    /** The last calls, oldest first: at most 1000, in memory and gone with the session. */
    readonly calls: (session: string) => Effect.Effect<ReadonlyArray<LoggedCall>, ServiceFailure>
    /** The last answers of at least 1 KiB, oldest first: at most 8 and 8 MiB. */
    readonly responses: (session: string) => Effect.Effect<ReadonlyArray<BufferedResponse>, ServiceFailure>
  }
>() {}
