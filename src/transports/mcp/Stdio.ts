/**
 * The protocol over two streams, one JSON message a line. What is no message is answered as such and does not end the
 * connection.
 */
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js"
import type { Readable, Writable } from "node:stream"
import type { LineTransport } from "./DirectCalls.ts"

/** Bytes a line may have. */
export const mostLineBytes = 64 * 1024 * 1024

const newline = 0x0a

/** Splits chunks into lines without copying a line more than once. A line over the limit is reported once and left out. */
export class Lines {
  #parts: Array<Buffer> = []
  #bytes = 0
  #dropping = false
  readonly #limit: number
  constructor(limit: number) {
    this.#limit = limit
  }

  /** Calls `line` for each line that ends in the chunk, and `tooLong` when one grows over the limit. */
  push(chunk: Buffer, line: (text: string) => void, tooLong: () => void): void {
    let from = 0
    for (;;) {
      const end = chunk.indexOf(newline, from)
      const part = chunk.subarray(from, end < 0 ? chunk.length : end)
      if (!this.#dropping && part.length > 0) {
        this.#parts.push(part)
        this.#bytes += part.length
        if (this.#bytes > this.#limit) {
          this.#parts = []
          this.#bytes = 0
          this.#dropping = true
          tooLong()
        }
      }
      if (end < 0) return
      if (this.#dropping) this.#dropping = false
      else {
        const text = (
          this.#parts.length === 1 ? (this.#parts[0] as Buffer) : Buffer.concat(this.#parts)
        ).toString("utf8")
        this.#parts = []
        this.#bytes = 0
        line(text)
      }
      from = end + 1
    }
  }
}

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isId = (value: unknown): value is string | number =>
  typeof value === "string" || Number.isSafeInteger(value)

export class StdioTransport implements LineTransport {
  onmessage?: NonNullable<LineTransport["onmessage"]>
  onclose?: () => void
  onerror?: (error: Error) => void
  /** Called when the input has ended. Requests may still be in work then; see {@link idle}. */
  onend?: () => void

  readonly #input: Readable
  readonly #write: (text: string, done: (error?: Error | null) => void) => void
  readonly #lines = new Lines(mostLineBytes)
  /** Requests that were read and not yet answered. */
  readonly #open = new Set<string | number>()
  readonly #waiting = new Set<() => void>()
  #ended = false

  constructor(input: Readable, write: Writable["write"]) {
    this.#input = input
    this.#write = (text, done) => write(text, done)
  }

  async start(): Promise<void> {
    const end = () => {
      if (this.#ended) return
      this.#ended = true
      this.onend?.()
    }
    this.#input.on("data", (chunk: Buffer) =>
      this.#lines.push(
        chunk,
        (text) => this.#read(text),
        () => this.#complain(null, -32600, `a message may have at most ${mostLineBytes} bytes`)
      )
    )
    this.#input.on("end", end)
    this.#input.on("close", end)
    this.#input.on("error", (error) => {
      this.onerror?.(error)
      end()
    })
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((sent, failed) => {
      this.#write(`${JSON.stringify(message)}\n`, (error) => {
        if ("id" in message && !("method" in message) && message.id !== undefined) this.#settle(message.id)
        if (error) failed(error)
        else sent()
      })
    })
  }

  /** Sends the answer to a request, whose result is JSON text. */
  reply(id: string | number, result: string): Promise<void> {
    return new Promise((sent, failed) => {
      this.#write(`{"result":${result},"jsonrpc":"2.0","id":${JSON.stringify(id)}}\n`, (error) => {
        this.#settle(id)
        if (error) failed(error)
        else sent()
      })
    })
  }

  async close(): Promise<void> {
    this.#input.pause()
    this.#open.clear()
    this.onclose?.()
  }

  /** Settles when every request read so far is answered. */
  idle(): Promise<void> {
    return this.#open.size === 0 ? Promise.resolve() : new Promise((idle) => this.#waiting.add(idle))
  }

  #settle(id: string | number): void {
    this.#open.delete(id)
    if (this.#open.size > 0) return
    for (const idle of this.#waiting) idle()
    this.#waiting.clear()
  }

  #complain(id: string | number | null, code: number, message: string): void {
    this.#write(`${JSON.stringify({ jsonrpc: "2.0", id, error: { code, message } })}\n`, () => {})
  }

  #read(text: string): void {
    if (text.trim() === "") return
    let message: unknown
    try {
      message = JSON.parse(text)
    } catch (cause) {
      return this.#complain(
        null,
        -32700,
        `this line is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`
      )
    }
    if (!isRecord(message)) {
      return this.#complain(
        null,
        -32600,
        Array.isArray(message) ? "batches are not supported" : "a message is a JSON object"
      )
    }
    const { id, jsonrpc, method } = message
    if (
      jsonrpc !== "2.0" ||
      (id !== undefined && !isId(id)) ||
      (id === undefined && typeof method !== "string")
    ) {
      return this.#complain(isId(id) ? id : null, -32600, "this is not a JSON-RPC 2.0 message")
    }
    if (typeof method === "string") {
      if (message["params"] !== undefined && !isRecord(message["params"])) {
        return this.#complain(isId(id) ? id : null, -32602, "params must be an object")
      }
      if (id !== undefined) this.#open.add(id)
      // A cancelled request gets no answer.
      if (
        method === "notifications/cancelled" &&
        isRecord(message["params"]) &&
        isId(message["params"]["requestId"])
      ) {
        this.#settle(message["params"]["requestId"])
      }
    } else if (!("result" in message) && !("error" in message)) {
      return this.#complain(isId(id) ? id : null, -32600, "a message names a method or carries a result")
    }
    this.onmessage?.(message as JSONRPCMessage)
  }
}
