/** The rooms of the server that are served on the platform: the contract, its descriptions, the agent context, federation. */
import { HttpApiBuilder, HttpMiddleware, HttpRouter, HttpServer } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { Effect, Exit, Layer, Scope } from "effect"
import type { IncomingMessage, ServerResponse } from "node:http"
import { layerAgentContext } from "./agent_context/Route.ts"
import { layerApi, methods } from "./Api.ts"
import { serve as serveCall } from "./contract/Call.ts"
import { callPath } from "./contract/endpoints.ts"
import { responseTo } from "./Faults.ts"
import { layerFederation } from "./federation/Route.ts"
import { Serving } from "./Serving.ts"

/** Everything that is served on the platform. */
export const layerRoutes = Layer.mergeAll(layerApi, layerAgentContext, layerFederation)

/** No failure leaves without a body of ours. */
const faultless = <A, E, R>(app: Effect.Effect<A, E, R>) =>
  Effect.catchAllCause(app, (cause) => responseTo(cause, methods))

/** Before the platform makes something of a failure, it is made one of ours. */
const layerFaults = HttpApiBuilder.middleware((app) => faultless(app) as typeof app)

/** Characters a part of an address may have. What may stand in it is its endpoint's to say, so this is out of the way. */
const longestParameter = 65_536

type Handler = (request: IncomingMessage, response: ServerResponse) => void

export interface Rooms {
  /** Answers a request that got past the guard. */
  readonly handle: Handler
  readonly close: () => Promise<void>
}

/** A server of the platform's that listens to nothing: `give` is handed what answers requests. */
const layerHandler = (give: (handler: Handler) => void) =>
  Layer.succeed(
    HttpServer.HttpServer,
    HttpServer.make({
      address: { _tag: "UnixAddress", path: "" },
      serve: (app, middleware) =>
        Effect.map(
          // Nobody reads spans of this server, and each costs a request as much as its routing does.
          HttpMiddleware.withTracerDisabledWhenEffect(
            NodeHttpServer.makeHandler(app, middleware as never),
            () => true
          ),
          give
        )
    })
  )

/** Opens the rooms. */
export const open = async (serving: Serving["Type"]): Promise<Rooms> => {
  let others: Handler = () => {}
  const layer = HttpApiBuilder.serve(faultless as never).pipe(
    Layer.provide(layerFaults),
    Layer.provide(HttpRouter.setRouterConfig({ maxParamLength: longestParameter })),
    Layer.provide(layerRoutes),
    Layer.provide(HttpServer.layerContext),
    Layer.provide(layerHandler((handler) => (others = handler))),
    Layer.provide(Layer.succeed(Serving, serving))
  ) as Layer.Layer<never>
  const scope = await Effect.runPromise(Scope.make())
  await Effect.runPromise(Scope.extend(Layer.build(layer), scope))
  return {
    // What is asked most often needs no way to be found.
    handle: (request, response) =>
      request.method === "POST" && request.url === callPath
        ? void serveCall(serving, request, response)
        : others(request, response),
    close: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}
