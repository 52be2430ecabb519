/** Who may come near the agent context: those on this machine, and no page of another one. */
import { type Head, hostName, isLoopback, type Refused } from "../Guard.ts"

export interface Turned {
  readonly status: 403
  readonly code: "AGENT_CONTEXT_LOCAL_ONLY" | "AGENT_CONTEXT_ORIGIN_REJECTED" | "AGENT_CONTEXT_DISABLED"
  readonly message: string
}

const isLocalOrigin = (origin: string): boolean => {
  try {
    const { host, protocol } = new URL(origin)
    const name = hostName(host)
    return (protocol === "http:" || protocol === "https:") && (name === "localhost" || isLoopback(name))
  } catch {
    return false
  }
}

/** Why a request does not come near; undefined for one that does. Only the other end of the connection is believed. */
export const turnedAway = ({ origin, peer }: Pick<Head, "origin" | "peer">): Turned | undefined => {
  if (!isLoopback(peer))
    return {
      status: 403,
      code: "AGENT_CONTEXT_LOCAL_ONLY",
      message: "the agent context is for callers on this machine"
    }
  return origin === undefined || isLocalOrigin(origin)
    ? undefined
    : {
        status: 403,
        code: "AGENT_CONTEXT_ORIGIN_REJECTED",
        message: "pages of other machines may not read the agent context"
      }
}

export const disabled: Turned = {
  status: 403,
  code: "AGENT_CONTEXT_DISABLED",
  message: "the agent context is not enabled; agent_context.enabled of your settings does that"
}

/** A refusal of the server's guard in the words of these addresses, where it stands at one of them. */
export const worded = (url: string, refused: Refused): Refused =>
  refused.code === "CROSS_ORIGIN_BLOCKED" && url.startsWith("/api/agent-context/")
    ? { ...refused, code: "AGENT_CONTEXT_ORIGIN_REJECTED" }
    : refused
