/** docs/http.md: the routes and events of the HTTP server, and digests of the documents it serves about them. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { standardHttp } from "../../policy/HttpLimits.ts"
import { api } from "../../transports/http/Api.ts"
import { momentMs, shortMs, wakeMs } from "../../transports/http/Door.ts"
import { documentNames, documentsOf } from "../../transports/http/inventories/documents.ts"
import { channels, events } from "../../transports/http/inventories/events.ts"
import { failuresOf } from "../../transports/http/inventories/openapi.ts"
import { routesOf } from "../../transports/http/inventories/Routes.ts"
import { code, table } from "./markdown.ts"
import { markdownPage, type Page } from "./Page.ts"

/** Makes the page for the version that `package.json` below `top` names. */
export const httpPage = (top: string): Page => {
  const { version } = JSON.parse(readFileSync(join(top, "package.json"), "utf8")) as {
    readonly version: string
  }
  const { routes } = routesOf(api)
  const documents = documentsOf(api, version)
  const own = routes.map((route) => failuresOf(route).filter(([status]) => status !== 500))
  return markdownPage(
    "docs/http.md",
    "HTTP",
    [
      "What `portico serve` answers. *Access* says who is answered: `always-public` anybody the guard lets in, `loopback`",
      "programs on this machine, `externally-exposable` whoever shows a token (and, for reads, programs on this machine),",
      "`authenticated-ui` the same, for routes that are of use to the server's own people alone. *Side effect* is the most a",
      "call can change. Every route may also answer 403 `HOST_NOT_ALLOWED` or `CROSS_ORIGIN_BLOCKED`, and 500",
      "`INTERNAL_ERROR`."
    ],
    ["## When there is no room"],
    [
      `So many requests are worked on at a time (\`http.running\` of [the settings](schemas/effectrc.schema.json), ${standardHttp.running} when`,
      `absent). One that only waits for something else, so that the server had next to nothing to do for ${shortMs} ms, is not counted`,
      "any more. Others wait their turn, and callers take turns: a session of",
      "the protocol, else whoever holds the connection. A burst may wait",
      `(\`http.burst\`, ${standardHttp.burst}); while the queue has not been empty for ${momentMs} ms, or somebody was turned`,
      `away in the last ${wakeMs / 1000} s, only a few may (\`http.queue\`, ${standardHttp.queue}), of one caller half of`,
      "them. Whoever comes then is turned away before anything of the request is read: 503 `SERVICE_UNAVAILABLE`, or 429",
      "`RATE_LIMITED` where it is the caller's own requests that wait, with `Retry-After`; in the form of JSON-RPC where that",
      "is spoken, with `error.data.reason_code` `overloaded`. Nothing of such a request has run. There are so many",
      `sessions of the protocol at a time as \`http.sessions\` says (${standardHttp.sessions}): a new one takes the place of one that lies idle, or`,
      "is told when to come back. To listen, to end a session, to stop a call and to ask for `/health` never waits. A",
      "repository's own settings may lower these limits and not raise them."
    ],
    ["## Routes"],
    table(
      ["route", "for", "access", "side effect", "failures"],
      routes.map((route, at) => [
        code(`${route.method} ${route.template}`),
        route.summary,
        route.access,
        route.sideEffect,
        (own[at] ?? [])
          .filter(([, name]) => name !== "HOST_NOT_ALLOWED" && name !== "CROSS_ORIGIN_BLOCKED")
          .map(([status, name]) => `${status} ${code(name)}`)
          .join(", ")
      ])
    ),
    ["## Events"],
    table(
      ["event", "at", "direction", "meaning"],
      events.map((event) => [
        code(event.event),
        code(channels.find(({ id }) => id === event.channel)?.address ?? ""),
        event.direction === "server-to-client" ? "sent" : "taken",
        event.summary
      ])
    ),
    ["## Documents"],
    [
      "The server describes itself in full at `/api/api-docs/`. These documents are made from its routes and events when",
      "they are first asked for, so they are not kept here; their digests are, so that a change of them is seen."
    ],
    table(
      ["document", "bytes", "SHA-256"],
      documentNames.map((name) => [
        code(name),
        `${Buffer.byteLength(documents[name].text)}`,
        code(documents[name].digest)
      ])
    )
  )
}
