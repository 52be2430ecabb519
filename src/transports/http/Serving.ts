/** What every room of the HTTP server is given. */
import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Context, Effect } from "effect"
import type { Engine } from "../../pipeline/Engine.ts"
import type { Door, Principal, PrincipalKind } from "../../policy/Principal.ts"
import { type Access, type Head, isRefused, principalOf } from "./Guard.ts"
import { failureOf, type Plain, refusalOf } from "./Plain.ts"

/** The server a request came to. */
export class Serving extends Context.Tag("portico/http/Serving")<
  Serving,
  {
    readonly engine: Engine
    readonly access: Access
    readonly version: string
    /** Aborted when the server ends: streams end with it. */
    readonly ending: AbortSignal
    /** Takes what only the operator should see. */
    readonly log: (text: string) => void
  }
>() {}

/** What the connection and the head of a request say. */
export const headOf = (request: HttpServerRequest.HttpServerRequest): Head => ({
  peer: request.remoteAddress._tag === "Some" ? request.remoteAddress.value : undefined,
  host: request.headers["host"],
  origin: request.headers["origin"],
  authorization: request.headers["authorization"]
})

/** A response as the platform writes it. */
export const respond = ({ body, headers, status }: Plain): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(body, { status, headers, contentType: "application/json" })

/** What a handler answers: a response as it is sent, or one of the platform's. */
export type Reply = Plain | HttpServerResponse.HttpServerResponse

/** Makes responses of the platform's of what a handler answers, and of what it fails with. */
export const answered = <R>(
  effect: Effect.Effect<Reply, Reply, R>
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, R> =>
  Effect.map(Effect.merge(effect), (reply) =>
    HttpServerResponse.isServerResponse(reply) ? reply : respond(reply)
  )

/** The response to a failure, in the form every endpoint of ours has for it. */
export const errorResponse = (
  ...failure: Parameters<typeof failureOf>
): HttpServerResponse.HttpServerResponse => respond(failureOf(...failure))

/** The principal behind a request; fails with the response that turns it away. */
export const principal = (
  kind: PrincipalKind,
  door: Door
): Effect.Effect<
  Principal,
  HttpServerResponse.HttpServerResponse,
  Serving | HttpServerRequest.HttpServerRequest
> =>
  Effect.gen(function* () {
    const { access } = yield* Serving
    const request = yield* HttpServerRequest.HttpServerRequest
    const found = principalOf(kind, door, headOf(request), access)
    return isRefused(found) ? yield* Effect.fail(respond(refusalOf(found))) : found
  })
