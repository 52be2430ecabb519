/** Planning, workflow, the cursor in the graph, agents and remotes of this connection. */
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { SessionStore } from "../../services/SessionStore.ts"
import { SessionView } from "../../services/SessionView.ts"
import { session } from "./facade.ts"

const because = "this build keeps no state of connections"

export const planningMode = session.declared("planning_mode", {
  tool: "set_planning_mode",
  summary: "Switch between planning, which writes nothing durable, and editing.",
  input: F.input({
    arguments: F.group({ mode: F.choice("planning", "editing", "plan", "readonly", "edit", "write") })
  }),
  needs: [SessionStore, SessionView],
  because
})

export const workflow = session.declared("workflow", {
  tool: "workflow",
  summary: "Go through explore, implement, verify, one phase after the other.",
  input: F.input({
    arguments: F.group({
      action: F.choice("start", "advance", "status", "stop"),
      mode: F.withDefault(F.described(F.choice("block", "warn"), "warn moves on at the first edit"), "block")
    })
  }),
  needs: [SessionStore, SessionView],
  because
})

export const cursor = session.declared("cursor", {
  tool: "nav",
  summary: "Step a remembered position through the call graph.",
  input: F.input({
    arguments: F.group({
      action: F.choice("goto", "into", "up", "sibling", "back", "where", "read"),
      id: F.optional(F.described(F.text, "symbol to go to")),
      select: F.optional(
        F.described(F.text, "neighbour, by index or part of its name; the first when absent")
      )
    })
  }),
  needs: [SessionStore, SessionView, CodeGraph, ReadFs],
  because
})

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
  because
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
