/** Agents that work side by side, and remote servers of this connection. */
import * as F from "../../registry/Fields.ts"
import { SessionStore } from "../../services/SessionStore.ts"
import { SessionView } from "../../services/SessionView.ts"
import { session } from "./facade.ts"

export const agents = session.declared("agents", {
  tool: "agent_registry",
  summary: "Agents at work and the paths they hold; locks advise, they do not block.",
  tier: 2,
  input: F.input({
    arguments: F.group({
      action: F.withDefault(
        F.choice("list", "register", "heartbeat", "lock", "unlock", "unregister"),
        "list"
      ),
      id: F.optional(F.described(F.text, "this session when absent")),
      name: F.optional(F.text),
      cursor: F.optional(F.described(F.text, "symbol or file in focus")),
      status: F.optional(F.text),
      paths: F.optional(F.csv)
    })
  }),
  needs: [SessionStore, SessionView],
  because: "this build keeps no register of agents"
})

const slug = F.described(F.text, "the remote server's short name")
const noRemotes = "this build talks to no remote servers"

export const proxyEnable = session.declared("proxy_enable", {
  tool: "proxy_enable",
  summary: "Use a remote server in this session.",
  tier: 2,
  input: F.input({ arguments: F.group({ slug }) }),
  needs: [SessionStore],
  because: noRemotes
})

export const proxyDisable = session.declared("proxy_disable", {
  tool: "proxy_disable",
  summary: "Stop using a remote server in this session.",
  tier: 2,
  input: F.input({ arguments: F.group({ slug }) }),
  needs: [SessionStore],
  because: noRemotes
})
