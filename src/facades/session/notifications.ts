/**
 * Notification channels. Each has a canonical tool for joining and one for leaving it, kept for callers that know them;
 * two public operations stand for all.
 */
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { SessionStore } from "../../services/SessionStore.ts"
import { session } from "./facade.ts"

const because = "this build sends no notifications"
const channel = F.choiceAs(
  "valid_channels",
  "daemon_health",
  "diagnostics",
  "graph_invalidated",
  "stale_refs",
  "workspace_readiness"
)

const interval = F.described(F.clamped({ min: 1000, max: 300_000 }), "milliseconds; daemon_health only")
const severity = F.optional(
  F.described(F.integer({ min: 0, max: 4 }), "1 errors … 4 hints, 0 all; diagnostics only")
)
const prefix = F.optional(F.described(F.text, "diagnostics only"))

const subscribeNeeds = [SessionStore] as const

export const subscribe: Member<typeof session, "subscribe", typeof subscribeNeeds> = session.declared(
  "subscribe",
  {
    tool: [
      "subscribe_daemon_health",
      "subscribe_diagnostics",
      "subscribe_graph_invalidated",
      "subscribe_stale_refs",
      "subscribe_workspace_readiness"
    ],
    summary: "Be notified on a channel.",
    input: F.input({
      channel,
      arguments: F.group({ interval_ms: interval, min_severity: severity, path_prefix: prefix })
    }),
    needs: subscribeNeeds,
    because
  }
)

const unsubscribeNeeds = [SessionStore] as const

export const unsubscribe: Member<typeof session, "unsubscribe", typeof unsubscribeNeeds> = session.declared(
  "unsubscribe",
  {
    tool: [
      "unsubscribe_daemon_health",
      "unsubscribe_diagnostics",
      "unsubscribe_graph_invalidated",
      "unsubscribe_stale_refs",
      "unsubscribe_workspace_readiness"
    ],
    summary: "Leave a channel.",
    input: F.input({ channel }),
    needs: unsubscribeNeeds,
    because
  }
)

const former = <const N extends string, A>(name: N, input: F.Input<A>) =>
  session.declared(name, {
    tool: name,
    summary: "One channel by its former name.",
    hidden: true,
    tier: 2,
    input,
    needs: [SessionStore],
    because
  })

const nothing = F.input({})
export const formerNames = [
  former("subscribe_daemon_health", F.input({ arguments: F.group({ interval_ms: interval }) })),
  former(
    "subscribe_diagnostics",
    F.input({ arguments: F.group({ min_severity: severity, path_prefix: prefix }) })
  ),
  former("subscribe_graph_invalidated", nothing),
  former("subscribe_stale_refs", nothing),
  former("subscribe_workspace_readiness", nothing),
  former("unsubscribe_daemon_health", nothing),
  former("unsubscribe_diagnostics", nothing),
  former("unsubscribe_graph_invalidated", nothing),
  former("unsubscribe_stale_refs", nothing),
  former("unsubscribe_workspace_readiness", nothing)
] as const
