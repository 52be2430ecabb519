/** The HTTP server: its rooms, the guard before them, and the socket it listens on. */
import {
  HttpApiBuilder,
  HttpRouter,
  HttpApp,
  HttpServer,
  HttpServerRequest,
  HttpServerResponse
} from "@effect/platform"
import { NodeHttpServer } from "@effect/platform-node"
import { Cause, Effect, Exit, Layer, Scope } from "effect"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { Engine } from "../../pipeline/Engine.ts"
import type { Wishes } from "../../surface/Selection.ts"
import { worded } from "./agent_context/Gate.ts"
import { layerAgentContext } from "./agent_context/Route.ts"
import { layerApi, methods } from "./Api.ts"
import { corsHeaders, preflight } from "./Cors.ts"
import { type Access, fromElsewhere } from "./Guard.ts"
import { responseTo } from "./Faults.ts"
import { layerFederation } from "./federation/Route.ts"
import { layerMcp, McpSessions } from "./mcp/Route.ts"
import { Sessions } from "./mcp/Sessions.ts"
import { headOf, refuse, Serving } from "./Serving.ts"

export interface ListenOptions {
  readonly engine: Engine
  readonly access: Access
  readonly version: string
  readonly log: (text: string) => void
  /** Address to listen on. */
  readonly host: string
  /** 0 for any free port. */
  readonly port: number
  /** What was wished of the surface of protocol sessions when the server was started. */
  readonly wishes?: Omit<Wishes, "client"> | undefined
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
    const { access } = yield* Serving
    const request = yield* HttpServerRequest.HttpServerRequest
    const head = headOf(request)
    const refused = fromElsewhere(head, access)
    if (refused !== undefined) return refuse(worded(request.url, refused))
    const cors = corsHeaders(head, access)
    const told = preflight(request.method, request.headers["access-control-request-method"], head, access)
    if (told !== undefined) return HttpServerResponse.empty({ status: 204, headers: { ...cors, ...told } })
    // What comes back of the application has been sent already.
    yield* HttpApp.appendPreResponseHandler((_, response) =>
      Effect.succeed(HttpServerResponse.setHeaders(response, cors))
    )
    return yield* Effect.catchAllCause(app, (cause) => responseTo(cause, methods))
  })

/** Before the platform makes something of a failure, it is made one of ours. */
const layerFaults = HttpApiBuilder.middleware(
  (app) => Effect.catchAllCause(app, (cause) => responseTo(cause, methods)) as typeof app
)

/** Everything that is served. */
export const layerRoutes = Layer.mergeAll(layerApi, layerMcp, layerAgentContext, layerFederation)

/** Characters a part of an address may have. What may stand in it is its endpoint's to say, so this is out of the way. */
const longestParameter = 65_536

/** Milliseconds a connection is kept for the next request: longer than clients pause, who would find it closed under them. */
const keepAliveMs = 75_000

/** Milliseconds for which requests in work are waited for when the server stops. */
const patienceMs = 5_000

/** Why an address cannot be had. */
const whyNot = (thrown: unknown): string => {
  const { cause = thrown } = thrown as { readonly cause?: unknown }
  const { code } = cause as NodeJS.ErrnoException
  return code === "EADDRINUSE"
    ? "is in use by another process"
    : `cannot be listened on: ${code ?? (cause instanceof Error ? cause.message : String(cause))}`
}

/** Listens. Rejects when the address cannot be had. */
export const listen = async (options: ListenOptions): Promise<Listening> => {
  const server = createServer({ keepAliveTimeout: keepAliveMs })
  const ending = new AbortController()
  const serving = Layer.succeed(Serving, {
    engine: options.engine,
    access: options.access,
    version: options.version,
    ending: ending.signal,
    log: options.log
  })
  const sessions = new Sessions(options)
  const layer = HttpApiBuilder.serve(guarded as never).pipe(
    Layer.provide(layerFaults),
    Layer.provide(HttpRouter.setRouterConfig({ maxParamLength: longestParameter })),
    Layer.provide(layerRoutes),
    Layer.provide(Layer.succeed(McpSessions, sessions)),
    Layer.provide(HttpServer.layerContext),
    Layer.provide(NodeHttpServer.layer(() => server, { host: options.host, port: options.port })),
    Layer.provide(serving)
  ) as Layer.Layer<never>
  const scope = await Effect.runPromise(Scope.make())
  const built = await Effect.runPromiseExit(Scope.extend(Layer.build(layer), scope))
  if (Exit.isFailure(built)) {
    await sessions.close()
    throw new Error(`${options.host}:${options.port} ${whyNot(Cause.squash(built.cause))}`)
  }
  return {
    address: server.address() as AddressInfo,
    close: async () => {
      // Streams that clients leave open would be waited for.
      ending.abort()
      await sessions.close()
      // A connection whose request ends now would be kept for the next one, and who does not read an answer keeps it open.
      const idle = setInterval(() => server.closeIdleConnections(), 50)
      const late = setTimeout(() => server.closeAllConnections(), patienceMs)
      try {
        await Effect.runPromise(Scope.close(scope, Exit.void))
      } finally {
        clearInterval(idle)
        clearTimeout(late)
      }
    }
  }
}
