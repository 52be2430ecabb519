import { Context, type Effect } from "effect"
import type { OverlayBranch, OverlayFile, OverlayLife } from "./OverlayView.ts"
import type { ServiceFailure } from "./ServiceFailure.ts"

/** A path two branches disagree on. `resolution` is set when the merge was forced. */
export interface OverlayConflict {
  readonly path: string
  readonly reason: "content" | "base_sha" | "deleted"
  readonly resolution?: "last-writer-wins"
}

/**
 * Changes a session's speculative overlays. Nothing it does reaches the disk. Fails with reason
 * overlay_session_unknown (none, or dropped for want of use), not_found (branch), conflict, range_too_large (nothing was
 * changed), invalid_argument, workspace_unknown.
 */
export class OverlayStore extends Context.Tag("portico/OverlayStore")<
  OverlayStore,
  {
    /** Starts an overlay over the workspace served, or finds the one there is; another workspace is refused. */
    readonly register: (session: string, workspace?: string) => Effect.Effect<OverlayLife, ServiceFailure>
    readonly keepalive: (session: string) => Effect.Effect<OverlayLife, ServiceFailure>
    /** Puts files onto the active branch, all or none. */
    readonly push: (session: string, files: ReadonlyArray<OverlayFile>) => Effect.Effect<void, ServiceFailure>
    /** Makes these the only files of the active branch. */
    readonly replace: (
      session: string,
      files: ReadonlyArray<OverlayFile>
    ) => Effect.Effect<void, ServiceFailure>
    /** False when the file was not on the active branch. */
    readonly remove: (session: string, path: string) => Effect.Effect<boolean, ServiceFailure>
    /** False when the session had no overlay. */
    readonly drop: (session: string) => Effect.Effect<boolean, ServiceFailure>
    readonly fork: (
      session: string,
      options: {
        readonly name: string
        readonly from?: string | undefined
        readonly activate?: boolean | undefined
      }
    ) => Effect.Effect<OverlayBranch, ServiceFailure>
    readonly switchTo: (session: string, branch: string) => Effect.Effect<OverlayBranch, ServiceFailure>
    readonly dropBranch: (session: string, branch: string) => Effect.Effect<void, ServiceFailure>
    /**
     * Folds one branch into another, by hunks where both changed a file. Without `force` a conflict merges nothing; with
     * it the source wins.
     */
    readonly merge: (
      session: string,
      options: { readonly from: string; readonly into: string; readonly force: boolean }
    ) => Effect.Effect<
      { readonly merged: ReadonlyArray<string>; readonly conflicts: ReadonlyArray<OverlayConflict> },
      ServiceFailure
    >
  }
>() {}
