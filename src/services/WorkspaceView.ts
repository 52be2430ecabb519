import { Context, type Effect } from "effect"
import type { EditRefused } from "./EditRefused.ts"
import type { Committed } from "./LocalWriter.ts"
import type { ServiceFailure } from "./ServiceFailure.ts"

export interface RepositoryInfo {
  /** Short name: the folder's. */
  readonly name: string
  /** Relative to the workspace root; "." for the root itself. */
  readonly root: string
  /** git, submodule, nested-repository, worktree, plain; or tracked, for one that lies elsewhere. */
  readonly kind: string
  readonly head: string | undefined
  readonly branch: string | undefined
  /** Undefined for one that is not open. */
  readonly files: number | undefined
}
export interface IndexHealth {
  /** ready, indexing, none. */
  readonly state: string
  readonly listed_files: number
  readonly indexed_files: number
  /** Files without facts by reason. */
  readonly skipped: { readonly [reason: string]: number }
  /** Files whose extraction failed, with the reason, at most 50. */
  readonly failures: ReadonlyArray<{ readonly path: string; readonly reason: string }>
  /** Files with at least one syntax error. */
  readonly parse_errors: number
  readonly languages: ReadonlyArray<{
    readonly language: string
    readonly files: number
    readonly depth: string
    readonly symbols: number
  }>
  readonly symbols: number
  readonly edges: number
  readonly unbound: number
  /** ISO 8601 UTC. */
  readonly indexed_at: string | undefined
  readonly watching: boolean
  /** Where the index is kept, and its bytes on disk. */
  readonly store_bytes: number
}

/** A file that was read again, or is gone. `at` is when, in milliseconds since the epoch. */
export interface IndexedChange {
  readonly path: string
  readonly kind: "added" | "modified" | "removed"
  readonly definitions_before: number
  readonly definitions_after: number
  readonly at: number
}

/** What was read again since the process began, oldest first. */
export interface IndexFeed {
  /** Milliseconds since the epoch; what changed earlier is part of the first index. */
  readonly began: number
  readonly changes: ReadonlyArray<IndexedChange>
  /** Older changes that are not kept any more. */
  readonly forgotten: number
}

/**
 * The projects of tracked repositories; each is its own, where nothing else is said. The repository that is served is
 * part of every answer.
 */
export interface Projects {
  readonly workspace: string
  /** The one that answers are narrowed to; undefined for all of the workspace. */
  readonly active: string | undefined
  /** `roots` are the prefixes of its repositories, without a slash. */
  readonly projects: ReadonlyArray<{ readonly name: string; readonly roots: ReadonlyArray<string> }>
}

/** The workspace this process serves. */
export class WorkspaceView extends Context.Tag("portico/WorkspaceView")<
  WorkspaceView,
  {
    readonly name: string
    readonly repositories: Effect.Effect<ReadonlyArray<RepositoryInfo>, ServiceFailure>
    readonly projects: Effect.Effect<Projects, ServiceFailure>
    readonly health: Effect.Effect<IndexHealth, ServiceFailure>
    /** Compares with the work tree first. */
    readonly feed: Effect.Effect<IndexFeed, ServiceFailure>
    /** What became of a write of this workspace; undefined for an id nobody knows here (any more). */
    readonly receipt: (
      transactionId: string
    ) => Effect.Effect<Committed | undefined, EditRefused | ServiceFailure>
    /** The last writes of this process, newest first; before them conflicts of earlier processes that are open. */
    readonly receipts: Effect.Effect<ReadonlyArray<Committed>>
  }
>() {}
