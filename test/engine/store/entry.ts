import type { LedgerEntry } from "../../../src/services/AuditLedger.ts"

/** A row of an effect at a time. */
export const entry = (at: number): LedgerEntry => ({
  at: new Date(at).toISOString(),
  request_id: `call-${at}`,
  principal_kind: "agent",
  principal_id: "agent:stdio",
  door: "stdio",
  session: undefined,
  layer: "target",
  facade: "edit",
  operation: "file",
  canonical_tool: "edit_file",
  effect: "local_write",
  decision: "allowed",
  stage: undefined,
  approval: undefined,
  duration_ms: 3,
  outcome: "ok",
  state_changed: true,
  arguments_digest: undefined
})
