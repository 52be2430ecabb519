/**
 * One session's side of Streamable HTTP, over the library's. It adds what the library leaves open: a cancelled request
 * ends its stream, a stream that is over is not kept waiting when somebody asks for the rest of it, and two requests under
 * one id are not mixed up. An ordinary call of a session goes by the library: its answer is sent by a stream of ours.
 */
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"
import type { TransportSendOptions } from "@modelcontextprotocol/sdk/shared/transport.js"
import {
  type JSONRPCMessage,
  type MessageExtraInfo,
  SUPPORTED_PROTOCOL_VERSIONS
} from "@modelcontextprotocol/sdk/types.js"
import type { IncomingMessage, ServerResponse } from "node:http"
import type { CallResult } from "../../../pipeline/CallResult.ts"
import { serialize } from "../../../pipeline/ResultText.ts"
import { plainCall, type ReplyingTransport } from "../../mcp/DirectCalls.ts"
import { CallStream } from "./CallStream.ts"
import type { SessionEvents } from "./EventLog.ts"
import { EventBody } from "./Outlet.ts"
import { rpcError } from "./RpcError.ts"

/** The last revision of the protocol that knows batches, and the first whose streams open with an event. */
const lastWithBatches = "2025-03-26"
const firstWithOpening = "2025-11-25"

/** Milliseconds a client is asked to wait before it takes up a stream that broke. */
const retryMs = 500

const versionHeader = "mcp-protocol-version"

/** What the library sends with a stream of events. */
const streamHeaders = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  connection: "keep-alive",
  "x-accel-buffering": "no"
} as const

type Id = string | number

const idOf = (message: unknown): Id | undefined => {
  const { id, method } = message as { readonly id?: unknown; readonly method?: unknown }
  return typeof method === "string" && (typeof id === "string" || typeof id === "number") ? id : undefined
}

const accepts = (accept: string | null | undefined, ...types: ReadonlyArray<string>): boolean =>
  types.every((type) => accept?.includes(type) === true)

export interface Options {
  /** Gives the id of a session; without it every request stands for itself. */
  readonly session?: (() => string) | undefined
  /** Keeps events for those who come back; only with a session. */
  readonly events?: SessionEvents | undefined
}

export class HttpTransport implements ReplyingTransport<CallResult> {
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void
  onclose?: () => void
  onerror?: (error: Error) => void

  readonly #web: WebStandardStreamableHTTPServerTransport
  readonly #events: SessionEvents | undefined
  /** Requests that wait for an answer. */
  readonly #open = new Set<Id>()
  /** Those of them whose answers are sent without the library. */
  readonly #calls = new Map<Id, CallStream>()
  /** How many such there were. */
  #called = 0
  #version: string | undefined

  constructor({ events, session }: Options) {
    this.#events = events
    this.#web = new WebStandardStreamableHTTPServerTransport({
      retryInterval: retryMs,
      ...(session === undefined ? {} : { sessionIdGenerator: session }),
      ...(events === undefined ? {} : { eventStore: events })
    })
    this.#web.onmessage = (message, extra) => {
      this.onmessage?.(message, extra)
      if ("method" in message && message.method === "notifications/cancelled")
        this.#endCancelled(message.params?.["requestId"])
    }
    this.#web.onclose = () => {
      this.#open.clear()
      for (const call of this.#calls.values()) call.leave()
      this.#calls.clear()
      this.onclose?.()
    }
    this.#web.onerror = (error) => this.onerror?.(error)
  }

  /** Id of the session, once one has begun. */
  get sessionId(): string | undefined {
    return this.#web.sessionId
  }

  /** How many requests wait for an answer. */
  get open(): number {
    return this.#open.size
  }

  start(): Promise<void> {
    return this.#web.start()
  }

  close(): Promise<void> {
    return this.#web.close()
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (!("method" in message) && "id" in message && message.id !== undefined) {
      this.#open.delete(message.id)
      if ("result" in message && typeof message.result["protocolVersion"] === "string")
        this.#version ??= message.result["protocolVersion"]
    }
    const { relatedRequestId } = options ?? {}
    const call = this.#calls.size === 0 ? undefined : this.#callOf(message, relatedRequestId)
    if (call === undefined)
      return this.#web.send(message, relatedRequestId === undefined ? {} : { relatedRequestId })
    if ("method" in message) call.send(JSON.stringify(message))
    else this.#answer(message.id as Id, call, JSON.stringify(message))
    return Promise.resolve()
  }

  async reply(id: Id, result: CallResult): Promise<void> {
    const call = this.#calls.get(id)
    if (call !== undefined)
      return this.#answer(
        id,
        call,
        `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${serialize(result)}}`
      )
    return this.send({ jsonrpc: "2.0", id, result: result as unknown as { [key: string]: unknown } })
  }

  /** The call that a message belongs to, where its answer is sent without the library. */
  #callOf(message: JSONRPCMessage, related: Id | undefined): CallStream | undefined {
    const id = "method" in message ? related : message.id
    return id === undefined ? undefined : this.#calls.get(id)
  }

  #answer(id: Id, call: CallStream, text: string): void {
    this.#open.delete(id)
    this.#calls.delete(id)
    call.answer(text)
  }

  /**
   * Takes an ordinary call of the session: one that has what every call has and nothing else, under an id of its own.
   * Whatever is out of the ordinary about it or its request is left to `handle`; whether it was taken.
   */
  take({ headers }: IncomingMessage, body: object, response: ServerResponse): boolean {
    const { sessionId } = this
    const version = this.#version
    const events = this.#events
    if (events === undefined || version === undefined || sessionId === undefined) return false
    const spoken = headers[versionHeader]
    if (spoken !== undefined && spoken !== version) return false
    if (!accepts(headers.accept, "application/json", "text/event-stream")) return false
    if (!/^application\/json *(;|$)/i.test(headers["content-type"] ?? "")) return false
    const call = plainCall(body)
    if (call === undefined || (body as { readonly jsonrpc?: unknown }).jsonrpc !== "2.0") return false
    const { id } = call
    if (this.#open.has(id)) return false
    const outlet = new EventBody(response, { ...streamHeaders, "mcp-session-id": sessionId })
    const stream = new CallStream(
      `c${++this.#called}`,
      events,
      outlet,
      version >= firstWithOpening ? retryMs : undefined
    )
    this.#open.add(id)
    this.#calls.set(id, stream)
    this.onmessage?.(body as JSONRPCMessage)
    return true
  }

  /** Answers one HTTP request, whose body has been read. */
  async handle(request: Request, body: unknown): Promise<Response> {
    // Whoever does not say a revision speaks the one that was agreed on.
    if (this.#version !== undefined && !request.headers.has(versionHeader))
      request.headers.set(versionHeader, this.#version)
    if (request.method === "GET") return this.#get(request)
    if (request.method !== "POST") return this.#web.handleRequest(request)
    const batch = Array.isArray(body)
    if (batch && (this.#version === undefined || this.#version > lastWithBatches))
      return rpcError(400, -32600, "batches are not supported")
    const asked = (batch ? body : [body]).flatMap((message) => idOf(message) ?? [])
    const twice = asked.find((id, at) => this.#open.has(id) || asked.indexOf(id) !== at)
    if (twice !== undefined)
      return rpcError(
        400,
        -32600,
        `request ${JSON.stringify(twice)} has not been answered yet; use another id`
      )
    for (const id of asked) this.#open.add(id)
    const response = await this.#web.handleRequest(request, { parsedBody: body })
    if (!response.ok) for (const id of asked) this.#open.delete(id)
    return response
  }

  /** A stream for what the server says, or the rest of one that broke. */
  async #get(request: Request): Promise<Response> {
    const last = request.headers.get("last-event-id")
    if (last === null || last === "" || this.#events === undefined) return this.#web.handleRequest(request)
    const before = this.#events.after(last)
    if (before.tag === "unknown") return rpcError(400, -32600, "no event of this session has that id")
    if (before.tag === "lost")
      return rpcError(410, -32600, "some of what came after that event is no longer kept; ask again")
    if (before.finished) return this.#rest(last)
    const call = this.#callOn(this.#events.streamOf(last))
    if (
      call !== undefined &&
      accepts(request.headers.get("accept"), "text/event-stream") &&
      SUPPORTED_PROTOCOL_VERSIONS.includes(request.headers.get(versionHeader) ?? "")
    )
      return new Response(call.resume(before), { headers: this.#streamHeaders() })
    const response = await this.#web.handleRequest(request)
    // What ended while it was taken up again would wait for ever.
    const after = this.#events.after(last)
    if (!response.ok || after.tag !== "kept" || !after.finished) return response
    await response.body?.cancel()
    return this.#rest(last)
  }

  #callOn(stream: string | undefined): CallStream | undefined {
    for (const call of this.#calls.values()) if (call.id === stream) return call
    return undefined
  }

  /** Headers of a stream of events. */
  #streamHeaders(): { readonly [name: string]: string } {
    return {
      ...streamHeaders,
      ...(this.sessionId === undefined ? {} : { "mcp-session-id": this.sessionId })
    }
  }

  /** The rest of a stream that is over; nothing at all tells a client not to come back. */
  #rest(last: string): Response {
    const after = this.#events?.after(last)
    if (after?.tag !== "kept" || after.events.length === 0) return new Response(null, { status: 204 })
    return new Response(
      after.events.map(({ id, text }) => `event: message\nid: ${id}\ndata: ${text}\n\n`).join(""),
      {
        headers: {
          "content-type": "text/event-stream",
          "cache-control": "no-cache, no-transform",
          ...(this.sessionId === undefined ? {} : { "mcp-session-id": this.sessionId })
        }
      }
    )
  }

  /** Ends the stream of a request that gets no answer, because it was cancelled. */
  #endCancelled(id: unknown): void {
    if ((typeof id !== "string" && typeof id !== "number") || !this.#open.delete(id)) return
    const call = this.#calls.get(id)
    if (call !== undefined) {
      this.#calls.delete(id)
      return call.cancel()
    }
    this.#web.closeSSEStream(id)
    const end = { jsonrpc: "2.0", id, error: { code: -32800, message: "cancelled" } } as const
    // With its stream closed this goes nowhere; the library forgets the request over it.
    this.#web.send(this.#events?.asEnd(end) ?? end).catch(() => {})
  }
}
