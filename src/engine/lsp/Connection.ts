/** JSON-RPC 2.0 between this process and one other, both of which may ask. */
import { Effect } from "effect"
import type { Readable, Writable } from "node:stream"
import { encode, FrameReader, FramingError } from "./Framing.ts"
import { RequestRefused, RequestTimeout, type ServerGone } from "./LspFailure.ts"

/** Answer of a handler that does not know the method it was asked. */
export const unknownMethod: unique symbol = Symbol("unknown method")

/** The two streams and who listens. */
export interface ConnectionOptions {
  /** Name of the other side, for failures. */
  readonly server: string
  /** What the other side prints. */
  readonly input: Readable
  /** What it reads. */
  readonly output: Writable
  /** Answers a request of the other side; {@link unknownMethod} is answered with -32601, an exception with -32603. */
  readonly answer: (method: string, params: unknown) => unknown
  /** Takes a notification of the other side. */
  readonly notified: (method: string, params: unknown) => void
  /** Told once, when what the other side prints cannot be understood. The connection reads nothing more. */
  readonly broken: (cause: FramingError) => void
}

/** A conversation. Messages leave in the order in which they were given. */
export interface Connection {
  /**
   * Asks and waits. When the deadline of `millis` passes, or the waiting fiber is interrupted, the other side is sent
   * `$/cancelRequest` and its late answer is dropped.
   */
  readonly request: (
    method: string,
    params: unknown,
    millis: number
  ) => Effect.Effect<unknown, RequestRefused | RequestTimeout | ServerGone>
  /** Says something that is not answered. Waits while the other side is slow to read. Says nothing to one that is gone. */
  readonly notify: (method: string, params: unknown) => Effect.Effect<void>
  /** The same, said when this is called; only the waiting is left to the effect, and may be given up. */
  readonly tell: (method: string, params: unknown) => Effect.Effect<void>
  /** Ends every request that waits, and every later one, with this failure. The first call counts. */
  readonly close: (cause: ServerGone) => void
  /** Requests without an answer yet. */
  readonly waiting: () => number
}

interface Message {
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: unknown
  readonly result?: unknown
  readonly error?: unknown
}

interface Waiting {
  readonly method: string
  readonly resume: (answer: Effect.Effect<unknown, RequestRefused | ServerGone>) => void
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Starts to read and can be written to at once. The streams stay the caller's to end. */
export const connect = (options: ConnectionOptions): Connection => {
  const { server, output } = options
  const frames = new FrameReader()
  const asked = new Map<number, Waiting>()
  let lastId = 0
  let gone: ServerGone | undefined

  const send = (message: object): boolean => {
    if (gone !== undefined || !output.writable) return true
    return output.write(encode({ jsonrpc: "2.0", ...message }))
  }

  const reply = (id: unknown, method: string, params: unknown): void => {
    let result: unknown
    try {
      result = options.answer(method, params)
    } catch (cause) {
      send({ id, error: { code: -32603, message: cause instanceof Error ? cause.message : String(cause) } })
      return
    }
    if (result === unknownMethod) send({ id, error: { code: -32601, message: `unknown method ${method}` } })
    else send({ id, result: result ?? null })
  }

  const settle = (message: Message): void => {
    const id = typeof message.id === "string" ? Number(message.id) : message.id
    const waiting = typeof id === "number" ? asked.get(id) : undefined
    if (waiting === undefined) return
    asked.delete(id as number)
    if (message.error === undefined || message.error === null) {
      waiting.resume(Effect.succeed(message.result))
      return
    }
    const error = message.error as { readonly code?: unknown; readonly message?: unknown }
    waiting.resume(
      Effect.fail(
        new RequestRefused({
          server,
          method: waiting.method,
          code: typeof error.code === "number" ? error.code : -32603,
          detail: typeof error.message === "string" ? error.message : JSON.stringify(message.error)
        })
      )
    )
  }

  const take = (value: unknown): void => {
    if (!isObject(value)) throw new FramingError("a message that is not an object")
    const message: Message = value
    if (typeof message.method !== "string") settle(message)
    else if (message.id === undefined || message.id === null) options.notified(message.method, message.params)
    else reply(message.id, message.method, message.params)
  }

  const read = (chunk: Buffer): void => {
    try {
      frames.push(chunk, take)
    } catch (cause) {
      options.input.off("data", read)
      options.input.resume()
      options.broken(cause instanceof FramingError ? cause : new FramingError(String(cause)))
    }
  }
  options.input.on("data", read)
  // A pipe whose reader died reports it here; the death itself is reported by the process.
  output.on("error", () => undefined)

  const tell: Connection["tell"] = (method, params) => {
    if (send({ method, ...(params === undefined ? {} : { params }) })) return Effect.void
    return Effect.async<void>((resume) => {
      const stop = (): void => {
        output.off("drain", done)
        output.off("close", done)
      }
      const done = (): void => {
        stop()
        resume(Effect.void)
      }
      if (!output.writableNeedDrain) return resume(Effect.void)
      output.on("drain", done)
      output.on("close", done)
      return Effect.sync(stop)
    })
  }

  return {
    request: (method, params, millis) =>
      Effect.async<unknown, RequestRefused | ServerGone>((resume) => {
        if (gone !== undefined) return resume(Effect.fail(gone))
        const id = ++lastId
        asked.set(id, { method, resume })
        send({ id, method, ...(params === undefined ? {} : { params }) })
        return Effect.sync(() => {
          if (asked.delete(id)) send({ method: "$/cancelRequest", params: { id } })
        })
      }).pipe(
        Effect.timeoutFail({
          duration: millis,
          onTimeout: () => new RequestTimeout({ server, method, millis })
        })
      ),
    tell,
    notify: (method, params) => Effect.suspend(() => tell(method, params)),
    close: (cause) => {
      if (gone !== undefined) return
      gone = cause
      const all = [...asked.values()]
      asked.clear()
      for (const { resume } of all) resume(Effect.fail(cause))
    },
    waiting: () => asked.size
  }
}
