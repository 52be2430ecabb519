/** What a write does to the syntax of a file, as far as a grammar can say. */
import type { Content, GateAnswer } from "../../services/LocalWriter.ts"
import type { Effect } from "effect"

/** Bytes of a file, with the git blob id of them by which what is known of them is found again. */
export type Side = Pick<Content, "bytes" | "sha">

/**
 * The lines, 1-based and ascending, at which definitions of a text begin that are in no other: what a reader tells that
 * read all of the text, and would have found whatever is amiss in it as a grammar does, and found nothing.
 */
export type Outline = (side: Side) => ReadonlyArray<number> | undefined

/** Compares the syntax of a file before and after a write. Never fails; what it cannot tell is `unknown`. */
export interface ParseGate {
  /** `path` is root-relative; `before` is null for a new file. `outline` is asked for that of `before`, where it is of use. */
  readonly check: (
    path: string,
    before: Side | null,
    after: Side,
    outline?: Outline
  ) => Effect.Effect<GateAnswer>
}
