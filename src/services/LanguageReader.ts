import { Context, type Effect } from "effect"
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
  /** Changes by path, when the server stated them up front. */
  readonly edit?: ReadonlyArray<LanguageEdit>
}

/** Replacement of one span by `text`. */
export interface LanguageEdit extends DocumentSpan {
  readonly text: string
}

/** What language servers and compilers know about the work tree. Reads only: edits come back as data. */
export class LanguageReader extends Context.Tag("portico/LanguageReader")<
  LanguageReader,
  {
    /** Language names that have a server in this configuration, found by probing. */
    readonly languages: Effect.Effect<ReadonlyArray<string>>
    readonly definitions: (at: DocumentPosition) => Effect.Effect<ReadonlyArray<DocumentSpan>, ServiceFailure>
    readonly references: (at: DocumentPosition) => Effect.Effect<ReadonlyArray<DocumentSpan>, ServiceFailure>
    readonly implementations: (
      at: DocumentPosition
    ) => Effect.Effect<ReadonlyArray<DocumentSpan>, ServiceFailure>
    readonly diagnostics: (path: string) => Effect.Effect<ReadonlyArray<LanguageDiagnostic>, ServiceFailure>
    readonly actions: (
      span: DocumentSpan,
      kind?: string
    ) => Effect.Effect<ReadonlyArray<LanguageAction>, ServiceFailure>
    /** The edits an action or a rename stands for; nothing is written. */
    readonly resolveAction: (handle: string) => Effect.Effect<ReadonlyArray<LanguageEdit>, ServiceFailure>
    readonly rename: (
      at: DocumentPosition,
      newName: string
    ) => Effect.Effect<ReadonlyArray<LanguageEdit>, ServiceFailure>
  }
>() {}
