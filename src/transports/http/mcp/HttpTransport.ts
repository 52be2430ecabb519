/**
 * One session's side of Streamable HTTP, over the library's. It adds what the library leaves open: a cancelled request
 * ends its stream, a stream that is over is not kept waiting when somebody asks for the rest of it, and two requests under
 * one id are not mixed up.
 */
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"
import type { TransportSendOptions } from "@modelcontextprotocol/sdk/shared/transport.js"
import type { JSONRPCMessage, MessageExtraInfo } from "@modelcontextprotocol/sdk/types.js"
import type { CallResult } from "../../../pipeline/CallResult.ts"
import type { ReplyingTransport } from "../../mcp/DirectCalls.ts"
import type { SessionEvents } from "./EventLog.ts"
import { rpcError } from "./RpcError.ts"

/** The last revision of the protocol that knows batches. */
const lastWithBatches = "2025-03-26"

/** Milliseconds a client is asked to wait before it takes up a stream that broke. */
const retryMs = 500

const versionHeader = "mcp-protocol-version"

type Id = string | number

const idOf = (message: unknown): Id | undefined => {
  const { id, method } = message as { readonly id?: unknown; readonly method?: unknown }
  return typeof method === "string" && (typeof id === "string" || typeof id === "number") ? id : undefined
}

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
    return this.#web.send(message, relatedRequestId === undefined ? {} : { relatedRequestId })
  }

  reply(id: Id, result: CallResult): Promise<void> {
    return this.send({ jsonrpc: "2.0", id, result: result as unknown as { [key: string]: unknown } })
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
    const response = await this.#web.handleRequest(request)
    // What ended while it was taken up again would wait for ever.
    const after = this.#events.after(last)
    if (!response.ok || after.tag !== "kept" || !after.finished) return response
    await response.body?.cancel()
    return this.#rest(last)
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
    this.#web.closeSSEStream(id)
    const end = { jsonrpc: "2.0", id, error: { code: -32800, message: "cancelled" } } as const
    // With its stream closed this goes nowhere; the library forgets the request over it.
    this.#web.send(this.#events?.asEnd(end) ?? end).catch(() => {})
  }
}
