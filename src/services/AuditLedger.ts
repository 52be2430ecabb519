import { Context, type Effect } from "effect"
import type { EffectClass } from "../registry/EffectClass.ts"
import type { ServiceFailure } from "./ServiceFailure.ts"

/** What the ledger says of one call at one layer. It never holds arguments, answers or source. */
export interface LedgerEntry {
  /** When the call ended; ISO 8601, UTC. */
  readonly at: string
  /** Unique per call; both layers of a call have the same. */
  readonly request_id: string
  readonly principal_kind: string
  readonly principal_id: string
  readonly door: string
  readonly session: string | undefined
  /** `facade`: the name that was called. `target`: the operation it came to. */
  readonly layer: "facade" | "target"
  readonly facade: string
  readonly operation: string
  readonly canonical_tool: string
  /** Undefined while no operation was found. */
  readonly effect: EffectClass | undefined
  /** What became of the call; `approved` and `denied` are rows of the person who settled a question about one. */
  readonly decision: "allowed" | "refused" | "pending" | "replayed" | "approved" | "denied"
  /** Stage that refused; undefined when none did. */
  readonly stage: string | undefined
  /** Reference of the approval that let it pass, or that it waits for. */
  readonly approval: string | undefined
  readonly duration_ms: number
  /** `ok`, or the failure's code. */
  readonly outcome: string
  /** Undefined when it is not known. */
  readonly state_changed: boolean | undefined
  /** Hex SHA-256 of the decoded arguments; undefined when they could not be decoded. */
  readonly arguments_digest: string | undefined
  /** In a row that says that old ones were let go: number of the first row that is kept. */
  readonly retained_from?: number
  /** In such a row: hash of the last row that was let go. */
  readonly retained_previous?: string
}

/** An entry as it is kept: numbered, and chained to the one before it. */
export interface LedgerRow extends LedgerEntry {
  /** Counts from 1 without gaps. */
  readonly seq: number
  /** Hash of the row before; 64 zeros for the first. */
  readonly previous: string
  /** Hex SHA-256 over `previous` and the entry. */
  readonly hash: string
}

/** What was done to a row, or to a segment of rows. */
export type LedgerBreak =
  | { readonly seq: number; readonly reason: "edited" | "removed" | "reordered" }
  | {
      /** Number of the first row the segment has, or should have. */
      readonly seq: number
      readonly reason: "segment_missing" | "segment_swapped" | "segment_damaged"
      /** Name of its file. */
      readonly segment: string
    }

/** What a walk over the whole chain found. */
export interface LedgerVerdict {
  /** Rows that are as they were written. */
  readonly rows: number
  readonly ok: boolean
  /** The hash of the last of them; what was written down elsewhere can be held against it. */
  readonly head: string | undefined
  /** Number of the first row that is kept: 1 unless older ones were let go, as a row of the record says. */
  readonly from: number
  /** Hash of the last row that was let go. */
  readonly previous: string | undefined
  /** Files that hold rows which are no longer in the table. */
  readonly segments: number
  /** The first that does not fit. */
  readonly broken: LedgerBreak | undefined
}

/** The record of what was asked and done. Rows are added and never changed. Not a service of operations. */
export class AuditLedger extends Context.Tag("portico/AuditLedger")<
  AuditLedger,
  {
    /** Adds entries in order; they are on disk when this is done. */
    readonly append: (entries: ReadonlyArray<LedgerEntry>) => Effect.Effect<void, ServiceFailure>
    /** Adds entries soon, in order with the others. What could not be written is told by the next `append`. */
    readonly note: (entries: ReadonlyArray<LedgerEntry>) => Effect.Effect<void>
    /** Rows after a number, oldest first. */
    readonly rows: (after: number, limit: number) => Effect.Effect<ReadonlyArray<LedgerRow>, ServiceFailure>
    /** Number of the last row; 0 while there is none. */
    readonly last: Effect.Effect<number, ServiceFailure>
    /** What of the record could not be read, and why: rows may be in it that nothing here tells of. */
    readonly unread: Effect.Effect<string | undefined, ServiceFailure>
    readonly verify: Effect.Effect<LedgerVerdict, ServiceFailure>
  }
>() {}
