import { Context, type Effect } from "effect"
import type { EditRefused } from "./EditRefused.ts"
import type { ServiceFailure } from "./ServiceFailure.ts"

/** Lines 1-based, inclusive. */
export interface LineScope {
  readonly startLine: number
  readonly endLine: number
}

/** Exact text and what it is replaced by. Without `occurrence` or a count there has to be exactly one match. */
export interface TextEdit {
  readonly match: string
  readonly replacement: string
  /** 1-based number of a match, counted over the whole file without overlaps, also under a scope. */
  readonly occurrence?: number | undefined
  /** A match counts only when all of its lines lie inside. */
  readonly lineScope?: LineScope | undefined
  /** Replace every match, if there are exactly so many (1 to 1024). */
  readonly expectedMatchCount?: number | undefined
  /** Replace every match, however many (at least one, at most 1024). */
  readonly replaceAll?: boolean | undefined
}

/** The state of a file that an item relies on. Every member given must hold. */
export interface Guard {
  /** Git blob id (SHA-1, 40 hex digits, any case). */
  readonly baseSha?: string | undefined
  /** SHA-256 of the whole file (64 hex digits, any case). */
  readonly sha256?: string | undefined
  /** A number a read of this session has answered with the file. */
  readonly readRevision?: number | undefined
}

/**
 * One change of a request. Paths are root-relative or absolute inside the root.
 *
 * - `edit`: replacements in one file, all against its present bytes.
 * - `write`: the whole file, created with its folders when absent; `ifExists: "refuse"` only creates.
 * - `move`: a regular file to a place where nothing is, folders made as needed.
 * - `delete`: a regular file.
 *
 * `rank` puts items in order where order is shown (types 0, callees of other items 10, functions 20, other symbols 50);
 * default 1000 for `edit` and `write`, 2000 for `move` and `delete`.
 */
export type ChangeItem =
  | {
      readonly op: "edit"
      readonly path: string
      readonly edits: ReadonlyArray<TextEdit>
      readonly guard?: Guard | undefined
      readonly rank?: number | undefined
    }
  | {
      readonly op: "write"
      readonly path: string
      readonly content: string | Uint8Array
      readonly ifExists?: "replace" | "refuse" | undefined
      readonly guard?: Guard | undefined
      readonly rank?: number | undefined
    }
  | {
      readonly op: "move"
      readonly source: string
      readonly destination: string
      readonly guard?: Guard | undefined
      readonly rank?: number | undefined
    }
  | {
      readonly op: "delete"
      readonly path: string
      readonly guard?: Guard | undefined
      readonly rank?: number | undefined
    }

/** A match's place; `occurrence` is null for one that no count without overlaps reaches. Lines 1-based, inclusive. */
export interface MatchRange {
  readonly occurrence: number | null
  readonly startLine: number
  readonly endLine: number
}

/** One syntax error. `line` 1-based, `column` 0-based in UTF-16 units; `what` is "unexpected text" or names what is missing. */
export interface SyntaxError {
  readonly line: number
  readonly column: number
  readonly what: string
}

/**
 * What a write does to the syntax of a file.
 * - `clean`: the new text has no syntax error.
 * - `none_added`: it has none that were not there before. Only some lines of the new text were looked at, 1-based and
 *   inclusive, which hold the change and have none; what the rest has is not known.
 * - `not_worse`: it has some, but none that were not there before.
 * - `added`: it has new ones; `errors` lists at most 8 of them, `added` counts them.
 * - `unknown`: no grammar could say. That is not a clean bill.
 */
export type GateAnswer =
  | { readonly status: "clean" }
  | { readonly status: "none_added"; readonly startLine: number; readonly endLine: number }
  | { readonly status: "not_worse"; readonly remaining: number }
  | { readonly status: "added"; readonly added: number; readonly errors: ReadonlyArray<SyntaxError> }
  | {
      readonly status: "unknown"
      readonly because: "no_grammar" | "not_text" | "too_large" | "too_slow" | "failed"
    }

/** `tracked`: in the index. `unknown`: git could not be asked. `no_repository`: the root is in no work tree. */
export type GitState = "tracked" | "untracked" | "no_repository" | "unknown"

/** What stands at a path. `git` and `ignored` are null when they were not asked for; `sha256` only of regular files. */
export interface PathState {
  readonly exists: boolean
  readonly kind: "file" | "directory" | "symlink" | "other" | null
  readonly git: GitState | null
  readonly ignored: boolean | null
  readonly sha256?: string
}

/** What one replacement comes to. */
export interface PlannedEdit {
  readonly matchCount: number
  readonly expectedMatchCount: number | null
  readonly ranges: ReadonlyArray<MatchRange>
  readonly rangesTruncated: boolean
  readonly eolNormalized: boolean
  readonly wouldChange: boolean
}

/** What becomes of one item, in the order of the request. */
export interface PlannedChange {
  readonly index: number
  readonly op: ChangeItem["op"]
  /** Place in the order of application, from 0. */
  readonly order: number
  /** As resolved; as given when it could not be. */
  readonly path: string
  readonly destination: string | null
  readonly status: "planned" | "conflict" | "failed"
  readonly problems: ReadonlyArray<EditRefused>
  readonly source: PathState | null
  readonly destinationState: PathState | null
  /** Empty for other items than `edit`, and null where an edit was refused. */
  readonly edits: ReadonlyArray<PlannedEdit | null>
  readonly wouldChange: boolean
  /** `line_endings_changed`, `bom_removed`, `bom_added`, `already_has_syntax_errors`, `syntax_unknown`, `syntax_errors_allowed`, `hard_link_broken`. */
  readonly warnings: ReadonlyArray<string>
}

/** Bytes with the names they go by. */
export interface Content {
  readonly bytes: Buffer
  /** Git blob id. */
  readonly sha: string
  readonly sha256: string
}

/** One path whose bytes a request touches. `before` null: nothing is there; `after` null: nothing will be. */
export interface PlannedFile {
  /** Root-relative, links resolved. */
  readonly path: string
  readonly before: Content | null
  readonly after: Content | null
  /** Path the bytes come from, for the destination of a move. */
  readonly movedFrom: string | null
  readonly movedTo: string | null
  readonly syntax: GateAnswer | null
  /** Unified diff, null when it was not asked for or a side is not text. */
  readonly diff: string | null
}

/** A whole request as planned on the present files. It may be committed when `problems` is empty. */
export interface Plan {
  /** SHA-256 of the request: equal requests have equal fingerprints. */
  readonly fingerprint: string
  readonly items: ReadonlyArray<ChangeItem>
  readonly changes: ReadonlyArray<PlannedChange>
  /** By path. */
  readonly files: ReadonlyArray<PlannedFile>
  /** All refusals, in the order of the items. */
  readonly problems: ReadonlyArray<EditRefused>
  /** How many items are in conflict or have failed. */
  readonly conflicts: number
}

export interface PlanOptions {
  readonly allowParseErrors?: boolean | undefined
  /** Add diffs. */
  readonly diff?: boolean | undefined
  /** Ask git about every path, not only those of moves and deletions. */
  readonly states?: boolean | undefined
  /** For edits that were worked out here and not sent by a caller: as many files and bytes as it takes. */
  readonly unlimited?: boolean | undefined
  /** Paths whose new text a compiler has read without finding an error: their syntax is not looked at again. */
  readonly sound?: ReadonlySet<string> | undefined
}

/**
 * What became of one item. `sha` is the git blob id of the new content; null when there is none, and for whatever was not
 * committed, where `changed` is false too.
 */
export interface ReceiptChange {
  readonly index: number
  readonly kind: ChangeItem["op"]
  readonly path: string
  readonly destination: string | null
  readonly changed: boolean
  readonly sha: string | null
}

/**
 * A transaction that was stopped between its files while somebody else wrote to one of them. Copies are names in
 * `keptIn`, a folder below the server's home (`PORTICO_HOME`), with `/`.
 */
export interface Conflict {
  readonly keptIn: string
  readonly files: ReadonlyArray<{
    readonly path: string
    /** What the file holds now: its old bytes, its new ones, or others. */
    readonly state: "before" | "after" | "unknown"
    /** Copy of the old bytes; null where there was no file, or they are lost. */
    readonly before: string | null
    /** Copy of the new bytes; null where there was to be no file, or they are lost. */
    readonly after: string | null
  }>
  /** How it was closed; undefined while it is open. */
  readonly closed?: "restored" | "accepted" | undefined
  /** Copies of bytes that were replaced when it was closed. */
  readonly found: ReadonlyArray<{ readonly path: string; readonly copy: string }>
}

/** What is known of a transaction. */
export interface Receipt {
  readonly transactionId: string
  readonly state: "preparing" | "prepared" | "committed" | "aborted" | "recovery_conflict"
  /** `conflict` also of a conflict that was closed by accepting the files as they are. */
  readonly diskStatus: "unchanged" | "committed" | "rolled_back" | "conflict"
  /** This answer repeats an earlier commit with the same id and the same edits. */
  readonly replayed: boolean
  /** Milliseconds since 1970. */
  readonly createdAt: number
  readonly updatedAt: number
  readonly changes: ReadonlyArray<ReceiptChange>
  readonly summary: {
    readonly requestedChanges: number
    readonly changedFiles: number
    readonly logicalEdits: number
    readonly resolvedMatches: number
    readonly warnings: number
  }
  /** Root-relative paths in conflict; empty unless `state` is `recovery_conflict`. */
  readonly conflicts: ReadonlyArray<string>
  /** What is known of a conflict, also of one that was closed. */
  readonly conflict?: Conflict | undefined
  /** The next read revision by path, for the session of the call. Empty without one. */
  readonly readRevisions: { readonly [path: string]: number }
}

/** What is known of a commit, and whether the index has seen it: `pending` when it had not within a few seconds. */
export interface Committed extends Receipt {
  readonly graphStatus: "fresh" | "pending" | "failed"
}

/**
 * Writes files of the workspace: exact, guarded, all or nothing. The witness of local writes. All failures are
 * {@link EditRefused}; what was written is known unless they say `outcomeUnknown`.
 */
export class LocalWriter extends Context.Tag("portico/LocalWriter")<
  LocalWriter,
  {
    /** What the items would do now. Fails only for requests that are wrong in themselves; grants nothing for later. */
    readonly plan: (
      items: ReadonlyArray<ChangeItem>,
      options?: PlanOptions
    ) => Effect.Effect<Plan, EditRefused | ServiceFailure>
    /** The receipt of an earlier commit under an id, if it was the same request; undefined for an id that is free. */
    readonly replay: (
      transactionId: string,
      request: unknown
    ) => Effect.Effect<Committed | undefined, EditRefused | ServiceFailure>
    /**
     * Plans the items again under lock and applies the outcome whole. With a `transactionId` the same items apply once,
     * and the first receipt is the answer to every repeat. `spends` names an overlay branch the items come from, which
     * is dropped with the commit.
     */
    readonly commit: (
      items: ReadonlyArray<ChangeItem>,
      options?: PlanOptions & {
        readonly transactionId?: string | undefined
        /** What the caller asked for, where the items were worked out from it. The same request is the same edits. */
        readonly request?: unknown
        readonly spends?: string | undefined
      }
    ) => Effect.Effect<Committed, EditRefused | ServiceFailure>
    /**
     * Closes the conflict of a transaction: `restore` gives every file its old bytes, keeping copies of bytes that are
     * neither; `accept` leaves the files as they are. A conflict that is closed already is only told of.
     */
    readonly resolve: (
      transactionId: string,
      as: "restore" | "accept"
    ) => Effect.Effect<Committed, EditRefused | ServiceFailure>
  }
>() {}
