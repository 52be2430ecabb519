/** The HTTP server: its rooms, the guard before them, and the socket it listens on. */
import { HttpApiBuilder, HttpServer, HttpServerRequest, type HttpServerResponse } from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { Effect, Exit, Layer, Scope } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { Engine } from "../../pipeline/Engine.ts"
import { layerApi } from "./Api.ts"
import { type Access, fromElsewhere } from "./Guard.ts"
import { errorResponse, headOf, refuse, Serving } from "./Serving.ts"

export interface ListenOptions {
  readonly engine: Engine
  readonly access: Access
  readonly version: string
  readonly log: (text: string) => void
  /** Address to listen on. */
  readonly host: string
  /** 0 for any free port. */
  readonly port: number
}

export interface Listening {
  readonly address: AddressInfo
  /** Stops listening, lets requests in work end, and closes. */
  readonly close: () => Promise<void>
}

/** Before every endpoint: nobody from elsewhere, and no failure without a body. */
const guarded = <E, R>(
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>
): Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  never,
  R | Serving | HttpServerRequest.HttpServerRequest
> =>
  Effect.gen(function* () {
    const { access, log } = yield* Serving
    const request = yield* HttpServerRequest.HttpServerRequest
    const refused = fromElsewhere(headOf(request), access)
    if (refused !== undefined) return refuse(refused)
    return yield* Effect.catchAllCause(app, (cause) => {
      const text = String(cause)
      if (text.includes("RouteNotFound"))
        return Effect.succeed(errorResponse(404, "NOT_FOUND", "there is nothing at this address"))
      log(`${request.method} ${request.url}: ${text}`)
      return Effect.succeed(errorResponse(500, "INTERNAL_ERROR", "the server failed; its log says more"))
    })
  })

/** Listens. Rejects when the address cannot be had. */
export const listen = async (options: ListenOptions): Promise<Listening> => {
  const server = createServer()
  const serving = Layer.succeed(Serving, {
    engine: options.engine,
    access: options.access,
    version: options.version,
    log: options.log
  })
  const layer = HttpApiBuilder.serve(guarded as never).pipe(
    Layer.provide(layerApi),
    Layer.provide(HttpServer.layerContext),
    Layer.provide(NodeHttpServer.layer(() => server, { host: options.host, port: options.port })),
    Layer.provide(serving)
  ) as Layer.Layer<never>
  const scope = await Effect.runPromise(Scope.make())
  await Effect.runPromise(Scope.extend(Layer.build(layer), scope))
  return {
    address: server.address() as AddressInfo,
    close: () => Effect.runPromise(Scope.close(scope, Exit.void))
  }
}
