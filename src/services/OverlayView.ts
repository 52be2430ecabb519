import { Context, type Effect } from "effect"
import type { ServiceFailure } from "./ServiceFailure.ts"

/** One overlaid file. `deleted` excludes `content`; empty content is an empty file. */
export type OverlayFile =
  | { readonly path: string; readonly content: string; readonly deleted: false; readonly baseSha?: string }
  | { readonly path: string; readonly deleted: true; readonly baseSha?: string }

/** A named line of overlays inside a session. */
export interface OverlayBranch {
  readonly name: string
  readonly active: boolean
  readonly files: number
  readonly bytes: number
}

/** The overlays of a session, without extending their life. */
export class OverlayView extends Context.Tag("portico/OverlayView")<
  OverlayView,
  {
    readonly branches: (session: string) => Effect.Effect<ReadonlyArray<OverlayBranch>, ServiceFailure>
    /** Files of a branch, by default the active one, sorted by path. */
    readonly files: (
      session: string,
      branch?: string
    ) => Effect.Effect<ReadonlyArray<OverlayFile>, ServiceFailure>
  }
>() {}
