import { Context, type Effect, type Stream } from "effect"
import type { OverlayFile } from "./OverlayView.ts"
import type { ServiceFailure } from "./ServiceFailure.ts"

/** A position in a document: `line` 1-based, `column` 0-based in UTF-16 units. */
export interface DocumentPosition {
  readonly path: string
  readonly line: number
  readonly column: number
}

/** A span of a document, end exclusive; units as in {@link DocumentPosition}. */
export interface DocumentSpan {
  readonly path: string
  readonly startLine: number
  readonly startColumn: number
  readonly endLine: number
  readonly endColumn: number
}

/** One complaint of a language server or compiler. */
export interface LanguageDiagnostic extends DocumentSpan {
  readonly severity: "error" | "warning" | "information" | "hint"
  readonly message: string
  readonly code?: string
  readonly source?: string
}

/** A repair a language server offers; `handle` names it again when it is applied. */
export interface LanguageAction {
  readonly handle: string
  readonly title: string
  readonly kind?: string
  readonly preferred: boolean
  /** Why it cannot be applied here; absent when it can. */
  readonly disabled?: string
  /** Changes by path, when the server stated them up front. */
  readonly edit?: ReadonlyArray<LanguageEdit>
}

/** Replacement of one span by `text`. */
export interface LanguageEdit extends DocumentSpan {
  readonly text: string
}

/** A change to a file as a whole. Paths are root-relative; `recursive` is of folders. */
export type LanguageFileOperation =
  | { readonly kind: "create"; readonly path: string; readonly overwrite: boolean }
  | { readonly kind: "rename"; readonly from: string; readonly to: string; readonly overwrite: boolean }
  | { readonly kind: "delete"; readonly path: string; readonly recursive: boolean }

/**
 * What a server wants changed. `edits` are in order of path and place, do not overlap, and name files as they are called
 * before `files` is carried out (a created file by its only name).
 */
export interface LanguageChange {
  readonly edits: ReadonlyArray<LanguageEdit>
  /** In the order in which they are to be carried out. */
  readonly files: ReadonlyArray<LanguageFileOperation>
  /** Exact repetitions of an edit that the server sent and that were dropped. */
  readonly duplicates: number
}

/** What a server said, and how far it can be relied on. */
export interface LanguageAnswer<A> {
  readonly value: A
  /** Name and, when known, version of the server. */
  readonly server: string
  /** True when the server had not finished reading the project: what is missing here may exist. */
  readonly partial: boolean
  /** Places outside the root that were left out of `value`, such as a language's own library. */
  readonly outside: number
}

/** How a question is asked. */
export interface LanguageQuestion {
  /** Contents to take instead of the disk's, for this question only. */
  readonly overlay?: ReadonlyArray<OverlayFile>
  /**
   * Files in which the answer may lie. A server that knows of several projects, and reads one when a file of it is open,
   * reads those that these files are in; files of none are opened themselves. Others leave it at what they know.
   */
  readonly across?: ReadonlyArray<string>
}

/** Diagnostics compared with those of the disk. Places may have moved: what is compared is file, severity, code and message. */
export interface DiagnosticsComparison {
  readonly added: ReadonlyArray<LanguageDiagnostic>
  readonly removed: ReadonlyArray<LanguageDiagnostic>
  readonly kept: number
}

/** One file's part of a look at many. `done` counts files so far with this one, of `total`. */
export interface DiagnosticsProgress {
  readonly path: string
  readonly done: number
  readonly total: number
  /** What was found, or why this file could not be looked at. */
  readonly result: LanguageAnswer<ReadonlyArray<LanguageDiagnostic>> | ServiceFailure
}

/**
 * One server of this configuration. `absent`: none was found, `detail` says why and `hint` what to do; `untrusted`: it
 * runs code of the workspace and may not; `available`: found, not running; `failing`: it died and will be tried again;
 * `broken`: it died too often and is left alone for a while.
 */
export interface LanguageServerStatus {
  readonly id: string
  readonly languages: ReadonlyArray<string>
  readonly state: "absent" | "untrusted" | "available" | "starting" | "running" | "failing" | "broken"
  readonly version?: string
  /** Where it was found. */
  readonly source?: "config" | "dependency" | "path" | "workspace"
  /** Root-relative folder it serves, "" for the root; only of one that was started. */
  readonly root?: string
  readonly pid?: number
  /** Bytes of resident memory of its processes; absent when the system does not tell. */
  readonly memory?: number
  /** Starts after the first. */
  readonly restarts?: number
  /** What it says it is busy with. */
  readonly work?: ReadonlyArray<string>
  /** Methods it offered and then did not know. */
  readonly broken?: ReadonlyArray<string>
  readonly detail?: string
  readonly hint?: string
}

/**
 * What language servers and compilers know about the work tree. Reads only: edits come back as data.
 *
 * Failures have reason `not_configured` (no server for the language, or one that may not start here; the detail says how
 * to get one), `unavailable` (the server does not do this, or died too often), `unreachable` (it died), `timeout`,
 * `conflict` (its edits contradict each other or are out of date), `path_outside_root`, `not_found`, `invalid_path`,
 * `invalid_argument` (no such place in the document, or the server refuses what was asked) or `binary`. A language without
 * a server never has an empty answer.
 */
export class LanguageReader extends Context.Tag("portico/LanguageReader")<
  LanguageReader,
  {
    /** Language names that have a server in this configuration, found by probing. */
    readonly languages: Effect.Effect<ReadonlyArray<string>>
    /** Every server this program knows, with what became of it here. */
    readonly servers: Effect.Effect<ReadonlyArray<LanguageServerStatus>>
    readonly definitions: (
      at: DocumentPosition,
      question?: LanguageQuestion
    ) => Effect.Effect<LanguageAnswer<ReadonlyArray<DocumentSpan>>, ServiceFailure>
    /** Every use and, first or among them, the declarations. */
    readonly references: (
      at: DocumentPosition,
      question?: LanguageQuestion
    ) => Effect.Effect<LanguageAnswer<ReadonlyArray<DocumentSpan>>, ServiceFailure>
    readonly implementations: (
      at: DocumentPosition,
      question?: LanguageQuestion
    ) => Effect.Effect<LanguageAnswer<ReadonlyArray<DocumentSpan>>, ServiceFailure>
    readonly diagnostics: (
      path: string,
      question?: LanguageQuestion
    ) => Effect.Effect<LanguageAnswer<ReadonlyArray<LanguageDiagnostic>>, ServiceFailure>
    /** Diagnostics of many files, each as it is found; files of no server's languages are told as failures. */
    readonly workspaceDiagnostics: (
      paths: ReadonlyArray<string>,
      question?: LanguageQuestion
    ) => Stream.Stream<DiagnosticsProgress, ServiceFailure>
    /** What an overlay would break or mend in these files, against the disk. `partial` when either side was. */
    readonly compareDiagnostics: (
      paths: ReadonlyArray<string>,
      overlay: ReadonlyArray<OverlayFile>
    ) => Effect.Effect<LanguageAnswer<DiagnosticsComparison>, ServiceFailure>
    readonly actions: (
      span: DocumentSpan,
      kind?: string,
      question?: LanguageQuestion
    ) => Effect.Effect<LanguageAnswer<ReadonlyArray<LanguageAction>>, ServiceFailure>
    /** The change an action stands for; nothing is written. Fails with `not_found` when the handle is not known any more. */
    readonly resolveAction: (handle: string) => Effect.Effect<LanguageAnswer<LanguageChange>, ServiceFailure>
    /** What a rename at this place would rename. Fails with `invalid_argument` when nothing there can be renamed. */
    readonly prepareRename: (
      at: DocumentPosition,
      question?: LanguageQuestion
    ) => Effect.Effect<
      LanguageAnswer<{ readonly span: DocumentSpan; readonly placeholder: string }>,
      ServiceFailure
    >
    /**
     * The edits of a rename; the new name is not checked by every server. `throughAliases` renames imports and re-exports
     * too, where the server can, instead of keeping their name by an alias; default false.
     */
    readonly rename: (
      at: DocumentPosition,
      newName: string,
      question?: LanguageQuestion & { readonly throughAliases?: boolean }
    ) => Effect.Effect<LanguageAnswer<LanguageChange>, ServiceFailure>
    /** The edits that keep references whole when files or folders move. The moves themselves are not among them. */
    readonly willRenameFiles: (
      moves: ReadonlyArray<{ readonly from: string; readonly to: string }>,
      question?: LanguageQuestion
    ) => Effect.Effect<LanguageAnswer<LanguageChange>, ServiceFailure>
    /** Tells running servers that files changed on disk, so that the next answer sees them. */
    readonly changed: (paths: ReadonlyArray<string>) => Effect.Effect<void>
  }
>() {}
