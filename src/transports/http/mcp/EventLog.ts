/**
 * What was sent on streams, kept for a while so that a client whose connection broke can ask for the rest. Bounded by
 * session, in all and by age: the oldest give way, and a stream that has lost a part says so rather than leave it out.
 */
import type { EventStore } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js"

export interface EventLimits {
  /** Events and characters of JSON kept for one session, and characters kept in all. */
  readonly eventsOfSession: number
  readonly charactersOfSession: number
  readonly characters: number
  /** Milliseconds an event is kept. */
  readonly ageMs: number
}

export const standardEvents: EventLimits = {
  eventsOfSession: 256,
  charactersOfSession: 4 * 1024 * 1024,
  characters: 16 * 1024 * 1024,
  ageMs: 10 * 60_000
}

interface Event {
  readonly id: string
  readonly stream: Stream
  readonly events: SessionEvents
  /** JSON; undefined for one that only opens a stream. */
  readonly text: string | undefined
  readonly at: number
}

interface Stream {
  readonly id: string
  /** Number of the next event. */
  next: number
  /** Events that are still there, in order, and how many before them are not. */
  readonly kept: Array<Event>
  lost: number
  /** Whether nothing more will come. */
  finished: boolean
}

/** What is known of what came after an event. */
export type After =
  | { readonly tag: "unknown" }
  /** Some of it is no longer kept. */
  | { readonly tag: "lost" }
  | {
      readonly tag: "kept"
      readonly finished: boolean
      readonly events: ReadonlyArray<{ readonly id: string; readonly text: string }>
    }

const isAnswer = (message: JSONRPCMessage): boolean => "result" in message || "error" in message

/** The events of one session. */
export class SessionEvents implements EventStore {
  readonly #log: EventLog
  readonly #streams = new Map<string, Stream>()
  /** The events kept, the oldest first. */
  readonly #kept = new Set<Event>()
  readonly #ends = new WeakSet<object>()
  #characters = 0

  constructor(log: EventLog) {
    this.#log = log
  }

  get size(): number {
    return this.#kept.size
  }

  get characters(): number {
    return this.#characters
  }

  /** Marks a message as one that ends its stream and is not shown to anybody. */
  asEnd<M extends object>(message: M): M {
    this.#ends.add(message)
    return message
  }

  async storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    if (this.#ends.has(message)) return this.finish(streamId)
    return this.add(
      streamId,
      "jsonrpc" in message ? JSON.stringify(message) : undefined,
      isAnswer(message) ? "ends" : "goes on"
    )
  }

  /** Keeps an event of a stream, a message of JSON or none where it only opens the stream; answers its id. */
  add(streamId: string, text: string | undefined, then: "ends" | "goes on"): string {
    let stream = this.#streams.get(streamId)
    if (stream === undefined) {
      stream = { id: streamId, next: 0, kept: [], lost: 0, finished: false }
      this.#streams.set(streamId, stream)
    }
    const id = `${stream.next++}.${streamId}`
    const event: Event = { id, stream, events: this, text, at: this.#log.now() }
    stream.kept.push(event)
    if (then === "ends") stream.finished = true
    this.#kept.add(event)
    this.#characters += text?.length ?? 0
    this.#log.add(event)
    const { charactersOfSession, eventsOfSession } = this.#log.limits
    while (this.#kept.size > eventsOfSession || this.#characters > charactersOfSession)
      this.#log.drop(this.#kept.values().next().value as Event)
    return id
  }

  /** Says that nothing more will come on a stream; answers the id of that, which is shown to nobody. */
  finish(streamId: string): string {
    const stream = this.#streams.get(streamId)
    if (stream === undefined) return `0.${streamId}`
    stream.finished = true
    if (stream.kept.length === 0) this.#streams.delete(streamId)
    return `${stream.next++}.${streamId}`
  }

  async replayEventsAfter(
    lastEventId: string,
    { send }: { readonly send: (eventId: string, message: JSONRPCMessage) => Promise<void> }
  ): Promise<string> {
    const [at, stream] = this.#place(lastEventId) ?? []
    if (at === undefined || stream === undefined) throw new Error("that event is not known")
    // Events that come meanwhile are sent as well.
    for (let n = at + 1; n < stream.next; n++) {
      const event = stream.kept[n - stream.lost]
      if (event?.text !== undefined) await send(event.id, JSON.parse(event.text) as JSONRPCMessage)
    }
    return stream.id
  }

  /** The stream that an event came on; undefined when it is not known. */
  streamOf(eventId: string): string | undefined {
    return this.#place(eventId)?.[1].id
  }

  /** What came on its stream after an event. */
  after(eventId: string): After {
    const place = this.#place(eventId)
    if (place === undefined) return { tag: "unknown" }
    const [at, stream] = place
    if (at + 1 < stream.lost) return { tag: "lost" }
    return {
      tag: "kept",
      finished: stream.finished,
      events: stream.kept
        .slice(at + 1 - stream.lost)
        .flatMap(({ id, text }) => (text === undefined ? [] : [{ id, text }]))
    }
  }

  /** Forgets everything. */
  clear(): void {
    for (const event of this.#kept) this.#log.drop(event)
    this.#streams.clear()
  }

  /** Called by the log only. */
  forget(event: Event): void {
    const { stream } = event
    if (!this.#kept.delete(event)) return
    this.#characters -= event.text?.length ?? 0
    stream.kept.shift()
    stream.lost++
    if (stream.finished && stream.kept.length === 0) this.#streams.delete(stream.id)
  }

  #place(eventId: string): readonly [at: number, stream: Stream] | undefined {
    const [, number, streamId] = /^(\d{1,15})\.(.+)$/.exec(eventId) ?? []
    const stream = streamId === undefined ? undefined : this.#streams.get(streamId)
    const at = Number(number)
    return stream === undefined || at >= stream.next ? undefined : [at, stream]
  }
}

/** The events of all sessions of a server. */
export class EventLog {
  readonly limits: EventLimits
  readonly now: () => number
  readonly #kept = new Set<Event>()
  #characters = 0

  constructor(limits: EventLimits = standardEvents, now: () => number = Date.now) {
    this.limits = limits
    this.now = now
  }

  get size(): number {
    return this.#kept.size
  }

  get characters(): number {
    return this.#characters
  }

  session(): SessionEvents {
    return new SessionEvents(this)
  }

  /** Drops what is too old. */
  expire(): void {
    const oldest = this.now() - this.limits.ageMs
    for (const event of this.#kept) {
      if (event.at > oldest) return
      this.drop(event)
    }
  }

  /** Called by sessions only. */
  add(event: Event): void {
    this.#kept.add(event)
    this.#characters += event.text?.length ?? 0
    while (this.#characters > this.limits.characters) this.drop(this.#kept.values().next().value as Event)
  }

  /** Drops an event, which is the oldest of its session. */
  drop(event: Event): void {
    if (this.#kept.delete(event)) this.#characters -= event.text?.length ?? 0
    event.events.forget(event)
  }
}
