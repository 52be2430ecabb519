import { Context, type Effect } from "effect"
import type { RecordKey } from "./CallRecords.ts"
import type { ServiceFailure } from "./ServiceFailure.ts"

/** A call that waits for a person, with all that is needed to make it once one agreed. */
export interface PendingCall extends RecordKey {
  readonly principalKind: string
  readonly authenticated: boolean
  readonly door: string
  readonly tool: string
  /** As the caller gave them. */
  readonly arguments: unknown
  /** `facade.operation`. */
  readonly operation: string
  /** Hex SHA-256 of operation, version and decoded arguments. */
  readonly fingerprint: string
  /** Names the question; see `ApprovalStore`. */
  readonly reference: string
  /** ISO 8601, UTC: when the question lapses. */
  readonly expiresAt: string
}

/** Calls under a request id that wait for a person. Not a service of operations. */
export class PendingCalls extends Context.Tag("portico/PendingCalls")<
  PendingCalls,
  {
    /** Keeps a call until its question lapses, in place of an earlier question about the same call. */
    readonly put: (call: PendingCall) => Effect.Effect<void, ServiceFailure>
    /** The call that waits under an id; undefined when there is none, or it lapsed. */
    readonly find: (key: RecordKey) => Effect.Effect<PendingCall | undefined, ServiceFailure>
    /** The call a question is about; undefined when there is none, or it lapsed. */
    readonly about: (reference: string) => Effect.Effect<PendingCall | undefined, ServiceFailure>
    /** Hands out the right to make the call once, to the one who agreed; undefined when it was handed out already. */
    readonly ticket: (reference: string, by: string) => Effect.Effect<string | undefined, ServiceFailure>
    /** Takes a ticket in. The call for exactly one caller, whatever the number of processes; undefined for the others. */
    readonly redeem: (
      requestId: string,
      ticket: string,
      by: string
    ) => Effect.Effect<PendingCall | undefined, ServiceFailure>
    /** Forgets a call. True when it was there. */
    readonly remove: (key: RecordKey) => Effect.Effect<boolean, ServiceFailure>
  }
>() {}
