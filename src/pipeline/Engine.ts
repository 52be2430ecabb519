/** What a transport holds of the whole: calls, sessions, an end. No part of it needs Effect to be used. */
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
