/**
 * The Model Context Protocol over HTTP, at one address. It is served without the platform: listing tools has to wait for
 * nothing that takes long to load, and calls are many and short.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Principal } from "../../../policy/Principal.ts"
import { fault } from "../../mcp/Connection.ts"
import { readText } from "../Body.ts"
import { failureOf, write } from "../Plain.ts"
import type { HttpTransport } from "./HttpTransport.ts"
import { EventBody } from "./Outlet.ts"
import { rpcError } from "./RpcError.ts"
import type { Busy, Sessions } from "./Sessions.ts"

export const path = "/mcp"

/** Bytes the body of a request may have. */
export const mostBytes = 16 * 1024 * 1024

/** Header that says which revision of the protocol a request is of. */
const versionHeader = "mcp-protocol-version"
/** Header that makes a request stand for itself, without a session. */
export const statelessHeader = "portico-stateless"
/** Where a request without a session says which client it comes from. */
export const clientInfoKey = "io.modelcontextprotocol/clientInfo"

/** Methods served, by name. */
export const methods = ["DELETE", "GET", "POST"] as const

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The name a request without a session gives its client; blank when it gives none. */
const clientOf = (body: unknown): string | undefined => {
  if (!isRecord(body) || !isRecord(body["params"])) return undefined
  const { _meta: meta, clientInfo } = body["params"]
  const info = body["method"] === "initialize" ? clientInfo : isRecord(meta) ? meta[clientInfoKey] : undefined
  return isRecord(info) && typeof info["name"] === "string" ? info["name"] : undefined
}

/** Sends the events of a web stream. */
const sendEvents = async (
  body: EventBody,
  reader: ReadableStreamDefaultReader<Uint8Array>
): Promise<void> => {
  const decoder = new TextDecoder()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    body.write(decoder.decode(value, { stream: true }))
    await body.room()
  }
  body.end()
}

/** Sends a web response. Settles when it has been sent, or when the client hung up, who is not sent the rest. */
const send = async (answer: Response, response: ServerResponse, method: string): Promise<void> => {
  const headers = Object.fromEntries(answer.headers)
  const { body, status } = answer
  if (response.destroyed) return void body?.cancel()
  if (body === null) {
    response.writeHead(status, headers)
    return void response.end()
  }
  if (headers["content-type"]?.startsWith("text/event-stream") !== true)
    return write(response, { status, headers, body: await answer.text() })
  const reader = body.getReader()
  response.once("close", () => {
    if (!response.writableFinished) reader.cancel().catch(() => {})
  })
  await sendEvents(new EventBody(response, headers, { listens: method === "GET" }), reader)
}

const isBusy = (value: object): value is Busy => "retryAfter" in value

const busy = ({ retryAfter }: Busy, what: string): Response =>
  rpcError(503, -32000, `${what}; try again in ${retryAfter} s`, {
    data: { reason_code: "overloaded", retry_after_ms: retryAfter * 1000 },
    headers: { "retry-after": String(retryAfter) }
  })

/** The body of a POST as JSON, or the response to one that is none. */
const readBody = async (request: IncomingMessage): Promise<{ readonly body: unknown } | Response> => {
  const tooLarge = () => rpcError(413, -32000, `a message may have at most ${mostBytes} bytes`)
  if (Number(request.headers["content-length"] ?? 0) > mostBytes) return tooLarge()
  const text = await readText(request, mostBytes)
  if (text === undefined) return tooLarge()
  try {
    return { body: JSON.parse(text) as unknown }
  } catch (cause) {
    return rpcError(
      400,
      -32700,
      `the body is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`
    )
  }
}

/** What answers a request, and how to leave what was begun for it once it is answered or its client hung up. */
interface Answered {
  /** Absent where the answer is on its way already. */
  readonly response?: Response
  readonly leave?: (() => void) | undefined
}

const begin = async (
  sessions: Sessions,
  who: Principal,
  request: Request,
  body: unknown
): Promise<Answered> => {
  const wrong = fault(body as { readonly method: string })
  if (wrong !== undefined) {
    const { id } = body as { readonly id?: unknown }
    return {
      response: rpcError(400, -32602, wrong, typeof id === "string" || typeof id === "number" ? { id } : {})
    }
  }
  const opened = await sessions.open(who, (transport) => transport.handle(request, body))
  return { response: isBusy(opened) ? busy(opened, "there are as many sessions as there may be") : opened }
}

const alone = async (
  sessions: Sessions,
  who: Principal,
  request: Request,
  body: unknown
): Promise<Answered> => {
  const handle = (transport: HttpTransport) => transport.handle(request, body)
  const revision = request.headers.get(versionHeader) ?? undefined
  const made = await sessions.single(who, { client: clientOf(body) ?? "", revision }, handle)
  return isBusy(made)
    ? { response: busy(made, "there are as many requests without a session as there may be") }
    : { response: made.response, leave: made.end }
}

const webRequest = ({ headers, method = "", url = "" }: IncomingMessage): Request =>
  new Request(new URL(url, "http://localhost"), { method, headers: headers as Record<string, string> })

const answered = async (
  sessions: Sessions,
  who: Principal,
  incoming: IncomingMessage,
  body: unknown,
  outgoing: ServerResponse
): Promise<Answered> => {
  const { headers, method = "" } = incoming
  if (!(methods as ReadonlyArray<string>).includes(method))
    return {
      response: rpcError(405, -32000, `${method} is not served here`, {
        headers: { allow: "GET, POST, DELETE" }
      })
    }
  const id = headers["mcp-session-id"]
  if (typeof id === "string") {
    const session = sessions.find(id, who)
    if (session === undefined) return { response: rpcError(404, -32001, "Session not found") }
    const leave = session.enter()
    try {
      if (method === "POST" && isRecord(body) && session.transport.take(incoming, body, outgoing))
        return { leave }
      return { response: await session.transport.handle(webRequest(incoming), body), leave }
    } catch (cause) {
      leave()
      throw cause
    }
  }
  const stated = clientOf(body)
  const initializes = isRecord(body) && body["method"] === "initialize"
  const stateless = headers[statelessHeader] !== undefined || (stated !== undefined && !initializes)
  if (method === "POST" && stateless) return alone(sessions, who, webRequest(incoming), body)
  if (method === "POST" && initializes) return begin(sessions, who, webRequest(incoming), body)
  return {
    response: rpcError(
      400,
      -32000,
      `Mcp-Session-Id is needed: begin with initialize, or send ${statelessHeader}: 1 for a request without a session`
    )
  }
}

/** Answers a request that got past the guard. `log` takes what only the operator should see. */
export const serve = async (
  incoming: IncomingMessage,
  response: ServerResponse,
  who: Principal,
  sessions: Sessions,
  log: (text: string) => void
): Promise<void> => {
  const { method = "" } = incoming
  try {
    const given = method === "POST" ? await readBody(incoming) : { body: undefined }
    if (given instanceof Response) return await send(given, response, method)
    const { leave, response: answer } = await answered(sessions, who, incoming, given.body, response)
    if (leave !== undefined) {
      if (response.destroyed) leave()
      else response.once("close", leave)
    }
    if (answer !== undefined) await send(answer, response, method)
  } catch (cause) {
    // Nobody is there any more to be told.
    if (response.destroyed) return
    log(`${method} ${path}: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`)
    if (response.headersSent) response.destroy()
    else write(response, failureOf(500, "INTERNAL_ERROR", "the server failed; its log says more"))
  }
}
