import { Context } from "effect"
import type { ToolDefinition } from "./Capabilities.ts"

/** Who is calling. Correlation only: none of it is authority. */
export interface CallDetails {
  /** Unique per call. */
  readonly requestId: string
  /** Id of the connection's session; absent for calls without one. */
  readonly session?: string
  /** Name the client gave at initialization. */
  readonly client?: string
  /**
   * Id under which the call's first transaction of files is recorded, unless the call gives one itself; so that who knows
   * the call can ask what became of it. Absent for reads, and for calls without a request id.
   */
  readonly transaction?: string
  /** Id of the transaction that belongs to a request id of the same caller. Absent where calls are not remembered. */
  readonly transactionFor?: (requestId: string) => string
  /** Work tree the session is bound to. Absolute, for the server's use only. */
  readonly directory?: string
  /** What the call is narrowed to; all of the workspace, or its active project, when absent. */
  readonly narrowed?: Narrowed
  /** The tools the caller sees; the ones with operations when absent. */
  readonly surface?: SurfaceDetails
}

/** A part of a workspace. All that is said holds at once: each word can only take away. */
export interface Narrowed {
  /** One repository by its prefix, its name or a path in it; "*" for all. */
  readonly repo?: string
  readonly project?: string
  /** The workspace the session is bound to, and no other. */
  readonly workspace?: string
  /** Name of a saved scope. */
  readonly scope?: string
  /** Paths the operation looks at and no others: repositories that none of them leads to need not be opened. */
  readonly paths?: ReadonlyArray<string>
}

/** What operations about a surface know of it. */
export interface SurfaceDetails {
  readonly name: string
  /** Whether tools that are not listed can be called. */
  readonly mode: "hide" | "defer"
  /** The tools that can be called, listed ones first. */
  readonly tools: () => ReadonlyArray<{ readonly tool: ToolDefinition; readonly listed: boolean }>
}

/** The call in hand. Defaulted, so it never shows in requirements. */
export class CallInfo extends Context.Reference<CallInfo>()("portico/CallInfo", {
  defaultValue: (): CallDetails => ({ requestId: "local" })
}) {}
