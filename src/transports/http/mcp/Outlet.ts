/** The way of a stream of events out: in one piece when all of them are there soon, else as they come. */
import type { ServerResponse } from "node:http"

/** A comment, which readers of events skip. */
const opening = ":\n\n"

/** Milliseconds an answer may take to be sent in one piece, which costs a fraction of many. */
const wholeMs = 20

/** Where events go. */
export interface Outlet {
  readonly write: (events: string) => void
  readonly end: () => void
}

/** Settles when what was written has room for more, or when nobody reads any longer. */
const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resume) => {
    const go = () => {
      response.off("drain", go)
      response.off("close", go)
      resume()
    }
    response.once("drain", go)
    response.once("close", go)
  })

/** Events as the body of a response. What comes after its client hung up is dropped. */
export class EventBody implements Outlet {
  readonly #response: ServerResponse
  readonly #headers: { readonly [name: string]: string }
  /** What has come so far; undefined once the head was sent. */
  #text: string | undefined = ""
  #timer: NodeJS.Timeout | undefined

  /** `listens` is set where none need come: a head goes out with the first of the body, and a stream may be silent for long. */
  constructor(
    response: ServerResponse,
    headers: { readonly [name: string]: string },
    { listens = false }: { readonly listens?: boolean } = {}
  ) {
    this.#response = response
    this.#headers = headers
    if (listens) this.#begin()
    else this.#timer = setTimeout(() => this.#begin(), wholeMs)
  }

  write(events: string): void {
    if (this.#text !== undefined) this.#text += events
    else if (!this.#response.destroyed) this.#response.write(events)
  }

  /** Settles when there is room for more. */
  async room(): Promise<void> {
    if (this.#response.writableNeedDrain && !this.#response.destroyed) await drained(this.#response)
  }

  end(): void {
    clearTimeout(this.#timer)
    if (this.#response.destroyed) return
    const body = this.#text
    if (body === undefined) return void this.#response.end()
    this.#response.writeHead(200, { ...this.#headers, "content-length": String(Buffer.byteLength(body)) })
    this.#response.end(body)
  }

  /** Sends the head, and what has come so far. */
  #begin(): void {
    if (this.#text === undefined || this.#response.destroyed) return
    this.#response.writeHead(200, this.#headers)
    this.#response.write(this.#text === "" ? opening : this.#text)
    this.#text = undefined
  }
}
