/**
 * What is asked of the stage that turns files into facts, and what it answers: one row per file in parallel columns,
 * one batch of facts and one list of trigrams per group of files. All columns are typed arrays, so a group travels
 * between threads without a copy.
 */
import type { SkipReason } from "../files/Skip.ts"
import type { FactsBatch, FactsView } from "../languages/Facts.ts"

/** Files to read. */
export interface Job {
  /** Absolute, with no symbolic link in it. */
  readonly root: string
  /** Relative to the root with `/`; any characters a file name may have. */
  readonly paths: ReadonlyArray<string>
  /** Bytes per path, for an even split; files are taken to be small where it is missing. */
  readonly sizes?: ArrayLike<number>
  /** Whether to list the trigram buckets of every file that can be searched. */
  readonly wantTrigrams: boolean
}

/**
 * What became of a file: `facts` it has facts; `text` it can be searched and nothing more is known of it; `skipped` it
 * is left out on purpose; `failed` its facts could not be had, though it may still be searchable (then its blob id is set).
 */
export const statuses = ["facts", "text", "skipped", "failed"] as const
export type Status = (typeof statuses)[number]
export const statusNumber = Object.fromEntries(statuses.map((s, i) => [s, i])) as {
  readonly [K in Status]: number
}

/**
 * Why a file failed.
 * - `extractor_failed`: its reader threw.
 * - `too_many_definitions`: more than a graph node can count.
 * - `language_unavailable`: the language's reader could not be prepared.
 * - `timeout`: it was not read within the time a file gets.
 * - `crashed`: its reader ended the thread it ran in, or used up the memory a thread may have.
 */
export type FailureReason =
  | "extractor_failed"
  | "too_many_definitions"
  | "language_unavailable"
  | "timeout"
  | "crashed"

/** Why a file has no facts. The position of a reason is its number in the columns; position 0 means that there is none. */
export const reasons = [
  "none",
  "binary",
  "minified",
  "too_large",
  "not_regular",
  "unreadable",
  "vanished",
  "symlink",
  "symlink_outside",
  "symlink_dangling",
  "symlink_loop",
  "behind_symlink",
  "name_not_utf8",
  "name_too_long",
  "own_state",
  "extractor_failed",
  "too_many_definitions",
  "language_unavailable",
  "timeout",
  "crashed"
] as const satisfies ReadonlyArray<"none" | SkipReason | FailureReason>
export type Reason = (typeof reasons)[number]
export const reasonNumber: { readonly [K in SkipReason | FailureReason | "none"]: number } =
  Object.fromEntries(reasons.map((r, i) => [r, i])) as { readonly [K in Reason]: number }

/** Bits of a file. */
export const FileBit = {
  generated: 1 << 0,
  vendored: 1 << 1,
  lockFile: 1 << 2,
  /** Holds NUL characters and is text all the same. */
  nulBytes: 1 << 3,
  /** Its path says that it holds tests or belongs to them. */
  test: 1 << 4,
  utf16: 1 << 5,
  /** Neither valid UTF-8 nor marked UTF-16: every byte was taken as one character. */
  invalidUtf8: 1 << 6
} as const

/** Bytes of a blob id (SHA-1). */
export const blobIdBytes = 20

/** One row per file. */
export interface FileColumns {
  /** {@link statuses}. */
  readonly status: Uint8Array<ArrayBuffer>
  /** {@link reasons}. */
  readonly reason: Uint8Array<ArrayBuffer>
  /** Index into the list of languages, -1 for none. */
  readonly language: Int16Array<ArrayBuffer>
  /** {@link FileBit}. */
  readonly flags: Int32Array<ArrayBuffer>
  /** Bytes; size, time, inode and mode are 0 where the system did not tell. */
  readonly size: Float64Array<ArrayBuffer>
  /** Milliseconds since 1970, with fractions. Taken before the content was read, so a later write never goes unnoticed. */
  readonly mtimeMs: Float64Array<ArrayBuffer>
  readonly ino: Float64Array<ArrayBuffer>
  readonly mode: Int32Array<ArrayBuffer>
  /** Git's blob id of the bytes on disk, 20 bytes a file; zeros when they were not read. */
  readonly blob: Uint8Array<ArrayBuffer>
  /** Lines of text; text that ends in a line break has an empty last line. 0 when the content was not read. */
  readonly lines: Int32Array<ArrayBuffer>
  readonly parseErrors: Int32Array<ArrayBuffer>
}

/** Rows for files of which nothing is known yet. */
export const emptyColumns = (count: number): FileColumns => ({
  status: new Uint8Array(count),
  reason: new Uint8Array(count),
  language: new Int16Array(count).fill(-1),
  flags: new Int32Array(count),
  size: new Float64Array(count),
  mtimeMs: new Float64Array(count),
  ino: new Float64Array(count),
  mode: new Int32Array(count),
  blob: new Uint8Array(count * blobIdBytes),
  lines: new Int32Array(count),
  parseErrors: new Int32Array(count)
})

/** Trigram buckets of a group's files, one after another; those of file `i` end at `ends[i]`. */
export interface TrigramLists {
  readonly buckets: Uint32Array<ArrayBuffer>
  readonly ends: Uint32Array<ArrayBuffer>
}

/** A factual remark on a file, by its place in the group. */
export type Remark = readonly [place: number, detail: string]

/** A group of files as read by one thread; names are those of that thread. */
export interface RawGroup {
  readonly columns: FileColumns
  readonly batch: FactsBatch
  readonly trigrams: TrigramLists | undefined
  readonly remarks: ReadonlyArray<Remark>
}

/** A group of files, names renumbered to the workspace's. */
export interface GroupResult {
  /** Places of the group's files in the job's paths. */
  readonly indices: Int32Array
  readonly columns: FileColumns
  /** Facts per file; undefined for a file without. */
  readonly views: ReadonlyArray<FactsView | undefined>
  readonly batch: FactsBatch
  readonly trigrams: TrigramLists | undefined
  /** Remarks, by place in the group. */
  readonly remarks: ReadonlyArray<Remark>
  readonly progress: JobProgress
}

/** How far a job has come once this group is counted. */
export interface JobProgress {
  readonly files: number
  readonly totalFiles: number
  readonly failed: number
}

/** The trigram buckets of one file of a group, ascending; a view, not a copy. Undefined when none were asked for. */
export const trigramsOf = (group: Pick<GroupResult, "trigrams">, place: number): Uint32Array | undefined =>
  group.trigrams?.buckets.subarray(
    place === 0 ? 0 : group.trigrams.ends[place - 1]!,
    group.trigrams.ends[place]!
  )

/** The blob id of a file as 40 hexadecimal digits, or undefined when its content was not read. */
export const blobIdOf = (columns: FileColumns, place: number): string | undefined => {
  const { blob } = columns
  const id = Buffer.from(blob.buffer, blob.byteOffset + place * blobIdBytes, blobIdBytes)
  return id.every((byte) => byte === 0) ? undefined : id.toString("hex")
}

// ---- between threads ------------------------------------------------------------------------------

/** Asks a worker for a group. `factless` reads everything but facts: for files whose readers are known to misbehave. */
export interface GroupRequest {
  readonly id: number
  readonly root: string
  readonly paths: ReadonlyArray<string>
  readonly wantTrigrams: boolean
  readonly factless: boolean
  /** Whether the job has much in a language of these files. */
  readonly plenty: boolean
}

/** What a worker is started with. */
export interface WorkerSettings {
  /** Shared with the pool; see {@link Beat}. */
  readonly beat: SharedArrayBuffer
  readonly definitionLimit: number
}

/** What a worker says: once that it is ready, with its languages in order, then a group each time. */
export type WorkerMessage =
  | { readonly _tag: "Ready"; readonly languages: ReadonlyArray<string> }
  | { readonly _tag: "Group"; readonly id: number; readonly group: RawGroup }

/** Words of the shared memory by which the pool sees where a worker is, even while it is busy. */
export const Beat = {
  /** Number of the group at hand. */
  group: 0,
  /** Place in the group of the file at hand. */
  place: 1,
  /** Rises whenever a file is begun or set aside. */
  count: 2,
  phase: 3,
  bytes: 16
} as const

/** `loading`: a language is being prepared, which takes longer than a file may. */
export const Phase = { idle: 0, reading: 1, loading: 2 } as const
