import { Effect } from "effect"
import { CallInfo } from "../../registry/CallInfo.ts"
import { fromService } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { isAsked, peerName } from "../../registry/SessionModes.ts"
import { PeerView } from "../../services/PeerView.ts"
import { SessionView } from "../../services/SessionView.ts"
import { workspace } from "./facade.ts"

const needs = [PeerView, SessionView] as const

const word = (asked: boolean) => (asked ? ("enabled" as const) : ("disabled" as const))

export const proxy: Member<typeof workspace, "proxy", typeof needs> = workspace.operation("proxy", {
  tool: "proxy_status",
  summary: "Servers that the settings name, and whether this session asks them.",
  tier: 2,
  input: F.input({}),
  needs,
  handler: () =>
    Effect.gen(function* () {
      const { session } = yield* CallInfo
      const named = yield* (yield* PeerView).peers
      const { get } = yield* SessionView
      const remotes = yield* Effect.forEach(named, ({ enabled, name }) =>
        Effect.gen(function* () {
          const said =
            session === undefined
              ? undefined
              : yield* Effect.mapError(get(session, peerName(name)), (cause) => fromService(cause))
          return {
            slug: name,
            global_enabled: enabled,
            ...(typeof said === "boolean" ? { session_override: word(said) } : {}),
            effective: isAsked(said, enabled)
          }
        })
      )
      return {
        remotes,
        total: remotes.length,
        ...(session === undefined ? { note: "this call belongs to no session, so the settings decide" } : {})
      }
    })
})
