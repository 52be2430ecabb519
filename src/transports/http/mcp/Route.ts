/** The Model Context Protocol over HTTP, at one address. */
import { HttpApiBuilder, HttpIncomingMessage, HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Context, Effect, Either, Option, type Scope, Stream } from "effect"
import type { Principal } from "../../../policy/Principal.ts"
import { principal, Serving } from "../Serving.ts"
import { fault } from "../../mcp/Connection.ts"
import type { HttpTransport } from "./HttpTransport.ts"
import { rpcError } from "./RpcError.ts"
import type { Busy, Session, Sessions } from "./Sessions.ts"

export const path = "/mcp"

/** Bytes the body of a request may have. */
export const mostBytes = 16 * 1024 * 1024

/** Header that says which revision of the protocol a request is of. */
const versionHeader = "mcp-protocol-version"
/** Header that makes a request stand for itself, without a session. */
export const statelessHeader = "portico-stateless"
/** Where a request without a session says which client it comes from. */
export const clientInfoKey = "io.modelcontextprotocol/clientInfo"

/** The sessions of the server. */
export class McpSessions extends Context.Tag("portico/http/McpSessions")<McpSessions, Sessions>() {}

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The name a request without a session gives its client; blank when it gives none. */
const clientOf = (body: unknown): string | undefined => {
  if (!isRecord(body) || !isRecord(body["params"])) return undefined
  const { _meta: meta, clientInfo } = body["params"]
  const info = body["method"] === "initialize" ? clientInfo : isRecord(meta) ? meta[clientInfoKey] : undefined
  return isRecord(info) && typeof info["name"] === "string" ? info["name"] : undefined
}

/** A comment, which readers of events skip. */
const opening = new TextEncoder().encode(":\n\n")

/** Milliseconds an answer may take to be sent in one piece, which costs a fraction of many. */
const wholeMs = 20

type Reader = ReadableStreamDefaultReader<Uint8Array>

/** Reads what comes of a body within {@link wholeMs}. */
const gather = async (
  body: ReadableStream<Uint8Array>
): Promise<{ readonly done: boolean; readonly parts: Array<Uint8Array>; readonly reader: Reader }> => {
  const reader = body.getReader()
  const parts: Array<Uint8Array> = []
  let late = false
  let timer: NodeJS.Timeout | undefined
  const over = new Promise<undefined>((resume) => {
    timer = setTimeout(() => {
      late = true
      resume(undefined)
    }, wholeMs)
  })
  try {
    for (;;) {
      const next = reader.read()
      const read = await Promise.race([next, over])
      if (read === undefined) return { done: false, parts, reader: ahead(next, reader) }
      if (read.done) return { done: true, parts, reader }
      parts.push(read.value)
      if (late) return { done: false, parts, reader }
    }
  } finally {
    clearTimeout(timer)
  }
}

/** A reader whose next piece has been asked for already. */
const ahead = (next: ReturnType<Reader["read"]>, reader: Reader): Reader => {
  let asked: typeof next | undefined = next
  return {
    read: () => {
      const first = asked
      asked = undefined
      return first ?? reader.read()
    },
    cancel: (reason: unknown) => reader.cancel(reason),
    releaseLock: () => reader.releaseLock(),
    closed: reader.closed
  } as Reader
}

/** Pieces that are there, and those that come. */
const joined = (parts: ReadonlyArray<Uint8Array>, reader: Reader): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start: (controller) => {
      for (const part of parts) controller.enqueue(part)
    },
    pull: async (controller) => {
      const { done, value } = await reader.read()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: (reason) => reader.cancel(reason)
  })

/** A web response as one of the platform's: whole, or a stream that goes on. */
const answer = (
  response: Response,
  method: string
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, Scope.Scope> => {
  const options = { status: response.status, headers: Object.fromEntries(response.headers) }
  const contentType = response.headers.get("content-type") ?? ""
  const { body } = response
  if (body === null) return Effect.succeed(HttpServerResponse.empty(options))
  if (!contentType.startsWith("text/event-stream"))
    return Effect.map(
      Effect.promise(() => response.text()),
      (text) => HttpServerResponse.text(text, { ...options, contentType })
    )
  const stream = (parts: ReadonlyArray<Uint8Array>, reader: Reader) =>
    Effect.as(
      Effect.addFinalizer(() => Effect.promise(() => reader.cancel())),
      HttpServerResponse.stream(
        Stream.fromReadableStream({
          evaluate: () => joined(parts, reader),
          onError: (cause) => cause
        }),
        { ...options, contentType }
      )
    )
  // The head of an answer goes out with the first of its body, and this stream may be silent for long.
  if (method === "GET") return stream([opening], body.getReader())
  return Effect.flatMap(
    Effect.promise(() => gather(body)),
    ({ done, parts, reader }) =>
      done
        ? Effect.succeed(HttpServerResponse.uint8Array(Buffer.concat(parts), { ...options, contentType }))
        : stream(parts.length === 0 ? [opening] : parts, reader)
  )
}

const isBusy = (value: object): value is Busy => "retryAfter" in value

const busy = ({ retryAfter }: Busy, what: string): Response =>
  rpcError(503, -32000, `${what}; try again in ${retryAfter} s`, {
    data: { reason_code: "overloaded", retry_after_ms: retryAfter * 1000 },
    headers: { "retry-after": String(retryAfter) }
  })

/** The body of a POST as JSON; the left side is the response to one that is none. */
const readBody = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  const length = Number(request.headers["content-length"] ?? 0)
  const tooLarge = () => rpcError(413, -32000, `a message may have at most ${mostBytes} bytes`)
  if (length > mostBytes) return yield* Effect.fail(tooLarge())
  const text = yield* request.text.pipe(
    HttpIncomingMessage.withMaxBodySize(Option.some(mostBytes)),
    Effect.mapError((error) =>
      /maxBytes|too large|exceed/i.test(String(error)) || String(error.cause).includes("maxBytes")
        ? tooLarge()
        : rpcError(400, -32700, "the body could not be read")
    )
  )
  return yield* Effect.try({
    try: () => JSON.parse(text) as unknown,
    catch: (cause) =>
      rpcError(400, -32700, `the body is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`)
  })
})

/** Leaves what was begun for a request when it has been answered, or when the client hung up. */
const during = (response: Response, leave: () => void) =>
  Effect.as(
    Effect.addFinalizer(() => Effect.sync(leave)),
    response
  )

const inSession = (session: Session, request: Request, body: unknown) =>
  Effect.suspend(() => {
    const leave = session.enter()
    return Effect.flatMap(
      Effect.onError(
        Effect.promise(() => session.transport.handle(request, body)),
        () => Effect.sync(leave)
      ),
      (response) => during(response, leave)
    )
  })

const begin = (sessions: Sessions, who: Principal, request: Request, body: unknown) =>
  Effect.promise(async () => {
    const wrong = fault(body as { readonly method: string })
    if (wrong !== undefined) {
      const { id } = body as { readonly id?: unknown }
      return rpcError(400, -32602, wrong, typeof id === "string" || typeof id === "number" ? { id } : {})
    }
    const opened = await sessions.open(who, (transport) => transport.handle(request, body))
    return isBusy(opened) ? busy(opened, "there are as many sessions as there may be") : opened
  })

const alone = (sessions: Sessions, who: Principal, request: Request, body: unknown) =>
  Effect.gen(function* () {
    const handle = (transport: HttpTransport) => transport.handle(request, body)
    const revision = request.headers.get(versionHeader) ?? undefined
    const made = yield* Effect.promise(() =>
      sessions.single(who, { client: clientOf(body) ?? "", revision }, handle)
    )
    if (isBusy(made)) return busy(made, "there are as many requests without a session as there may be")
    return yield* during(made.response, made.end)
  })

/** Answers a request that got past the guard. */
const serve = Effect.gen(function* () {
  const who = yield* principal("agent", "mcp_http")
  const sessions = yield* McpSessions
  const incoming = yield* HttpServerRequest.HttpServerRequest
  const { headers, method } = incoming
  const read = method === "POST" ? yield* Effect.either(readBody) : Either.right(undefined)
  if (Either.isLeft(read)) return yield* answer(read.left, method)
  const body = read.right
  const request = new Request(new URL(incoming.originalUrl, "http://localhost"), {
    method,
    headers: headers as Record<string, string>
  })
  const id = headers["mcp-session-id"]
  const stated = clientOf(body)
  const stateless =
    headers[statelessHeader] !== undefined ||
    (stated !== undefined && isRecord(body) && body["method"] !== "initialize")
  const found = (() => {
    if (method !== "POST" && method !== "GET" && method !== "DELETE")
      return Effect.succeed(
        rpcError(405, -32000, `${method} is not served here`, { headers: { allow: "GET, POST, DELETE" } })
      )
    if (id !== undefined) {
      const session = sessions.find(id, who)
      return session === undefined
        ? Effect.succeed(rpcError(404, -32001, "Session not found"))
        : inSession(session, request, body)
    }
    if (method === "POST" && stateless) return alone(sessions, who, request, body)
    if (method === "POST" && isRecord(body) && body["method"] === "initialize")
      return begin(sessions, who, request, body)
    return Effect.succeed(
      rpcError(
        400,
        -32000,
        `Mcp-Session-Id is needed: begin with initialize, or send ${statelessHeader}: 1 for a request without a session`
      )
    )
  })()
  return yield* answer(yield* found, method)
}).pipe(
  Effect.catchAll((refused) => Effect.succeed(refused)),
  Effect.uninterruptible
)

/** The endpoint. */
export const layerMcp = HttpApiBuilder.Router.use((router) =>
  Effect.gen(function* () {
    const here = Context.make(Serving, yield* Serving).pipe(Context.add(McpSessions, yield* McpSessions))
    yield* router.all(path, Effect.provide(serve, here))
  })
)
