/** What a write does to the syntax of a file, as far as a grammar can say. */
import type { Content, GateAnswer } from "../../services/LocalWriter.ts"
import type { Effect } from "effect"

/** Bytes of a file, with the git blob id of them by which what is known of them is found again. */
export type Side = Pick<Content, "bytes" | "sha">

/** What the index tells of a text that it has read and found no error in. */
export interface Sketch {
  /** Whether the reader would have found whatever is amiss in it as a grammar does. */
  readonly isSound: boolean
  /** The lines at which definitions begin, 1-based and ascending, each followed by the column. */
  readonly places: ReadonlyArray<number>
}

export type Outline = (side: Side) => Sketch | undefined

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
