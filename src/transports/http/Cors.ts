/** What a browser asks before a page of another origin may call, and what it reads of the answer. */
import type { Access, Head } from "./Guard.ts"

/** Request headers a page may send, and response headers it may read. */
const allowed =
  "accept, authorization, content-type, idempotency-key, if-none-match, last-event-id, mcp-protocol-version, mcp-session-id, portico-stateless"
const exposed = "etag, location, mcp-session-id, retry-after, www-authenticate"

/** Seconds a browser may remember what it was told. */
const age = 600

/** Headers of every answer. Only origins the operator named get any that let a page in. */
export const corsHeaders = (head: Head, access: Access): { readonly [name: string]: string } => {
  if (access.origins.length === 0) return {}
  return head.origin !== undefined && access.origins.includes(head.origin)
    ? {
        "access-control-allow-origin": head.origin,
        "access-control-expose-headers": exposed,
        vary: "Origin"
      }
    : { vary: "Origin" }
}

/** Further headers of the answer to a browser's question whether a page may call; undefined for any other request. */
export const preflight = (
  method: string,
  asked: string | undefined,
  head: Head,
  access: Access
): { readonly [name: string]: string } | undefined =>
  method === "OPTIONS" &&
  asked !== undefined &&
  head.origin !== undefined &&
  access.origins.includes(head.origin)
    ? {
        "access-control-allow-methods": "GET, POST, DELETE",
        "access-control-allow-headers": allowed,
        "access-control-max-age": String(age)
      }
    : undefined
