/** What a request of the tool contract says: its body, who sends it, and how long it would wait. */
import { HttpIncomingMessage, HttpServerRequest, type HttpServerResponse } from "@effect/platform"
import { Effect, Option, ParseResult, Schema } from "effect"
import type { IncomingMessage } from "node:http"
import { holderOf } from "../Guard.ts"
import { headOf, Serving } from "../Serving.ts"
import type { Holder } from "../Tokens.ts"
import { fail } from "./Failures.ts"

/** Bytes the body of a request may have. */
export const mostBytes = 16 * 1024 * 1024

type Refusal = HttpServerResponse.HttpServerResponse

const tooLarge = (): Refusal =>
  fail("PAYLOAD_TOO_LARGE", `a body may have at most ${mostBytes} bytes`, { mostBytes })

/** Everything that is wrong with what came in, in one sentence. */
export const problemsOf = (error: ParseResult.ParseError): string =>
  ParseResult.ArrayFormatter.formatErrorSync(error)
    .map(({ message, path }) => `${path.join(".") || "it"}: ${message}`)
    .join("; ")

const text = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  if (Number(request.headers["content-length"] ?? 0) > mostBytes) return yield* Effect.fail(tooLarge())
  return yield* request.text.pipe(
    HttpIncomingMessage.withMaxBodySize(Option.some(mostBytes)),
    Effect.mapError((error) =>
      /maxBytes|too large|exceed/i.test(`${String(error)} ${String(error.cause)}`)
        ? tooLarge()
        : fail("VALIDATION_ERROR", "the body could not be read")
    )
  )
})

/** The body as a schema has it. An absent one is `{}` where nothing is demanded. */
export const bodyOf = <A, I>(
  schema: Schema.Schema<A, I>
): Effect.Effect<A, Refusal, HttpServerRequest.HttpServerRequest> =>
  Effect.gen(function* () {
    const given = yield* text
    const value = yield* Effect.try({
      try: () => (given.trim() === "" ? {} : (JSON.parse(given) as unknown)),
      catch: () => fail("VALIDATION_ERROR", "the body is not JSON", { reason: "not_json" })
    })
    return yield* Effect.mapError(Schema.decodeUnknown(schema)(value), (error) =>
      fail("VALIDATION_ERROR", problemsOf(error), { reason: "schema" })
    )
  })

/** Refuses an `Idempotency-Key` that is not the id of the call. */
export const sameKey = (
  requestId: string
): Effect.Effect<void, Refusal, HttpServerRequest.HttpServerRequest> =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => {
    const key = headers["idempotency-key"]
    return key === undefined || key.trim() === requestId
      ? Effect.void
      : Effect.fail(
          fail("TOOL_IDEMPOTENCY_MISMATCH", "Idempotency-Key must equal requestId where it is sent", {
            requestId
          })
        )
  })

/** The person who settles what callers wait for. No caller passes for one. */
export const approver: Effect.Effect<Holder, Refusal, HttpServerRequest.HttpServerRequest | Serving> =
  Effect.gen(function* () {
    const { access } = yield* Serving
    const holder = holderOf(headOf(yield* HttpServerRequest.HttpServerRequest), access)
    return holder?.role === "approver"
      ? holder
      : yield* Effect.fail(
          fail("TOOL_AUTH_REQUIRED", "only the holder of the approver's token may do that", {
            reason: "not_an_approver"
          })
        )
  })

/** Whether the caller shows the approver's token. */
export const isApprover: Effect.Effect<boolean, never, HttpServerRequest.HttpServerRequest | Serving> =
  Effect.map(Effect.option(approver), Option.isSome)

/** How the caller would wait (RFC 7240). */
export interface Preference {
  readonly respondAsync: boolean
  /** Seconds it would wait for an answer. */
  readonly wait: number | undefined
}

/** Seconds a caller may ask to wait for what is usually a job. */
const longestWait = 600

export const preferenceOf = (header: string | undefined): Preference => {
  const words = (header ?? "").split(/[,;]/).map((word) => word.trim().toLowerCase())
  const wait = words.map((word) => /^wait=(\d{1,6})$/.exec(word)?.[1]).find((found) => found !== undefined)
  return {
    respondAsync: words.includes("respond-async"),
    wait: wait === undefined ? undefined : Math.min(Number(wait), longestWait)
  }
}

/** Connections take turns, so that one with many calls does not hold up the others. */
export const laneOf = (request: HttpServerRequest.HttpServerRequest, principalId: string): string => {
  const { socket } = request.source as Partial<IncomingMessage>
  return `${principalId}@${socket?.remoteAddress ?? ""}:${socket?.remotePort ?? ""}`
}
