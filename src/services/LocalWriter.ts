import { Context, type Effect } from "effect"
import type { ServiceFailure } from "./ServiceFailure.ts"

/** One change of one file. `content` replaces the whole file; paths are repository-relative. */
export type FileChange =
  | { readonly kind: "write"; readonly path: string; readonly content: string; readonly baseSha?: string }
  | {
      readonly kind: "move"
      readonly path: string
      readonly destination: string
      readonly expectedSha256?: string
    }
  | { readonly kind: "delete"; readonly path: string; readonly expectedSha256?: string }

/** What became of one change. `sha` is the git blob id of the new content. */
export interface FileChanged {
  readonly path: string
  readonly kind: FileChange["kind"]
  readonly changed: boolean
  readonly sha?: string
}

/**
 * Writes files of tracked repositories. The witness of local writes.
 *
 * A commit applies all changes or none; when that cannot be kept the failure carries `outcomeUnknown`.
 */
export class LocalWriter extends Context.Tag("portico/LocalWriter")<
  LocalWriter,
  {
    readonly commit: (
      changes: ReadonlyArray<FileChange>,
      options?: { readonly transactionId?: string; readonly allowParseErrors?: boolean }
    ) => Effect.Effect<
      { readonly receipt: string; readonly files: ReadonlyArray<FileChanged> },
      ServiceFailure
    >
  }
>() {}
