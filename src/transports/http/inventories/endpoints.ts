/** The endpoints of the inventories. */
import {
  HttpApi,
  HttpApiBuilder,
  HttpApiEndpoint,
  HttpApiGroup,
  HttpServerRequest,
  HttpServerResponse,
  OpenApi
} from "@effect/platform"
import { Effect, Schema } from "effect"
import { cached, etagOf, isCurrent } from "../Etag.ts"
import { principal, Serving } from "../Serving.ts"
import { type DocumentName, type Documents, documentsOf } from "./documents.ts"
import type { AnyApi } from "./Routes.ts"

const Document = Schema.Record({ key: Schema.String, value: Schema.Unknown })

const endpoint = <const N extends string>(name: N, document: DocumentName, summary: string) =>
  HttpApiEndpoint.get(name, `/api/api-docs/${document}`)
    .addSuccess(Document)
    .annotate(OpenApi.Summary, summary)

/** What the server has, for whoever writes a client of it. */
export const inventories = HttpApiGroup.make("inventories")
  .add(endpoint("catalog", "catalog.json", "Every route: who may call it and what it changes."))
  .add(endpoint("internalOpenapi", "internal/openapi.json", "OpenAPI document of every route."))
  .add(endpoint("openapi", "openapi.json", "OpenAPI document of the routes for callers elsewhere."))
  .add(endpoint("events", "events.json", "Every event the server sends or takes."))
  .add(endpoint("asyncapi", "asyncapi.json", "AsyncAPI document of the events."))
  .add(endpoint("tools", "tools.min.json", "The routes that make tools, small enough to be read whole."))

const own = HttpApi.make("portico").add(inventories)

/** The handlers. `api` is what the inventories are about: the whole, this group included. */
export const layerInventories = (api: () => AnyApi) => {
  let made: Documents | undefined
  const answer = (name: DocumentName) =>
    Effect.gen(function* () {
      yield* principal("ui", "http")
      const { version } = yield* Serving
      const { headers } = yield* HttpServerRequest.HttpServerRequest
      made ??= documentsOf(api(), version)
      const { digest, text } = made[name]
      const tag = etagOf(digest)
      return isCurrent(headers["if-none-match"], tag)
        ? HttpServerResponse.empty({ status: 304, headers: cached(tag) })
        : HttpServerResponse.text(text, { contentType: "application/json", headers: cached(tag) })
    }).pipe(Effect.catchAll(Effect.succeed))
  return HttpApiBuilder.group(own, "inventories", (handlers) =>
    handlers
      .handle("catalog", () => answer("catalog.json"))
      .handle("internalOpenapi", () => answer("internal/openapi.json"))
      .handle("openapi", () => answer("openapi.json"))
      .handle("events", () => answer("events.json"))
      .handle("asyncapi", () => answer("asyncapi.json"))
      .handle("tools", () => answer("tools.min.json"))
  )
}
