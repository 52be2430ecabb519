import { Context } from "effect"

/** Who is calling. Correlation only: none of it is authority. */
export interface CallDetails {
  /** Unique per call. */
  readonly requestId: string
  /** Id of the connection's session; absent for calls without one. */
  readonly session?: string
  /** Name the client gave at initialization. */
  readonly client?: string
  /** Work tree the session is bound to. Absolute, for the server's use only. */
  readonly directory?: string
}

/** The call in hand. Defaulted, so it never shows in requirements. */
export class CallInfo extends Context.Reference<CallInfo>()("portico/CallInfo", {
  defaultValue: (): CallDetails => ({ requestId: "local" })
}) {}
