/** What a request of the tool contract says: its body, who sends it, and how long it would wait. */
import { HttpIncomingMessage, HttpServerRequest } from "@effect/platform"
import { Effect, Either, Option, ParseResult, Schema } from "effect"
import type { IncomingHttpHeaders, IncomingMessage } from "node:http"
import { readText } from "../Body.ts"
import { holderOf } from "../Guard.ts"
import type { Plain } from "../Plain.ts"
import { headOf, Serving } from "../Serving.ts"
import type { Holder } from "../Tokens.ts"
import { fail } from "./Failures.ts"

/** Bytes the body of a request may have. */
export const mostBytes = 16 * 1024 * 1024

const tooLarge = (): Plain =>
  fail("PAYLOAD_TOO_LARGE", `a body may have at most ${mostBytes} bytes`, { mostBytes })

const unreadable = (): Plain => fail("VALIDATION_ERROR", "the body could not be read")

/** Whether a request says of itself that its body has too many bytes. */
const saysTooLarge = (length: string | undefined): boolean => Number(length ?? 0) > mostBytes

/** Everything that is wrong with what came in, in one sentence. */
export const problemsOf = (error: ParseResult.ParseError): string =>
  ParseResult.ArrayFormatter.formatErrorSync(error)
    .map(({ message, path }) => `${path.join(".") || "it"}: ${message}`)
    .join("; ")

/** The body of a request of the platform's. */
export const text: Effect.Effect<string, Plain, HttpServerRequest.HttpServerRequest> = Effect.gen(
  function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    if (saysTooLarge(request.headers["content-length"])) return yield* Effect.fail(tooLarge())
    return yield* request.text.pipe(
      HttpIncomingMessage.withMaxBodySize(Option.some(mostBytes)),
      Effect.mapError((error) =>
        /maxBytes|too large|exceed/i.test(`${String(error)} ${String(error.cause)}`)
          ? tooLarge()
          : unreadable()
      )
    )
  }
)

/** The body of a request that came by no platform, or the response to one that cannot be had. */
export const textOf = async (request: IncomingMessage): Promise<Either.Either<string, Plain>> => {
  if (saysTooLarge(request.headers["content-length"])) return Either.left(tooLarge())
  try {
    const read = await readText(request, mostBytes)
    return read === undefined ? Either.left(tooLarge()) : Either.right(read)
  } catch {
    return Either.left(unreadable())
  }
}

/** What a body says as a schema has it. An absent one is `{}` where nothing is demanded. */
export const decoded = <A, I>(schema: Schema.Schema<A, I>, given: string): Either.Either<A, Plain> => {
  let value: unknown
  try {
    value = given.trim() === "" ? {} : JSON.parse(given)
  } catch {
    return Either.left(fail("VALIDATION_ERROR", "the body is not JSON", { reason: "not_json" }))
  }
  return Either.mapLeft(Schema.decodeUnknownEither(schema)(value), (error) =>
    fail("VALIDATION_ERROR", problemsOf(error), { reason: "schema" })
  )
}

/** The body as a schema has it. */
export const bodyOf = <A, I>(
  schema: Schema.Schema<A, I>
): Effect.Effect<A, Plain, HttpServerRequest.HttpServerRequest> =>
  Effect.flatMap(text, (given) => decoded(schema, given))

/** The headers of a request, whoever read them. */
export type Headers = IncomingHttpHeaders | { readonly [name: string]: string | undefined }

const first = (value: string | ReadonlyArray<string> | undefined): string | undefined =>
  typeof value === "object" ? value[0] : value

/** The refusal of an `Idempotency-Key` that is not the id of the call; undefined for a good one and for none. */
export const otherKey = (headers: Headers, requestId: string): Plain | undefined => {
  const key = first(headers["idempotency-key"])
  return key === undefined || key.trim() === requestId
    ? undefined
    : fail("TOOL_IDEMPOTENCY_MISMATCH", "Idempotency-Key must equal requestId where it is sent", {
        requestId
      })
}

/** Fails with that refusal. */
export const sameKey = (requestId: string): Effect.Effect<void, Plain, HttpServerRequest.HttpServerRequest> =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) => {
    const refused = otherKey(headers, requestId)
    return refused === undefined ? Effect.void : Effect.fail(refused)
  })

/** The person who settles what callers wait for. No caller passes for one. */
export const approver: Effect.Effect<Holder, Plain, HttpServerRequest.HttpServerRequest | Serving> =
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

export const preferenceOf = ({ prefer }: Headers): Preference => {
  if (prefer === undefined) return { respondAsync: false, wait: undefined }
  const words = String(prefer)
    .split(/[,;]/)
    .map((word) => word.trim().toLowerCase())
  const wait = words.map((word) => /^wait=(\d{1,6})$/.exec(word)?.[1]).find((found) => found !== undefined)
  return {
    respondAsync: words.includes("respond-async"),
    wait: wait === undefined ? undefined : Math.min(Number(wait), longestWait)
  }
}

/** Connections take turns, so that one with many calls does not hold up the others. */
export const laneOf = ({ socket }: Partial<IncomingMessage>, principalId: string): string =>
  `${principalId}@${socket?.remoteAddress ?? ""}:${socket?.remotePort ?? ""}`
