/** The endpoints, room by room. */
import { HttpApi, HttpApiBuilder, HttpApiEndpoint, HttpApiGroup } from "@effect/platform"
import { Effect, Layer, Schema } from "effect"
import { layerTools, tools } from "./contract/endpoints.ts"
import { methodsOf } from "./Faults.ts"
import { inventories, layerInventories } from "./inventories/endpoints.ts"
import { Serving } from "./Serving.ts"

/** Whether the server is there. */
const server = HttpApiGroup.make("server").add(
  HttpApiEndpoint.get("health", "/health").addSuccess(
    Schema.Struct({ status: Schema.Literal("ok"), version: Schema.String })
  )
)

/** The HTTP contract. */
export const api = HttpApi.make("portico").add(server).add(tools).add(inventories)

/** The methods by path. */
export const methods = methodsOf(api)

const layerServer = HttpApiBuilder.group(api, "server", (handlers) =>
  handlers.handle("health", () => Effect.map(Serving, ({ version }) => ({ status: "ok" as const, version })))
)

/** Every endpoint with its handler. */
export const layerApi = HttpApiBuilder.api(api).pipe(
  Layer.provide([layerServer, layerTools, layerInventories(() => api)])
)
