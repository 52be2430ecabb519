/** What a request comes to that no endpoint answers: every way of being wrong has a status, a code and a body of its own. */
import {
  HttpApi,
  HttpApiError,
  HttpServerError,
  HttpServerRequest,
  type HttpServerResponse
} from "@effect/platform"
import { Cause, Effect } from "effect"
import { fail } from "./contract/Failures.ts"
import { errorResponse, principal, respond, Serving } from "./Serving.ts"

/** Any API, whatever it is made of. */
// The groups of an API are invariant in what they require, so no narrower type takes every one of them.
// oxlint-disable-next-line typescript/no-explicit-any
type AnyApi = HttpApi.HttpApi<string, any, any, any>

/** The methods an API serves at a path, in alphabetical order; none for a path it does not serve. */
export type Methods = (path: string) => ReadonlyArray<string>

/** Reads the methods by path off an API. */
export const methodsOf = (api: AnyApi): Methods => {
  const rows: Array<{ readonly method: string; readonly pattern: RegExp }> = []
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint: { method, path } }) => {
      const pattern = path
        .split("/")
        .map((part) => (part.startsWith(":") ? "[^/]+" : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")))
        .join("/")
      rows.push({ method, pattern: new RegExp(`^${pattern}/?$`) })
    }
  })
  return (path) =>
    [...new Set(rows.flatMap(({ method, pattern }) => (pattern.test(path) ? [method] : [])))].sort()
}

const pathOf = (url: string): string => url.split(/[?#]/, 1)[0] ?? url

/** The response to what went wrong on the way to an endpoint or in it. Causes are told to the operator and nobody else. */
export const responseTo = (
  cause: Cause.Cause<unknown>,
  methods: Methods
): Effect.Effect<
  HttpServerResponse.HttpServerResponse,
  never,
  Serving | HttpServerRequest.HttpServerRequest
> =>
  Effect.gen(function* () {
    const { log } = yield* Serving
    const request = yield* HttpServerRequest.HttpServerRequest
    const thrown = Cause.squash(cause)
    if (thrown instanceof HttpServerError.RouteNotFound) {
      const allowed = methods(pathOf(request.url))
      return allowed.length === 0 || allowed.includes(request.method)
        ? errorResponse(404, "NOT_FOUND", "there is nothing at this address")
        : errorResponse(405, "METHOD_NOT_ALLOWED", `${request.method} is not served here`, {
            headers: { allow: allowed.join(", ") },
            context: { allowed }
          })
    }
    if (thrown instanceof HttpApiError.HttpApiDecodeError) {
      const { issues } = thrown
      const wrong = issues.map(({ message, path }) => `${path.map(String).join(".") || "it"}: ${message}`)
      // Who a caller is goes before what it asks.
      return yield* Effect.match(principal("ui", "http"), {
        onFailure: (refused) => refused,
        onSuccess: () => respond(fail("VALIDATION_ERROR", wrong.join("; "), { reason: "schema" }))
      })
    }
    if (thrown instanceof HttpServerError.RequestError) {
      log(`${request.method} ${request.url}: ${thrown.message}`)
      return respond(fail("VALIDATION_ERROR", "the request could not be read"))
    }
    log(`${request.method} ${request.url}: ${Cause.pretty(cause)}`)
    return errorResponse(500, "INTERNAL_ERROR", "the server failed; its log says more")
  })
