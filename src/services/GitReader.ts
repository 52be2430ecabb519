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

/** The commit a line came with. `at` is when it was committed, ISO 8601 UTC. Names are those of the mailmap. */
export interface BlamedLine {
  readonly commit: string
  readonly author: string
  readonly email: string
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

/** A file a commit touched. Lines are not there when they were not asked for, and for a binary file. */
export interface FileTouch {
  /** Workspace-relative. */
  readonly path: string
  readonly previous_path?: string
  readonly added?: number
  readonly deleted?: number
}

/** A commit with the files it touched; a merge has none. Names are those of the mailmap. */
export interface HistoryCommit {
  readonly id: string
  /** How many. */
  readonly parents: number
  /** When it was committed, seconds since 1970. */
  readonly at: number
  readonly author: string
  readonly email: string
  readonly subject: string
  readonly files: ReadonlyArray<FileTouch>
}

export interface History {
  /** Commit the history is of. */
  readonly head: string
  /** Newest first. */
  readonly commits: ReadonlyArray<HistoryCommit>
  /** There are more than were asked for. */
  readonly truncated: boolean
  /** The clone is shallow: what lies before its last commits is not here. */
  readonly shallow: boolean
  /** False when objects are missing, so that a file that was moved counts as one taken away and one made. */
  readonly renames: boolean
}

/** What one of the workspace's repositories is, apart from its files. */
export interface RepositoryState {
  /** Undefined before the first commit. */
  readonly head: string | undefined
  /** Short name of the branch; undefined when none is checked out. */
  readonly branch: string | undefined
  /** The branch a clone begins with, as far as it is known here. */
  readonly default_branch: string | undefined
  readonly shallow: boolean
  /** Objects may be missing, because the clone left some out. */
  readonly partial: boolean
  /** A linked work tree of a repository that lies elsewhere. */
  readonly linked: boolean
  /** Other work trees of it. */
  readonly worktrees: number
  readonly submodules: ReadonlyArray<{ readonly path: string; readonly commit: string }>
  readonly mailmap: boolean
}

/** A tag that leads to a commit. */
export interface TagInfo {
  readonly name: string
  readonly commit: string
  readonly tree: string
  /** When the commit was made, seconds since 1970. */
  readonly at: number
  readonly annotated: boolean
}

/** A commit with all of its message. */
export interface CommitMessage {
  readonly id: string
  readonly at: number
  readonly author: string
  readonly email: string
  readonly subject: string
  /** The rest of the message; "" when there is none. */
  readonly body: string
}

/** A file to trace: its blob as the caller knows it, and ranges of its lines, 1-based and inclusive. */
export interface TraceRequest {
  readonly path: string
  readonly sha: string
  readonly lines: number
  readonly ranges: ReadonlyArray<readonly [first: number, last: number]>
}

/** Where a file's lines come from. Numbers of commits are places in {@link Lineage.commits}. */
export interface FileLineage {
  readonly path: string
  /** Why it was not traced: `untracked`, `ignored`, `moved` (not the bytes the caller knows), `binary` or `undecided`. */
  readonly untraced: string | undefined
  /** Commit of each line; -1 for one that nobody has committed, -2 where the walk ended before it was found. */
  readonly origins: Int32Array
  /** Commits that touched each range, newest first, under whatever name the file had. Merges do not count. */
  readonly touches: ReadonlyArray<ReadonlyArray<number>>
  /** Commits that touched the file. */
  readonly commits: ReadonlyArray<number>
  readonly added: number
  readonly deleted: number
  /** Whether all of its commits were seen. */
  readonly whole: boolean
}

export interface Lineage {
  readonly head: string
  readonly commits: ReadonlyArray<Omit<CommitMessage, "body">>
  /** In the order asked for. */
  readonly files: ReadonlyArray<FileLineage>
  readonly truncated: boolean
  readonly shallow: boolean
}

/** One of the workspace's repositories, by the workspace-relative folder of its root. */
interface In {
  readonly repository?: string | undefined
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
    readonly blame: (
      path: string,
      options?: In
    ) => Effect.Effect<ReadonlyArray<BlamedLine | undefined>, ServiceFailure>
    readonly state: (options?: In) => Effect.Effect<RepositoryState, ServiceFailure>
    /** Commits reachable from `revision` (HEAD), newest first, renames detected. Kept in memory for a while. */
    readonly history: (
      options: In & {
        readonly limit: number
        readonly revision?: string | undefined
        /** Merges too; default false. */
        readonly merges?: boolean | undefined
        /** Lines too, which takes several times as long; default false. */
        readonly lines?: boolean | undefined
        /** Seconds since 1970. */
        readonly since?: number | undefined
        readonly paths?: ReadonlyArray<string> | undefined
      }
    ) => Effect.Effect<History, ServiceFailure>
    /** Walks from HEAD, or the revision, to its ancestors and finds where lines come from. Reports progress. */
    readonly lineage: (
      files: ReadonlyArray<TraceRequest>,
      options: In & { readonly limit: number; readonly revision?: string | undefined }
    ) => Effect.Effect<Lineage, ServiceFailure>
    /** Tags a revision reaches, or all. */
    readonly tags: (
      options?: In & { readonly merged?: string | undefined }
    ) => Effect.Effect<ReadonlyArray<TagInfo>, ServiceFailure>
    /** For each of some trees in their order, the workspace-relative paths none before it had. */
    readonly firstSeen: (
      trees: ReadonlyArray<string>,
      options?: In
    ) => Effect.Effect<ReadonlyArray<ReadonlyArray<string>>, ServiceFailure>
    /** For each of some commits in their order, how many it reaches that none before it did. */
    readonly firstReached: (
      commits: ReadonlyArray<string>,
      options?: In
    ) => Effect.Effect<ReadonlyArray<number>, ServiceFailure>
    /** Those of the commits that are there, in the order asked. */
    readonly messages: (
      commits: ReadonlyArray<string>,
      options?: In
    ) => Effect.Effect<ReadonlyArray<CommitMessage>, ServiceFailure>
    /** A file's text as a commit has it; undefined where it is missing there, binary or larger than 2 MiB. */
    readonly textAt: (
      commit: string,
      path: string,
      options?: In
    ) => Effect.Effect<string | undefined, ServiceFailure>
  }
>() {}
