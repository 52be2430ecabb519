import { Context, type Effect } from "effect"
import type { ServiceFailure } from "./ServiceFailure.ts"

export interface Commit {
  readonly id: string
  readonly subject: string
  readonly author: string
  /** ISO 8601 UTC. */
  readonly at: string
  readonly files: ReadonlyArray<string>
}

/** The commit a line came with. `at` is when it was committed, ISO 8601 UTC. */
export interface BlamedLine {
  readonly commit: string
  readonly author: string
  readonly at: string
  readonly subject: string
}

/** Lines that differ, without context. Starts are 1-based; a side without lines lies after the line it names. */
export interface Hunk {
  readonly old_start: number
  readonly old_lines: number
  readonly new_start: number
  readonly new_lines: number
}

/** A path that differs between the two sides of a comparison. */
export interface ChangedPath {
  /** Workspace-relative. */
  readonly path: string
  readonly previous_path?: string
  /** `modified` with the same blob on both sides changed its mode only. */
  readonly kind:
    | "added"
    | "modified"
    | "deleted"
    | "renamed"
    | "copied"
    | "type_changed"
    | "unmerged"
    | "untracked"
    | "unknown"
  /** What it is now, or was when it is gone. */
  readonly type: "file" | "symlink" | "submodule"
  /** git's octal modes; undefined on a side where it is not. */
  readonly old_mode: string | undefined
  readonly new_mode: string | undefined
  /** Blob of the old side; undefined where there is none. */
  readonly old_blob: string | undefined
  /** Blob of the new side when that is the index or git knows it; undefined for a file as it is on disk. */
  readonly new_blob: string | undefined
  readonly binary: boolean
  readonly hunks: ReadonlyArray<Hunk>
  /** False when the hunks are not all of the difference: cut, or in conflict. */
  readonly hunks_complete: boolean
}

/** What a comparison is between. `compare` is the work tree against where HEAD and the base part. */
export type Comparison =
  | { readonly scope: "unstaged" | "staged" | "all" }
  | { readonly scope: "compare"; readonly base: string }

export interface Changes {
  /** Commit the old side is of; undefined for the index and before the first commit. */
  readonly from: string | undefined
  /** The base's own commit, for `compare`. */
  readonly base: string | undefined
  /** Base and HEAD share no history, so the base itself is the old side. */
  readonly unrelated: boolean
  /** By path. */
  readonly files: ReadonlyArray<ChangedPath>
  /** Names that are not UTF-8, in printable form. */
  readonly undecodable: ReadonlyArray<string>
  /** Untracked folders that are repositories of their own; not looked into. */
  readonly nested: ReadonlyArray<string>
  /** Folders that could not be opened: what is untracked below them is unknown. */
  readonly unreadable: ReadonlyArray<string>
  /** Filters of the repository's own configuration, which were not run: files they apply to may count as modified. */
  readonly filters_not_run: ReadonlyArray<string>
  /** Files that are not listed, and listed files without all of their hunks, for their number. */
  readonly cut: { readonly files: number; readonly hunks: number }
}

/** Reads a repository's history and work tree state. Fails with reason not_a_repository, not_found or git_failed. */
export class GitReader extends Context.Tag("portico/GitReader")<
  GitReader,
  {
    /** Full commit id of a revision. */
    readonly resolve: (revision: string) => Effect.Effect<string, ServiceFailure>
    /** The newest commits, with the files they touch. */
    readonly log: (options: {
      readonly limit: number
      readonly path?: string | undefined
    }) => Effect.Effect<ReadonlyArray<Commit>, ServiceFailure>
    /** Paths that differ from the index or are untracked, with their two-letter status. */
    readonly status: Effect.Effect<
      ReadonlyArray<{ readonly path: string; readonly status: string }>,
      ServiceFailure
    >
    /**
     * What differs, untracked files included except for `staged`. `repository` is the workspace-relative folder of one
     * of the workspace's repositories. A base that names no commit fails with `not_found`.
     */
    readonly changes: (
      comparison: Comparison,
      options?: { readonly repository?: string | undefined; readonly files?: number | undefined }
    ) => Effect.Effect<Changes, ServiceFailure>
    /** Texts of blobs, in the order asked. Undefined for one that is missing, binary or larger than 2 MiB. */
    readonly texts: (
      blobs: ReadonlyArray<string>,
      options?: { readonly repository?: string | undefined }
    ) => Effect.Effect<ReadonlyArray<string | undefined>, ServiceFailure>
    /**
     * What each line of a file as it is on disk came with, by line from 0; undefined for one nobody has committed yet.
     * Fails with `not_found` for a file that no commit has.
     */
    readonly blame: (path: string) => Effect.Effect<ReadonlyArray<BlamedLine | undefined>, ServiceFailure>
  }
>() {}
