import { Context, type Effect } from "effect"
import type { ServiceFailure } from "./ServiceFailure.ts"

/** Changes state that lives as long as a connection. The witness of session writes. */
export class SessionStore extends Context.Tag("portico/SessionStore")<
  SessionStore,
  {
    /** Stores a value of the session under a name and returns the previous one. */
    readonly set: (session: string, name: string, value: unknown) => Effect.Effect<unknown, ServiceFailure>
    readonly clear: (session: string, name: string) => Effect.Effect<boolean, ServiceFailure>
    /**
     * Replaces a session's value under a name in one step. `change` is given it and the values that the other sessions of
     * this process have under the name, and says what to answer and what to store; undefined takes the value away.
     */
    readonly modify: <A>(
      session: string,
      name: string,
      change: (own: unknown, others: ReadonlyArray<unknown>) => readonly [answer: A, value: unknown]
    ) => Effect.Effect<A, ServiceFailure>
  }
>() {}
