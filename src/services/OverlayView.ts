import { Context, type Effect } from "effect"
import type { GraphView } from "./CodeGraph.ts"
import type { ServiceFailure } from "./ServiceFailure.ts"

/** What was on disk when a file was first put onto a branch. */
export interface Ground {
  /** Git blob id; undefined where nothing was. */
  readonly sha: string | undefined
  /** The text, where it is UTF-8 and not too long to keep. */
  readonly text?: string | undefined
}

/**
 * One overlaid file. `deleted` excludes `content`; empty content is an empty file. `baseSha` is the git blob id of the
 * file the content was made from: another one on disk is drift, and fails whoever reads through the overlay. `ground`
 * is noted by the store; it does not keep anybody from reading, but what is written to disk is held to it where there is
 * no base id.
 */
export type OverlayFile = (
  | { readonly path: string; readonly content: string; readonly deleted: false }
  | { readonly path: string; readonly deleted: true }
) & { readonly baseSha?: string | undefined; readonly ground?: Ground | undefined }

/** A named line of overlays inside a session. */
export interface OverlayBranch {
  readonly name: string
  readonly active: boolean
  readonly parent: string | undefined
  readonly files: number
  /** Files with a base id. */
  readonly guarded: number
  readonly bytes: number
  /** ISO 8601 UTC; undefined for the main branch of a session that has no overlay yet. */
  readonly created_at: string | undefined
}

/** How long the overlay of a session lives. Times are ISO 8601 UTC. */
export interface OverlayLife {
  readonly session: string
  readonly workspace: string
  /** The active branch. */
  readonly branch: string
  readonly created_at: string
  readonly last_used_at: string
  readonly idle_seconds: number
  readonly idle_ttl_seconds: number
  readonly expires_at: string
  readonly expired: boolean
}

/** The overlays of a session, without extending their life, and the graph as overlays would make it. */
export class OverlayView extends Context.Tag("portico/OverlayView")<
  OverlayView,
  {
    /** Undefined for a session that has no overlay. */
    readonly life: (session: string) => Effect.Effect<OverlayLife | undefined, ServiceFailure>
    readonly branches: (session: string) => Effect.Effect<ReadonlyArray<OverlayBranch>, ServiceFailure>
    /** Files of a branch, by default the active one, sorted by path. */
    readonly files: (
      session: string,
      branch?: string
    ) => Effect.Effect<ReadonlyArray<OverlayFile>, ServiceFailure>
    /**
     * The graph of the work tree with these files over it, whatever the session's overlay: with none, the work tree
     * alone. Fails with reason overlay_drift when a base id is not what is on disk.
     */
    readonly over: (files: ReadonlyArray<OverlayFile>) => Effect.Effect<GraphView, ServiceFailure>
  }
>() {}
