/** What a transport holds of the whole: calls, sessions, an end. No part of it needs Effect to be used. */
import type { Signal } from "./Running.ts"
import type { Policy } from "../policy/Policy.ts"
import type { Door, Principal } from "../policy/Principal.ts"
import type { Notice } from "./Notices.ts"
import type { ToolDefinition } from "../registry/Capabilities.ts"
import type { Registry } from "../registry/Registry.ts"
import type { Approval, ApprovalState } from "../services/ApprovalStore.ts"
import type { LedgerRow, LedgerVerdict } from "../services/AuditLedger.ts"
import type { Choice } from "../surface/Selection.ts"
import type { Surface } from "../surface/Surface.ts"
import type { RecordKey } from "../services/CallRecords.ts"
import type { Job, JobEvent, JobPage } from "../services/JobStore.ts"
import type { PendingCall } from "../services/PendingCalls.ts"
import type { CallResult } from "./CallResult.ts"
import type { Found, Named, Started, Stopped, Ticket } from "./Jobs.ts"
import type { Count } from "./Counters.ts"
import type { Highlight } from "./Highlights.ts"
import type { Refusal, Request } from "./Pipeline.ts"

export type { Found, Job, JobEvent, Named, PendingCall, Started, Stopped, Ticket }
export type { Approval, ApprovalState, LedgerRow, LedgerVerdict }

/** Progress of a call; `total` is absent while it is not known. */
export type OnProgress = (done: number, total: number | undefined, message: string | undefined) => void

export interface CallOptions {
  /** Interrupts the call. */
  readonly signal?: Signal | undefined
  readonly onProgress?: OnProgress | undefined
}

/** What outlives processes, for the person it belongs to. Everything rejects with what the store says. */
export interface Records {
  /** Questions to a person: what they are, and how they are settled. Secrets in their arguments are masked. */
  readonly approvals: {
    /** Newest first; those in any state without `states`. */
    readonly list: (states?: ReadonlyArray<ApprovalState>) => Promise<ReadonlyArray<Approval>>
    readonly get: (reference: string) => Promise<Approval | undefined>
    /** Settles a question, and writes down that it was; `by` is who does. */
    readonly decide: (reference: string, verdict: "approved" | "denied", by: string) => Promise<Approval>
  }
  /** The record of calls. */
  readonly ledger: {
    /** Rows after a number, oldest first. */
    readonly rows: (after: number, limit: number) => Promise<ReadonlyArray<LedgerRow>>
    /** Number of the last row; 0 while there is none. */
    readonly last: () => Promise<number>
    /** What of the record could not be read, and why: rows may be in it that nothing here tells of. */
    readonly unread: () => Promise<string | undefined>
    readonly verify: () => Promise<LedgerVerdict>
  }
}

/** The records of a folder, without a workspace around them. */
export interface OpenedRecords extends Records {
  readonly close: () => Promise<void>
}

/** With `reading` records that cannot be written to are read as well, and nothing can be settled. */
export type OpenRecords = (
  directory: string,
  options?: { readonly reading?: boolean }
) => Promise<OpenedRecords>

/** What a session was shown when it began. */
export interface Greeting {
  readonly door: Door
  /** The name the client gave. */
  readonly client: string | undefined
  /** Name of the surface. */
  readonly surface: string
  readonly tools: ReadonlyArray<ToolDefinition>
}

/** The methods of `Jobs`, as promises. */
export interface JobControl {
  readonly lifeMs: number
  readonly start: (request: Named) => Promise<Started>
  readonly keep: (request: Named, result: CallResult) => Promise<Job>
  readonly outcome: (job: Job) => Promise<CallResult>
  readonly find: (key: RecordKey) => Promise<Found | undefined>
  readonly stop: (key: RecordKey, reason: string) => Promise<Stopped | undefined>
  readonly approve: (requestId: string, reference: string, by: string) => Promise<Ticket | undefined>
  readonly confirm: (
    requestId: string,
    approvalId: string,
    by: string,
    asJob: (call: PendingCall) => boolean
  ) => Promise<{ readonly call: PendingCall; readonly started: Started } | undefined>
  readonly get: (id: string) => Promise<Job | undefined>
  readonly list: (principalId: string, page: JobPage) => Promise<ReadonlyArray<Job>>
  readonly events: (id: string, after: number) => AsyncIterable<JobEvent>
  /** Settles what processes that are gone left behind. */
  readonly recover: () => Promise<{ readonly calls: number; readonly jobs: number }>
}

/** What a transport says of a session it opens. */
export interface SessionOptions {
  /** Whose it is; an agent's when absent. */
  readonly principal?: Principal | undefined
  /** Sends the client a notification; absent for a connection that takes none. */
  readonly notify?: ((notice: Notice) => void) | undefined
}

/** How what is kept of a folder stands, found out by looking alone. */
export interface Standing {
  /** The folders things are kept in, and why nothing could be, where that is so. */
  readonly homes: ReadonlyArray<{ readonly folder: string; readonly problem: string | undefined }>
  readonly index:
    | { readonly state: "missing" | "other_build" | "damaged" }
    /** Compared with the work tree: how many files differ from what is indexed. */
    | { readonly state: "fresh" | "stale"; readonly files: number; readonly differing: number }
    | { readonly state: "unknown"; readonly why: string }
  /** The record of calls. */
  readonly ledger:
    | { readonly state: "missing" }
    | { readonly state: "read"; readonly verdict: LedgerVerdict }
    | { readonly state: "unreadable"; readonly why: string }
}

export type Inspect = (directory: string) => Promise<Standing>

export interface Engine extends Records {
  /** Makes a call. Rejects only when `signal` interrupted it. */
  readonly call: (request: Request, options?: CallOptions) => Promise<CallResult>
  /** Writes down a call that its transport turned away by itself; answers what it came to. */
  readonly refuse: (request: Request, refusal: Refusal) => Promise<CallResult>
  /** Begins a session in the mode the settings say for whoever it belongs to. */
  readonly openSession: (session: string, options?: SessionOptions) => void
  readonly closeSession: (session: string) => void
  /** Says that a session was shown its tools. To be said once for each session. */
  readonly greeted: (greeting: Greeting) => void
  /** Brings the index up to date without anybody asking; settles when it is, or when it could not be. */
  readonly warm: (onProgress?: OnProgress) => Promise<void>
  /** The definitions most of the code leans on. Rejects when there is no graph to ask. */
  readonly highlights: (limit: number) => Promise<ReadonlyArray<Highlight>>
  /** The tools of a choice, and what their names lead to; the same one each time. */
  readonly surface: (choice: Choice) => Surface
  /** Every tool, as data. */
  readonly registry: Registry.Any
  /** Calls that go on by themselves, and what is known of any call by its request id. Rejects with what failed. */
  readonly jobs: JobControl
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
