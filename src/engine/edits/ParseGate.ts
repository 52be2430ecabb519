/** What a write does to the syntax of a file, as far as a grammar can say. */
import type { GateAnswer } from "../../services/LocalWriter.ts"
import type { Effect } from "effect"

/** Compares the syntax of a file before and after a write. Never fails; what it cannot tell is `unknown`. */
export interface ParseGate {
  /** `path` is root-relative; `before` is null for a new file. */
  readonly check: (path: string, before: Uint8Array | null, after: Uint8Array) => Effect.Effect<GateAnswer>
}
