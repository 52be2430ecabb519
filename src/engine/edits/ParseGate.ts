/** What a write does to the syntax of a file, as far as a grammar can say. */
import type { Content, GateAnswer } from "../../services/LocalWriter.ts"
import type { Effect } from "effect"

/** Bytes of a file, with the SHA-256 of them by which what is known of them is found again. */
export type Side = Pick<Content, "bytes" | "sha256">

/** Compares the syntax of a file before and after a write. Never fails; what it cannot tell is `unknown`. */
export interface ParseGate {
  /** `path` is root-relative; `before` is null for a new file. */
  readonly check: (path: string, before: Side | null, after: Side) => Effect.Effect<GateAnswer>
}
