import { Context, type Effect } from "effect"
import type { ServiceFailure } from "./ServiceFailure.ts"

export type JobState = "queued" | "running" | "completed" | "failed" | "cancelled"

/** A sign of life of a job. The last one of a job is terminal, and there is exactly one such. */
export interface JobEvent {
  /** Counts from 1 without gaps, per job. */
  readonly sequence: number
  /** ISO 8601, UTC. */
  readonly at: string
  readonly phase: JobState
  /** Units done and in all; undefined while unknown. */
  readonly progress: { readonly done: number; readonly total: number | undefined } | undefined
  readonly message: string | undefined
  /** In the terminal event. */
  readonly result?: unknown
  readonly error?: { readonly code: string; readonly message: string } | undefined
}

export interface Job {
  readonly id: string
  readonly principalId: string
  readonly requestId: string
  /** `facade.operation`. */
  readonly operation: string
  readonly state: JobState
  readonly createdAt: string
  /** When it last gave a sign of life, its end included. */
  readonly updatedAt: string
  /** How far it has come, and in what words, as its last event says it; of one that failed, why. */
  readonly progress: JobEvent["progress"]
  readonly message: string | undefined
  readonly endedAt: string | undefined
  /** Why it was cancelled, or who asked. */
  readonly reason: string | undefined
  /** Whether the process that runs it is another one, alive or not. */
  readonly elsewhere: boolean
}

/** A part of the jobs of a principal. */
export interface JobPage {
  readonly limit: number
  /** The job that the page begins after; from the newest when absent. */
  readonly after?: Pick<Job, "id" | "createdAt"> | undefined
}

/** Long work and how it went, kept across restarts. Not a service of operations. */
export class JobStore extends Context.Tag("portico/JobStore")<
  JobStore,
  {
    /** Milliseconds after its end that a job is kept, unless there are too many. */
    readonly lifeMs: number
    readonly create: (
      job: Pick<Job, "principalId" | "requestId" | "operation">
    ) => Effect.Effect<Job, ServiceFailure>
    /** Adds an event and takes its phase as the job's state. Nothing follows a terminal event: false when there is one. */
    readonly add: (
      id: string,
      event: Omit<JobEvent, "sequence" | "at">,
      reason?: string
    ) => Effect.Effect<boolean, ServiceFailure>
    readonly get: (id: string) => Effect.Effect<Job | undefined, ServiceFailure>
    /** The newest job of a call; undefined when it has none. */
    readonly of: (principalId: string, requestId: string) => Effect.Effect<Job | undefined, ServiceFailure>
    /** Events after a sequence number, oldest first. */
    readonly events: (id: string, after: number) => Effect.Effect<ReadonlyArray<JobEvent>, ServiceFailure>
    /** Jobs of a principal, newest first. */
    readonly list: (principalId: string, page: JobPage) => Effect.Effect<ReadonlyArray<Job>, ServiceFailure>
    /** Jobs without a terminal event whose process is gone. */
    readonly orphans: Effect.Effect<ReadonlyArray<Job>, ServiceFailure>
  }
>() {}
