/** Remote servers of this connection. */
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { SessionStore } from "../../services/SessionStore.ts"
import { session } from "./facade.ts"

const slug = F.described(F.text, "the remote server's short name")
const noRemotes = "other servers are settings of the user, which a session does not change"

const proxyEnableNeeds = [SessionStore] as const

export const proxyEnable: Member<typeof session, "proxy_enable", typeof proxyEnableNeeds> = session.declared(
  "proxy_enable",
  {
    tool: "proxy_enable",
    summary: "Use a remote server in this session.",
    tier: 2,
    input: F.input({ arguments: F.group({ slug }) }),
    needs: proxyEnableNeeds,
    because: noRemotes
  }
)

const proxyDisableNeeds = [SessionStore] as const

export const proxyDisable: Member<typeof session, "proxy_disable", typeof proxyDisableNeeds> =
  session.declared("proxy_disable", {
    tool: "proxy_disable",
    summary: "Stop using a remote server in this session.",
    tier: 2,
    input: F.input({ arguments: F.group({ slug }) }),
    needs: proxyDisableNeeds,
    because: noRemotes
  })
