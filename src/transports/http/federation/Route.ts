/** Where other servers ask: one address, whose callers show a token and may read what stays on this machine. */
import { HttpApiBuilder, HttpIncomingMessage, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Context, Effect, Option, ParseResult, Schema } from "effect"
import { errorResponse, principal, Serving } from "../Serving.ts"

export const callPath = "/federation/call"

/** Bytes the body of a request may have. */
export const mostBytes = 1024 * 1024

export const Body = Schema.Struct({
  tool: Schema.NonEmptyString,
  arguments: Schema.Record({ key: Schema.String, value: Schema.Unknown })
})

const decode = Schema.decodeUnknown(Body, { onExcessProperty: "error" })

const headers = { "cache-control": "no-store" }

/** Failures by which a call is turned away for what it is rather than for what it asks. */
const denied: ReadonlySet<unknown> = new Set(["permission_denied", "tool_blocked_by_mode", "remote_disabled"])

const serve = Effect.gen(function* () {
  const { engine } = yield* Serving
  const request = yield* HttpServerRequest.HttpServerRequest
  const who = yield* principal("federation", "federation")
  if (!who.authenticated)
    return errorResponse(401, "AUTH_REQUIRED", "another server shows a token, also from this machine", {
      headers: { "www-authenticate": 'Bearer realm="portico"' }
    })
  if (request.method !== "POST")
    return errorResponse(405, "METHOD_NOT_ALLOWED", "only POST is served here", {
      headers: { allow: "POST" }
    })
  const tooLarge = errorResponse(413, "PAYLOAD_TOO_LARGE", `a body may have at most ${mostBytes} bytes`)
  if (Number(request.headers["content-length"] ?? 0) > mostBytes) return tooLarge
  const text = yield* request.text.pipe(
    HttpIncomingMessage.withMaxBodySize(Option.some(mostBytes)),
    Effect.mapError(() => tooLarge)
  )
  const parsed = yield* Effect.try({
    try: () => JSON.parse(text) as unknown,
    catch: () => errorResponse(400, "VALIDATION_ERROR", "the body is not JSON")
  })
  const body = yield* Effect.mapError(decode(parsed), (error) =>
    errorResponse(
      400,
      "VALIDATION_ERROR",
      ParseResult.ArrayFormatter.formatErrorSync(error)
        .map(({ message, path }) => `${path.join(".") || "it"}: ${message}`)
        .join("; ")
    )
  )
  const result = yield* Effect.tryPromise({
    try: (signal) =>
      engine.call({ tool: body.tool, args: body.arguments, principal: who, door: "federation" }, { signal }),
    catch: () => errorResponse(500, "INTERNAL_ERROR", "the call did not come to an end")
  })
  const value = result.structuredContent
  if (result.isError !== true) return HttpServerResponse.unsafeJson({ ok: true, value }, { headers })
  const code = value["error_code"]
  return HttpServerResponse.unsafeJson(
    { ok: false, code, error: value["message"], failure: value },
    { status: denied.has(code) ? 403 : 200, headers }
  )
})

/** The address. */
export const layerFederation = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const here = Context.make(Serving, yield* Serving)
    yield* router.all(
      callPath,
      Effect.provide(
        Effect.catchAll(serve, (refused) => Effect.succeed(refused)),
        here
      )
    )
  })
)
