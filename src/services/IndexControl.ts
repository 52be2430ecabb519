import { Context, type Effect } from "effect"
import type { ServiceFailure } from "./ServiceFailure.ts"

export interface IndexReport {
  readonly file_count: number
  readonly node_count: number
  readonly edge_count: number
  /** Files read in this run. */
  readonly updated_files: ReadonlyArray<string>
  readonly removed_files: ReadonlyArray<string>
  readonly failed_files: ReadonlyArray<{ readonly path: string; readonly reason: string }>
  readonly skipped_files: number
  readonly stale_file_count: number
  readonly full: boolean
  readonly duration_ms: number
}

/** Starts and steers indexing. Progress is reported through the call's progress. */
export class IndexControl extends Context.Tag("portico/IndexControl")<
  IndexControl,
  {
    /** Forgets what is indexed and indexes the workspace anew. */
    readonly index: Effect.Effect<IndexReport, ServiceFailure>
    /** Reads what changed; with paths, only those files and folders. */
    readonly reindex: (paths: ReadonlyArray<string> | undefined) => Effect.Effect<IndexReport, ServiceFailure>
  }
>() {}
