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

/** A folder that may be tracked as a repository of the workspace. */
export interface Tree {
  /** Absolute, links followed. Never leaves the server in answers. */
  readonly root: string
  /** Name of the folder. */
  readonly name: string
  /** Whether it is the top folder of a git work tree. */
  readonly git: boolean
  /** Whether it is another work tree of the repository that is served. */
  readonly worktreeOfServed: boolean
  /** The repository that is served. */
  readonly served: { readonly root: string; readonly name: string }
}

/** Starts and steers indexing. Progress is reported through the call's progress. */
export class IndexControl extends Context.Tag("portico/IndexControl")<
  IndexControl,
  {
    /** Forgets what is indexed and indexes the workspace anew. */
    readonly index: Effect.Effect<IndexReport, ServiceFailure>
    /** Reads what changed; with paths, only those files and folders. */
    readonly reindex: (paths: ReadonlyArray<string> | undefined) => Effect.Effect<IndexReport, ServiceFailure>
    /**
     * What stands at an absolute path. Fails with reason not_absolute, not_found, too_wide (a home folder or the root of
     * the file system), served (the repository that is served, or a folder of it) or around (a folder around it).
     */
    readonly locate: (
      path: string,
      options?: {
        /** Takes a home folder and the root of the file system as well. */
        readonly wide?: boolean
      }
    ) => Effect.Effect<Tree, ServiceFailure>
    /** Opens a tracked repository of the workspace and brings its index up to date; `not_found` for any other name. */
    readonly load: (name: string) => Effect.Effect<IndexReport, ServiceFailure>
    /**
     * Gives up what is open of a repository that is tracked no more, by its absolute root, and what is stored of it.
     * What it had, when it was open.
     */
    readonly unload: (
      root: string
    ) => Effect.Effect<Pick<IndexReport, "node_count" | "edge_count"> | undefined>
    /** The repository that is served; both "" where there is none. */
    readonly served: Tree["served"]
  }
>() {}
