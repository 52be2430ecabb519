/** What a transport holds of the whole: calls, sessions, an end. No part of it needs Effect to be used. */
import type { Policy } from "../policy/Policy.ts"
import type { Approval, ApprovalState } from "../services/ApprovalStore.ts"
import type { LedgerRow, LedgerVerdict } from "../services/AuditLedger.ts"
import type { CallResult } from "./CallResult.ts"
import type { Count } from "./Counters.ts"
import type { Highlight } from "./Highlights.ts"
import type { Request } from "./Pipeline.ts"

/** Progress of a call; `total` is absent while it is not known. */
export type OnProgress = (done: number, total: number | undefined, message: string | undefined) => void

export interface CallOptions {
  /** Interrupts the call. */
  readonly signal?: AbortSignal | undefined
  readonly onProgress?: OnProgress | undefined
}

export interface Engine {
  /** Makes a call. Rejects only when `signal` interrupted it. */
  readonly call: (request: Request, options?: CallOptions) => Promise<CallResult>
  readonly openSession: (session: string) => void
  readonly closeSession: (session: string) => void
  /** Brings the index up to date without anybody asking; settles when it is, or when it could not be. */
  readonly warm: (onProgress?: OnProgress) => Promise<void>
  /** The definitions most of the code leans on. Rejects when there is no graph to ask. */
  readonly highlights: (limit: number) => Promise<ReadonlyArray<Highlight>>
  /** Questions to a person: what they are, and how they are settled. Rejects with what the store says. */
  readonly approvals: {
    readonly list: (states?: ReadonlyArray<ApprovalState>) => Promise<ReadonlyArray<Approval>>
    /** Settles a question; `by` is who does. */
    readonly decide: (reference: string, verdict: "approved" | "denied", by: string) => Promise<Approval>
  }
  /** The record of calls. Rejects with what the store says. */
  readonly ledger: {
    readonly rows: (after: number, limit: number) => Promise<ReadonlyArray<LedgerRow>>
    readonly verify: () => Promise<LedgerVerdict>
  }
  /** What the settings say now. */
  readonly policy: () => Policy
  readonly counts: () => { readonly [operation: string]: Count }
  /** Ends what runs and gives everything back. */
  readonly close: () => Promise<void>
}

/** How an engine is opened. */
export interface EngineOptions {
  /** Folder to serve; the work tree around it is what is indexed. */
  readonly directory: string
  /** Keep watching the work tree: for processes that live on. */
  readonly watch: boolean
}

export type OpenEngine = (options: EngineOptions) => Promise<Engine>
