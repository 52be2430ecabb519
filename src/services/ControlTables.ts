/** The durable records of control state: what operations of `workspace_admin` stamp, and the answers of others read. */

/** A repository the server knows. `root` is the only absolute path and never leaves the server in answers. */
export interface TrackedRepository {
  readonly name: string
  readonly root: string
  readonly project?: string
  readonly workspace?: string
}

/** The name of the workspace that a tracked repository is in: its own, where nothing else is said. */
export const workspaceOf = ({ name, workspace }: TrackedRepository): string => workspace ?? name

/** The project of a repository: its own, where nothing else is said. */
export const projectOf = ({ name, project }: TrackedRepository): string => project ?? name

/** A named set of repositories, or of paths in them. */
export interface SavedScope {
  readonly name: string
  readonly description?: string
  /** Names of repositories. */
  readonly repos: ReadonlyArray<string>
  /** Paths in them; none means all of each. */
  readonly paths: ReadonlyArray<string>
}

/** Lines as first and last of each run, one after the other: `[2, 4, 9, 9]` are the lines 2, 3, 4 and 9. */
export type LineRuns = ReadonlyArray<number>

/** Coverage of one file. `sha` is the blob the lines were counted on; with another one the lines may have moved. */
export interface CoverageRecord {
  readonly sha: string
  /** Lines a test ran, and those that only could have been run. */
  readonly covered: LineRuns
  readonly uncovered: LineRuns
  /** Statements or lines, by what the profile counts. */
  readonly hit: number
  readonly total: number
  readonly symbols: ReadonlyArray<{
    readonly id: string
    readonly kind: string
    readonly line: number
    readonly hit: number
    /** Never 0: a definition without any statement is not listed. */
    readonly total: number
  }>
}

/** Who wrote what of one file. `sha` is the blob whose lines were blamed. */
export interface BlameRecord {
  readonly sha: string
  /** Lines nobody has committed yet. */
  readonly uncommitted: number
  readonly symbols: ReadonlyArray<{
    readonly id: string
    readonly kind: string
    readonly line: number
    /** Author of the newest line, by the repository's mailmap. */
    readonly author: string
    readonly email: string
    readonly commit: string
    /** When that line was written, seconds since 1970; and the oldest line. */
    readonly at: number
    readonly oldest_at: number
    /** Lines by author, most first. */
    readonly authors: ReadonlyArray<{
      readonly name: string
      readonly email: string
      readonly lines: number
    }>
  }>
}

/** How often commits touched a file, and definitions in it. Times are seconds since 1970. */
export interface ChurnRecord {
  /** Blob at the commit that was measured. */
  readonly sha: string
  readonly commits: number
  readonly added: number
  readonly deleted: number
  readonly authors: number
  readonly first_at: number
  readonly last_at: number
  readonly last_author: string
  readonly last_email: string
  readonly last_commit: string
  readonly symbols: ReadonlyArray<{
    readonly id: string
    readonly kind: string
    readonly line: number
    readonly commits: number
    readonly first_at: number
    readonly last_at: number
    readonly last_author: string
    readonly last_email: string
    readonly last_commit: string
  }>
}

/** One release of the timeline. */
export interface ReleaseRecord {
  readonly tag: string
  readonly commit: string
  /** Seconds since 1970. */
  readonly at: number
  /** Place in the timeline, from 0 for the oldest. */
  readonly order: number
  /** The version the tag's name holds; undefined when it holds none. */
  readonly version: string | undefined
  readonly prerelease: boolean
  /** Commits since the release before it. */
  readonly commits: number
  /** Files of the work tree that were there for the first time. */
  readonly files: ReadonlyArray<string>
}

/** A table of a database, as statements in code speak of it. */
export interface SqlTableRecord {
  readonly name: string
  readonly columns: ReadonlyArray<string>
  readonly sites: ReadonlyArray<{
    /** create, read, write or unknown. */
    readonly access: string
    readonly file_path: string
    readonly line: number
    /** Id of the definition around it; the path outside of any. */
    readonly within: string
  }>
}

/** A verdict on an edge that is only likely. */
export interface VerdictRecord {
  readonly verdict: "confirmed" | "rejected" | "uncertain"
  readonly reason: string
  /** Digest of what was judged; with another one the verdict is of no use. */
  readonly digest: string
}

/** What somebody said of one answer. */
export interface FeedbackRecord {
  readonly source: string
  readonly task: string | undefined
  readonly useful: ReadonlyArray<string>
  readonly not_needed: ReadonlyArray<string>
  readonly missing: ReadonlyArray<string>
}

/** The tables of the workspace. Key of a record behind each: path, path, path, tag, table's name, edge, moment. */
export interface ControlTables {
  readonly coverage: CoverageRecord
  readonly blame: BlameRecord
  readonly churn: ChurnRecord
  readonly releases: ReleaseRecord
  readonly sql_tables: SqlTableRecord
  readonly verdicts: VerdictRecord
  readonly feedback: FeedbackRecord
}

export type ControlTable = keyof ControlTables

/** A stored record. `at` is when it was written, milliseconds since the epoch. */
export interface Stored<out A> {
  readonly key: string
  readonly at: number
  readonly value: A
}

/** A whole table that was written at once. `about` says of what, such as the commit and the profile. */
export interface Run {
  /** Changes with each run. */
  readonly id: number
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly about: { readonly [name: string]: string | number | boolean }
}
