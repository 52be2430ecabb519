import { Context, type Effect } from "effect"
import type { ServiceFailure } from "./ServiceFailure.ts"

/** A comment of a review; `line` is 1-based on the new side unless `side` says old. */
export interface ReviewComment {
  readonly path: string
  readonly line: number
  readonly side?: "old" | "new"
  readonly body: string
}

/** Writes to a forge. The witness of external writes: nothing else may publish. */
export class ForgeClient extends Context.Tag("portico/ForgeClient")<
  ForgeClient,
  {
    /** A lost answer fails with `outcomeUnknown`; it is never sent again by the client itself. */
    readonly postReview: (review: {
      readonly repository: string
      readonly number: number
      readonly event: "comment" | "approve" | "request_changes"
      readonly body: string
      readonly comments: ReadonlyArray<ReviewComment>
      readonly commit?: string
    }) => Effect.Effect<{ readonly id: string; readonly url?: string }, ServiceFailure>
  }
>() {}
