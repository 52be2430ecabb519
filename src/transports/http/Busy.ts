/** What the door looks at and what it says: the head of a request, never its body. */
import type { IncomingMessage } from "node:http"
import { type Full, retrySeconds } from "./Door.ts"
import { failureOf, type Plain } from "./Plain.ts"

/** The path of a request's address. */
export const pathOf = (url: string): string => {
  const end = url.search(/[?#]/)
  return end < 0 ? url : url.slice(0, end)
}

/**
 * Whether a request goes by the door: it listens, it ends or stops something, or it asks whether the server is there.
 * None of these should have to wait for what they are about.
 */
export const goesBy = (method: string, path: string): boolean => {
  if (path === "/mcp") return method !== "POST"
  if (path === "/health" || method === "OPTIONS") return true
  return path.startsWith("/api/cos/tools/") && /\/(cancel|events)\/?$/.test(path)
}

/** Who is waited for: a session where the request names one, else whoever holds the connection. */
export const callerOf = ({ headers, socket }: IncomingMessage): string => {
  const session = headers["mcp-session-id"]
  const who = headers.authorization ?? ""
  return session === undefined ? `${who} ${socket.remoteAddress}:${socket.remotePort}` : `${who} ${session}`
}

/** Addresses that speak JSON-RPC. */
const speaksRpc = (path: string): boolean => path === "/mcp" || path === "/api/agent-context/mcp"

const said: Record<Full, { readonly status: 429 | 503; readonly code: string; readonly why: string }> = {
  caller: { status: 429, code: "RATE_LIMITED", why: "enough of this caller waits already" },
  server: { status: 503, code: "SERVICE_UNAVAILABLE", why: "as much waits as may" }
}

/** The response to a request that is turned away at the door. */
export const busy = (full: Full, path: string): Plain => {
  const { code, status, why } = said[full]
  const headers = { "retry-after": String(retrySeconds) }
  const reason = full === "caller" ? "session_queue_full" : "queue_full"
  const retryAfterMs = retrySeconds * 1000
  const message = `${why}; try again in ${retrySeconds} s`
  return speaksRpc(path)
    ? {
        status,
        headers: { "content-type": "application/json", "cache-control": "no-store", ...headers },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: null,
          error: {
            code: -32000,
            message,
            data: { reason_code: "overloaded", reason, retry_after_ms: retryAfterMs }
          }
        })
      }
    : failureOf(status, code, message, {
        context: { retry: "backoff", errorCode: "overloaded", reason, retry_after_ms: retryAfterMs },
        headers
      })
}
