/**
 * The answer to one call as a stream of events, without the library: for a small answer its requests, responses and
 * streams of the web take as long as the call. What was sent is kept as the library has it kept, so that a client whose
 * connection broke takes up the stream like any other.
 */
import type { After, SessionEvents } from "./EventLog.ts"
import type { Outlet } from "./Outlet.ts"

const frame = (id: string, text: string): string => `event: message\nid: ${id}\ndata: ${text}\n\n`

export class CallStream {
  /** Names it among the streams of its session. */
  readonly id: string
  readonly #events: SessionEvents
  #outlet: Outlet | undefined

  /** `retryMs` is what a client is asked to wait before it takes up the stream; undefined for one that takes up none. */
  constructor(id: string, events: SessionEvents, outlet: Outlet, retryMs: number | undefined) {
    this.id = id
    this.#events = events
    this.#outlet = outlet
    if (retryMs !== undefined)
      outlet.write(`id: ${events.add(id, undefined, "goes on")}\nretry: ${retryMs}\ndata: \n\n`)
  }

  /** Sends a message of JSON that belongs to the call. */
  send(text: string): void {
    this.#outlet?.write(frame(this.#events.add(this.id, text, "goes on"), text))
  }

  /** Sends the answer. */
  answer(text: string): void {
    this.#outlet?.write(frame(this.#events.add(this.id, text, "ends"), text))
    this.leave()
  }

  /** Ends without an answer, for good. */
  cancel(): void {
    this.#events.finish(this.id)
    this.leave()
  }

  /** Ends the way out, and keeps what comes for whoever takes up the stream. */
  leave(): void {
    this.#outlet?.end()
    this.#outlet = undefined
  }

  /** Goes on elsewhere, after what is missing there. */
  resume({ events }: After & { readonly tag: "kept" }): ReadableStream<Uint8Array> {
    this.leave()
    const encoder = new TextEncoder()
    let outlet: Outlet | undefined
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#outlet = outlet = {
          write: (text) => controller.enqueue(encoder.encode(text)),
          end: () => controller.close()
        }
        for (const { id, text } of events) outlet.write(frame(id, text))
      },
      cancel: () => {
        if (this.#outlet === outlet) this.#outlet = undefined
      }
    })
  }
}
