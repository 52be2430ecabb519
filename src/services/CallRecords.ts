import { Context, type Effect } from "effect"
import type { ServiceFailure } from "./ServiceFailure.ts"

/** A call that wants to run once. */
export interface RecordKey {
  readonly principalId: string
  readonly requestId: string
}

export interface RecordDraft extends RecordKey {
  /** `facade.operation`. */
  readonly operation: string
  /** Hex SHA-256 of operation, version and decoded arguments. */
  readonly fingerprint: string
  /** Whether it may change anything: writes and reads have quotas of their own. */
  readonly write: boolean
}

/** The outcome of a call as JSON text, kept whole. */
export type StoredResult = string

export type CallState = "running" | "completed" | "failed" | "unknown"

export interface CallRecord extends RecordDraft {
  /** `unknown`: the process that ran it is gone, and what it did could not be learned. */
  readonly state: CallState
  /** Undefined while it runs, and once it was evicted. */
  readonly result: StoredResult | undefined
  readonly startedAt: string
  readonly endedAt: string | undefined
  /** Whether the process that runs it is another one. */
  readonly elsewhere: boolean
}

/** What became of an attempt to start a call. */
export type Begun =
  /** This is the first; the caller runs it and says how it ended. */
  | { readonly tag: "started" }
  /** The same call is there already: running, ended, or unknown. */
  | { readonly tag: "known"; readonly record: CallRecord }
  /** The id belongs to other content. */
  | { readonly tag: "conflict" }
  /** The same content ran, and its result is no longer kept. */
  | { readonly tag: "expired" }
  /** No room for another write that could be told apart later. */
  | { readonly tag: "full" }

/** Calls that are to run once, kept across restarts. Not a service of operations. */
export class CallRecords extends Context.Tag("portico/CallRecords")<
  CallRecords,
  {
    readonly begin: (draft: RecordDraft) => Effect.Effect<Begun, ServiceFailure>
    readonly end: (
      key: RecordKey,
      state: "completed" | "failed" | "unknown",
      result: StoredResult
    ) => Effect.Effect<void, ServiceFailure>
    /** Takes back that a call was begun, when it turned out that it does not run. */
    readonly forget: (key: RecordKey) => Effect.Effect<void, ServiceFailure>
    readonly find: (key: RecordKey) => Effect.Effect<CallRecord | undefined, ServiceFailure>
    /** Records of processes that are gone, still said to run. */
    readonly orphans: Effect.Effect<ReadonlyArray<CallRecord>, ServiceFailure>
  }
>() {}
