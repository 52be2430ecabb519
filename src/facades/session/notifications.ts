/**
 * Notification channels. Each has a canonical tool for joining and one for leaving it, kept for callers that know them;
 * two public operations stand for all.
 */
import { Effect } from "effect"
import {
  type Channel,
  channels,
  type Joined,
  joinedName,
  joinedOf,
  listensName,
  methodOf
} from "../../registry/Channels.ts"
import { failure, fromService, invalidArgument, type OperationFailure } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { SessionStore } from "../../services/SessionStore.ts"
import { SessionView } from "../../services/SessionView.ts"
import { WorkspaceView } from "../../services/WorkspaceView.ts"
import { sessionId } from "../shared/session.ts"
import { session } from "./facade.ts"
import { kept, rekeep } from "./Kept.ts"
import { placeOf } from "./Place.ts"

/** Channels that callers know and nothing here tells on, with the reason. */
const silences = {
  daemon_health: "nothing here looks after the health of the process between calls",
  diagnostics: "diagnostics are made when change.diagnostics asks for them, and not in between",
  stale_refs: "this build does not keep what a session has read"
} as const
type Silent = keyof typeof silences

const channel = F.choiceAs(
  "valid_channels",
  "daemon_health",
  "diagnostics",
  "graph_invalidated",
  "stale_refs",
  "workspace_readiness"
)

/** A channel that is told on; the failure says why another one is not, and which are. */
const served = (of: Channel | Silent): Effect.Effect<Channel, OperationFailure> =>
  of in silences
    ? failure("capability_unavailable", `${of}: ${silences[of as Silent]}`, {
        field: "channel",
        reason_code: "channel_unavailable",
        failure_stage: "resolve",
        data: { served_channels: channels }
      })
    : Effect.succeed(of as Channel)
const interval = F.described(F.clamped({ min: 1000, max: 300_000 }), "milliseconds; daemon_health only")
const severity = F.optional(
  F.described(F.integer({ min: 0, max: 4 }), "1 errors … 4 hints, 0 all; diagnostics only")
)
const prefix = F.optional(F.described(F.path, "graph_invalidated: tell of changes under this path"))

/** Replaces what the session joined; answers how many sessions are on the channel after it. */
const rejoin = (
  of: Channel,
  change: (before: Joined) => Joined
): Effect.Effect<number, OperationFailure, SessionStore> =>
  rekeep(joinedName, (value, others) => {
    const after = change(joinedOf(value))
    const all = [after, ...others.map(joinedOf)]
    return [
      all.filter((joined) => joined[of] !== undefined).length,
      Object.keys(after).length === 0 ? undefined : after
    ]
  })

const join = (of: Channel, path: string | undefined) =>
  Effect.gen(function* () {
    if (path !== undefined && of !== "graph_invalidated")
      return yield* invalidArgument("arguments.path_prefix", `is nothing that ${of} takes`)
    const place = path === undefined ? undefined : placeOf(path)
    if (path !== undefined && place === undefined)
      return yield* invalidArgument(
        "arguments.path_prefix",
        `${JSON.stringify(path)} is no path relative to the repository`
      )
    if ((yield* kept(listensName)) !== true)
      return yield* failure("capability_unavailable", "this connection takes no notifications", {
        reason_code: "no_notifications",
        failure_stage: "resolve"
      })
    let own: Joined = { workspace_readiness: {} }
    if (of === "graph_invalidated") {
      const feed = yield* Effect.mapError((yield* WorkspaceView).feed, (cause) => fromService(cause))
      const all = place === undefined || place === "."
      own = {
        graph_invalidated: {
          seen: feed.forgotten + feed.changes.length,
          ...(all ? {} : { path_prefix: place })
        }
      }
    }
    const subscribers = yield* rejoin(of, (before) => ({ ...before, ...own }))
    return {
      channel: of,
      subscribed: true,
      session_id: yield* sessionId,
      subscribers,
      method: methodOf(of),
      ...(own.graph_invalidated?.path_prefix === undefined
        ? {}
        : { path_prefix: own.graph_invalidated.path_prefix })
    }
  })

const leave = (of: Channel) =>
  Effect.gen(function* () {
    const subscribers = yield* rejoin(of, ({ [of]: _left, ...rest }) => rest)
    return { channel: of, subscribed: false, session_id: yield* sessionId, subscribers }
  })

const joinNeeds = [SessionStore, SessionView, WorkspaceView] as const
const leaveNeeds = [SessionStore] as const

export const subscribe: Member<typeof session, "subscribe", typeof joinNeeds> = session.operation(
  "subscribe",
  {
    tool: [
      "subscribe_graph_invalidated",
      "subscribe_workspace_readiness",
      "subscribe_daemon_health",
      "subscribe_diagnostics",
      "subscribe_stale_refs"
    ],
    summary: "Be notified on a channel.",
    input: F.input({
      channel,
      arguments: F.group({ interval_ms: interval, min_severity: severity, path_prefix: prefix })
    }),
    needs: joinNeeds,
    handler: ({ arguments: { path_prefix }, channel: of }) =>
      Effect.flatMap(served(of), (known) => join(known, path_prefix))
  }
)

export const unsubscribe: Member<typeof session, "unsubscribe", typeof leaveNeeds> = session.operation(
  "unsubscribe",
  {
    tool: [
      "unsubscribe_graph_invalidated",
      "unsubscribe_workspace_readiness",
      "unsubscribe_daemon_health",
      "unsubscribe_diagnostics",
      "unsubscribe_stale_refs"
    ],
    summary: "Leave a channel.",
    input: F.input({ channel }),
    needs: leaveNeeds,
    handler: ({ channel: of }) => Effect.flatMap(served(of), leave)
  }
)

const joining = <const N extends string>(name: N, of: Channel) =>
  session.operation(name, {
    tool: name,
    summary: "One channel by its former name.",
    hidden: true,
    tier: 2,
    input: F.input({ arguments: F.group({ path_prefix: prefix }) }),
    needs: joinNeeds,
    handler: ({ arguments: { path_prefix } }) => join(of, path_prefix)
  })

const leaving = <const N extends string>(name: N, of: Channel) =>
  session.operation(name, {
    tool: name,
    summary: "One channel by its former name.",
    hidden: true,
    tier: 2,
    input: F.input({}),
    needs: leaveNeeds,
    handler: () => leave(of)
  })

/** A channel that nothing here tells on. */
const silent = <const N extends string, A>(name: N, input: F.Input<A>, because: string) =>
  session.declared(name, {
    tool: name,
    summary: "One channel by its former name.",
    hidden: true,
    tier: 2,
    input,
    needs: leaveNeeds,
    because
  })

const nothing = F.input({})
export const formerNames = [
  silent(
    "subscribe_daemon_health",
    F.input({ arguments: F.group({ interval_ms: interval }) }),
    silences.daemon_health
  ),
  silent(
    "subscribe_diagnostics",
    F.input({
      arguments: F.group({ min_severity: severity, path_prefix: F.optional(F.described(F.text, "of files")) })
    }),
    silences.diagnostics
  ),
  joining("subscribe_graph_invalidated", "graph_invalidated"),
  silent("subscribe_stale_refs", nothing, silences.stale_refs),
  joining("subscribe_workspace_readiness", "workspace_readiness"),
  silent("unsubscribe_daemon_health", nothing, silences.daemon_health),
  silent("unsubscribe_diagnostics", nothing, silences.diagnostics),
  leaving("unsubscribe_graph_invalidated", "graph_invalidated"),
  silent("unsubscribe_stale_refs", nothing, silences.stale_refs),
  leaving("unsubscribe_workspace_readiness", "workspace_readiness")
] as const
