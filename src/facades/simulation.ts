/** Edits as language servers state them, and how a simulated edit is looked at. */
import * as F from "../registry/Fields.ts"

export const workspaceEdit = F.described(
  F.jsonOf(F.record(F.anything)),
  "LSP WorkspaceEdit, or its JSON text"
)
/** Edits of one simulation at most. */
export const mostSteps = 16
export const steps = F.described(
  F.list(F.jsonOf(F.record(F.anything)), { min: 1, max: mostSteps }),
  "LSP WorkspaceEdits, in order"
)

export const simulation = {
  inherit_overlay: F.withDefault(F.described(F.flag, "start from the session's overlay"), false),
  diagnostics: F.withDefault(F.flag, true),
  diagnostics_timeout_ms: F.clamped({ min: 0, max: 60_000, default: 1500 })
}
