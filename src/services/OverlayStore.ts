import { Context, type Effect } from "effect"
import type { OverlayBranch, OverlayFile } from "./OverlayView.ts"
import type { ServiceFailure } from "./ServiceFailure.ts"

/** A path two branches disagree on. `resolution` is set when the merge was forced. */
export interface OverlayConflict {
  readonly path: string
  readonly reason: "content" | "base_sha" | "deleted"
  readonly resolution?: "last-writer-wins"
}

/** Changes a session's speculative overlays. Nothing it does reaches the disk. */
export class OverlayStore extends Context.Tag("portico/OverlayStore")<
  OverlayStore,
  {
    readonly register: (session: string, workspace: string) => Effect.Effect<void, ServiceFailure>
    readonly touch: (session: string) => Effect.Effect<void, ServiceFailure>
    readonly push: (session: string, file: OverlayFile) => Effect.Effect<void, ServiceFailure>
    readonly remove: (session: string, path: string) => Effect.Effect<boolean, ServiceFailure>
    readonly drop: (session: string) => Effect.Effect<void, ServiceFailure>
    readonly fork: (
      session: string,
      branch: string,
      from?: string
    ) => Effect.Effect<OverlayBranch, ServiceFailure>
    readonly switchTo: (session: string, branch: string) => Effect.Effect<OverlayBranch, ServiceFailure>
    readonly dropBranch: (session: string, branch: string) => Effect.Effect<void, ServiceFailure>
    readonly replace: (
      session: string,
      files: ReadonlyArray<OverlayFile>,
      branch?: string
    ) => Effect.Effect<void, ServiceFailure>
    /** Without `force` a conflict merges nothing. */
    readonly merge: (
      session: string,
      from: string,
      into: string,
      force: boolean
    ) => Effect.Effect<
      { readonly merged: ReadonlyArray<string>; readonly conflicts: ReadonlyArray<OverlayConflict> },
      ServiceFailure
    >
  }
>() {}
