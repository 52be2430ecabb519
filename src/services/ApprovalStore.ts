import { Context, type Effect } from "effect"
import type { EffectClass } from "../registry/EffectClass.ts"
import type { ServiceFailure } from "./ServiceFailure.ts"

/** What the call touches, as it was when the question was asked. */
export interface ApprovalSubject {
  /** Blob SHA-1 by repository-relative path; null for a file that is not there. */
  readonly files: { readonly [path: string]: string | null }
  /** Stamp of the snapshot, where the call names more than files; null otherwise. */
  readonly snapshot: string | null
}

export interface ApprovalDraft {
  readonly principalKind: string
  readonly principalId: string
  readonly facade: string
  readonly operation: string
  readonly effect: EffectClass
  /** Hex SHA-256 of facade, operation and decoded arguments. */
  readonly digest: string
  readonly subject: ApprovalSubject
  /** Decoded arguments, for the person who decides. Kept with secrets masked, and removed once the question is used up. */
  readonly arguments: { readonly [key: string]: unknown }
  /** Milliseconds until the question lapses. */
  readonly lifeMs: number
}

export type ApprovalState = "pending" | "approved" | "denied" | "consumed" | "expired" | "void"

export interface Approval extends Omit<ApprovalDraft, "lifeMs" | "arguments"> {
  /** Names the question; safe to show to the one who asked. */
  readonly reference: string
  readonly state: ApprovalState
  readonly arguments: { readonly [key: string]: unknown } | undefined
  /** ISO 8601, UTC. */
  readonly createdAt: string
  readonly expiresAt: string
  readonly decidedAt: string | undefined
  readonly decidedBy: string | undefined
}

/** Questions to a person, and their answers. One answer lets one call through, once. Not a service of operations. */
export class ApprovalStore extends Context.Tag("portico/ApprovalStore")<
  ApprovalStore,
  {
    /** Asks. The same open question of the same principal is not asked twice. */
    readonly request: (draft: ApprovalDraft) => Effect.Effect<Approval, ServiceFailure>
    /** The newest question of a principal about a digest that still stands: pending, approved or denied, not expired. */
    readonly standing: (
      principalId: string,
      digest: string
    ) => Effect.Effect<Approval | undefined, ServiceFailure>
    /**
     * Settles a pending question. Fails with `not_found`, `expired`, or `conflict` when it is settled already or the one
     * who decides is the one who asked.
     */
    readonly decide: (
      reference: string,
      verdict: "approved" | "denied",
      by: string
    ) => Effect.Effect<Approval, ServiceFailure>
    /** Uses an approval up. True for exactly one caller, whatever the number of processes. */
    readonly consume: (reference: string) => Effect.Effect<boolean, ServiceFailure>
    /** Takes back an approval whose subject moved. */
    readonly invalidate: (reference: string) => Effect.Effect<void, ServiceFailure>
    /** Newest first. */
    readonly list: (
      states?: ReadonlyArray<ApprovalState>
    ) => Effect.Effect<ReadonlyArray<Approval>, ServiceFailure>
    readonly get: (reference: string) => Effect.Effect<Approval | undefined, ServiceFailure>
  }
>() {}
