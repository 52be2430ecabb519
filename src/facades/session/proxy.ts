/** Whether this session asks a server that settings name. */
import { Effect } from "effect"
import { invalidArgument, type OperationFailure } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { peerName } from "../../registry/SessionModes.ts"
import { PeerView } from "../../services/PeerView.ts"
import { SessionStore } from "../../services/SessionStore.ts"
import { session } from "./facade.ts"
import { keep } from "./Kept.ts"

const needs = [SessionStore, PeerView] as const
const input = F.input({
  arguments: F.group({ slug: F.described(F.text, "the server's name in the settings") })
})

const choose = (
  slug: string,
  asked: boolean
): Effect.Effect<
  { readonly slug: string; readonly session_state: "enabled" | "disabled"; readonly note: string },
  OperationFailure,
  SessionStore | PeerView
> =>
  Effect.gen(function* () {
    const named = (yield* (yield* PeerView).peers).map(({ name }) => name)
    if (!named.includes(slug))
      return yield* invalidArgument(
        "arguments.slug",
        named.length === 0
          ? "the settings name no other server"
          : `the settings name no server ${JSON.stringify(slug)}; there are ${named.join(", ")}`,
        { reason_code: "remote_unknown", data: { servers: named } }
      )
    yield* keep(peerName(slug), asked)
    return {
      slug,
      session_state: asked ? "enabled" : "disabled",
      note: "for this session, whatever the settings say; they stay as they are"
    }
  })

export const proxyEnable: Member<typeof session, "proxy_enable", typeof needs> = session.operation(
  "proxy_enable",
  {
    tool: "proxy_enable",
    summary: "Ask a server of the settings along in this session.",
    tier: 2,
    input,
    needs,
    handler: ({ arguments: { slug } }) => choose(slug, true)
  }
)

export const proxyDisable: Member<typeof session, "proxy_disable", typeof needs> = session.operation(
  "proxy_disable",
  {
    tool: "proxy_disable",
    summary: "Leave a server of the settings alone in this session.",
    tier: 2,
    input,
    needs,
    handler: ({ arguments: { slug } }) => choose(slug, false)
  }
)
