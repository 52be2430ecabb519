/**
 * The short way of a call. The library reads every message of a call with several schemas, and every answer with one more;
 * for a small answer that takes longer than making it. A request to call a tool that has nothing but what such a request
 * always has is answered here instead, and whatever else comes, however slightly out of the ordinary, is left to the library.
 */
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import { ErrorCode, type JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js"
import type { Signal } from "../../pipeline/Running.ts"
import { isKey, keyName } from "./IdempotencyKey.ts"

/** A transport that can send the result of a call in a form of its own. */
export interface ReplyingTransport<A> extends Transport {
  readonly reply: (id: string | number, result: A) => Promise<void>
}

/** A transport that can send an answer whose result is JSON text already. */
export type LineTransport = ReplyingTransport<string>

/** What a call asks for. */
export interface Ask {
  readonly name: string
  readonly arguments?: { readonly [key: string]: unknown } | undefined
  readonly _meta?:
    | { readonly progressToken?: string | number | undefined; readonly [keyName]?: unknown }
    | undefined
}

/** A notification about progress. */
export interface Notification {
  readonly method: "notifications/progress"
  readonly params: {
    readonly progressToken: string | number
    readonly progress: number
    readonly total?: number
    readonly message?: string
  }
}
export type Notify = (notification: Notification) => void

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const hasOnly = (value: object, names: ReadonlySet<string>): boolean => {
  for (const key in value) if (!names.has(key)) return false
  return true
}

const ofMessage: ReadonlySet<string> = new Set(["jsonrpc", "id", "method", "params"])
const ofParams: ReadonlySet<string> = new Set(["name", "arguments", "_meta"])
const ofMeta: ReadonlySet<string> = new Set(["progressToken", keyName])

/** What a message asks for, when it is a call without anything unusual about it. */
export const plainCall = (
  message: object
): { readonly id: string | number; readonly ask: Ask } | undefined => {
  const { id, method, params } = message as { readonly [key: string]: unknown }
  if (method !== "tools/call" || !isRecord(params)) return undefined
  if (typeof id !== "string" && !Number.isSafeInteger(id)) return undefined
  if (!hasOnly(message, ofMessage) || !hasOnly(params, ofParams)) return undefined
  const { arguments: args, name, _meta: meta } = params
  if (typeof name !== "string") return undefined
  if (args !== undefined && (!isRecord(args) || Object.hasOwn(args, "__proto__"))) return undefined
  if (meta !== undefined) {
    if (!isRecord(meta) || !hasOnly(meta, ofMeta)) return undefined
    const token = meta["progressToken"]
    if (token !== undefined && typeof token !== "string" && !Number.isSafeInteger(token)) return undefined
    if (Object.hasOwn(meta, keyName) && !isKey(meta[keyName])) return undefined
  }
  return { id: id as string | number, ask: params as unknown as Ask }
}

/** Makes a call and answers its result in the form the transport sends. */
export type Answer<A = string> = (ask: Ask, signal: Signal, notify: Notify) => Promise<A>

/** Whether a call is cancelled. There is one for every call, and the platform's own takes longer to make than a small answer's text. */
class Cancelling implements Signal {
  aborted = false
  readonly #listeners = new Set<() => void>()

  abort(): void {
    if (this.aborted) return
    this.aborted = true
    for (const listener of this.#listeners) listener()
    this.#listeners.clear()
  }
  /** Each listener is told once. */
  addEventListener(_: "abort", listener: () => void): void {
    this.#listeners.add(listener)
  }
  removeEventListener(_: "abort", listener: () => void): void {
    this.#listeners.delete(listener)
  }
}

/** The calls of one connection that are answered without the library. */
export class DirectCalls<A> {
  readonly #transport: ReplyingTransport<A>
  readonly #answer: Answer<A>
  readonly #running = new Map<string | number, Cancelling>()

  constructor(transport: ReplyingTransport<A>, answer: Answer<A>) {
    this.#transport = transport
    this.#answer = answer
  }

  /** Takes what it can answer before the one who listened so far sees it, from when `ready` says so. */
  attach(ready: () => boolean): void {
    const transport = this.#transport
    const { onclose, onmessage: deliver } = transport
    transport.onmessage = (message, extra) => {
      const call = ready() ? plainCall(message) : undefined
      if (call !== undefined) return void this.#call(call.id, call.ask)
      this.#cancel(message)
      deliver?.(message, extra)
    }
    transport.onclose = () => {
      for (const call of this.#running.values()) call.abort()
      this.#running.clear()
      onclose?.()
    }
  }

  #cancel(message: JSONRPCMessage): void {
    if (!("method" in message) || message.method !== "notifications/cancelled") return
    const { requestId } = message.params ?? {}
    if (typeof requestId === "string" || typeof requestId === "number") this.#running.get(requestId)?.abort()
  }

  /** Answers one call. One that was cancelled gets no answer. */
  async #call(id: string | number, ask: Ask): Promise<void> {
    const signal = new Cancelling()
    this.#running.set(id, signal)
    try {
      const result = await this.#answer(ask, signal, (notification) => {
        if (!signal.aborted) this.#send({ ...notification, jsonrpc: "2.0" } as unknown as JSONRPCMessage, id)
      })
      if (!signal.aborted) this.#transport.reply(id, result).catch((cause) => this.#failed(cause))
    } catch (cause) {
      if (!signal.aborted) this.#send({ jsonrpc: "2.0", id, error: errorOf(cause) }, id)
    } finally {
      // A client that gives an id twice has another call under it by now.
      if (this.#running.get(id) === signal) this.#running.delete(id)
    }
  }

  /** Sends what belongs to the request with this id. */
  #send(message: JSONRPCMessage, id: string | number): void {
    this.#transport.send(message, { relatedRequestId: id }).catch((cause) => this.#failed(cause))
  }
  #failed(cause: unknown): void {
    this.#transport.onerror?.(new Error(`an answer could not be sent: ${String(cause)}`))
  }
}

/** What was thrown, as an error of the protocol. */
const errorOf = (cause: unknown): { code: number; message: string; data?: unknown } => {
  const { code, data, message } = (isRecord(cause) ? cause : {}) as {
    readonly code?: unknown
    readonly data?: unknown
    readonly message?: unknown
  }
  return {
    code: Number.isSafeInteger(code) ? (code as number) : ErrorCode.InternalError,
    message: typeof message === "string" ? message : "Internal error",
    ...(data === undefined ? {} : { data })
  }
}
