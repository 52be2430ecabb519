/** The two addresses of the agent context. */
import { HttpApiBuilder, HttpIncomingMessage, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Context, Effect, Option } from "effect"
import { errorResponse, headOf, principal, Serving } from "../Serving.ts"
import { disabled, type Turned, turnedAway } from "./Gate.ts"
import { endpoint, manifest } from "./Manifest.ts"
import { answer, read, versions } from "./Rpc.ts"
import { keyFault } from "./SemanticTools.ts"
import { settingsOf } from "./Settings.ts"
import { toolsOf } from "./Tools.ts"

export const manifestPath = "/api/agent-context/manifest"

/** Bytes the body of a request may have. */
export const mostBytes = 1024 * 1024

const headers = { "cache-control": "no-store" }

const turn = ({ code, message, status }: Turned) => errorResponse(status, code, message)

const rpc = (
  status: number,
  id: string | number | null,
  rest: { readonly result: unknown } | { readonly error: { readonly code: number; readonly message: string } }
) => HttpServerResponse.unsafeJson({ jsonrpc: "2.0", id, ...rest }, { status, headers })

const fault = (status: number, code: number, message: string, id: string | number | null = null) =>
  rpc(status, id, { error: { code, message } })

const notAllowed = (allow: string) =>
  errorResponse(405, "METHOD_NOT_ALLOWED", `only ${allow} is served here`, { headers: { allow } })

/** A caller who may come near. Fails with the response that turns others away. */
const near = Effect.gen(function* () {
  const who = yield* principal("agent", "agent_context")
  const turned = turnedAway(headOf(yield* HttpServerRequest.HttpServerRequest))
  return turned === undefined ? who : yield* Effect.fail(turn(turned))
})

const serveManifest = Effect.gen(function* () {
  const who = yield* near
  const { method } = yield* HttpServerRequest.HttpServerRequest
  if (method !== "GET" && method !== "HEAD") return notAllowed("GET")
  const { engine } = yield* Serving
  return HttpServerResponse.unsafeJson(manifest(engine, who), { headers })
})

const accepts = (accept: string | undefined): boolean =>
  ["application/json", "text/event-stream"].every((type) => accept?.toLowerCase().includes(type) === true)

const readText = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const tooLarge = () => fault(413, -32600, `a message may have at most ${mostBytes} bytes`)
  if (Number(request.headers["content-length"] ?? 0) > mostBytes) return yield* Effect.fail(tooLarge())
  return yield* request.text.pipe(
    HttpIncomingMessage.withMaxBodySize(Option.some(mostBytes)),
    Effect.mapError(tooLarge)
  )
})

const serveMcp = Effect.gen(function* () {
  const who = yield* near
  const { engine, log, version } = yield* Serving
  if (!settingsOf(engine.policy()).enabled) return turn(disabled)
  const request = yield* HttpServerRequest.HttpServerRequest
  if (request.method !== "POST") return notAllowed("POST")
  if (!accepts(request.headers["accept"]))
    return fault(406, -32600, "Accept must have both application/json and text/event-stream")
  const spoken = request.headers["mcp-protocol-version"]
  if (spoken !== undefined && !versions.some((known) => known === spoken))
    return fault(400, -32600, `MCP-Protocol-Version must be one of ${versions.join(", ")}`)
  if (!/^application\/json\s*(;|$)/i.test(request.headers["content-type"] ?? ""))
    return fault(415, -32600, "Content-Type must be application/json")
  const key = request.headers["idempotency-key"]
  const wrong = key === undefined ? undefined : keyFault(key)
  if (wrong !== undefined) return fault(400, -32600, wrong)
  const text = yield* readText
  const body = yield* Effect.try({
    try: () => JSON.parse(text) as unknown,
    catch: () => fault(400, -32700, "the body is not JSON")
  })
  const message = read(body)
  if (message.tag === "bad") return fault(400, -32600, message.why, message.id)
  if (message.tag === "silent") return HttpServerResponse.empty({ status: 202, headers })
  const { id, method, params } = message
  const reply = yield* Effect.tryPromise({
    try: (signal) =>
      answer(method, params, { tools: toolsOf({ engine, principal: who, key, signal }), version }),
    catch: (cause) => {
      log(
        `agent context: ${method}: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`
      )
      return fault(200, -32603, "the server failed; its log says more", id)
    }
  })
  return rpc(200, id, reply)
})

const settled = <R>(
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, HttpServerResponse.HttpServerResponse, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R> =>
  Effect.catchAll(app, (refused) => Effect.succeed(refused))

/** Both addresses. */
export const layerAgentContext = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const here = Context.make(Serving, yield* Serving)
    yield* router.all(manifestPath, Effect.provide(settled(serveManifest), here))
    yield* router.all(endpoint, Effect.provide(settled(serveMcp), here))
  })
)
