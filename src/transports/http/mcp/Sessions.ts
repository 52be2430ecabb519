/**
 * The sessions that clients hold open. Each belongs to the caller who began it, ends when it is told to or when nobody has
 * used it for long, and there are only so many: a new one takes the place of one that lies idle, or is refused.
 */
import { randomUUID } from "node:crypto"
import { standardHttp } from "../../../policy/HttpLimits.ts"
import type { Principal } from "../../../policy/Principal.ts"
import { instructions } from "../../../surface/instructions.ts"
import { select, type Wishes } from "../../../surface/Selection.ts"
import { roster } from "../../../surface/Tools.ts"
import { connect } from "../../mcp/Connection.ts"
import { notifier } from "../../mcp/notifier.ts"
import type { Opening } from "../Opening.ts"
import { EventLog, type EventLimits, standardEvents } from "./EventLog.ts"
import { HttpTransport } from "./HttpTransport.ts"

export interface SessionLimits {
  /** Sessions at a time, and requests without a session at a time. */
  readonly sessions: number
  readonly single: number
  /** Milliseconds after which a session nobody uses ends. */
  readonly idleMs: number
  /** Milliseconds after which it ends when another one needs its place. */
  readonly spareMs: number
  /** Milliseconds between two looks at which sessions lie idle. */
  readonly sweepMs: number
  readonly events: EventLimits
}

export const standardSessions: SessionLimits = {
  sessions: standardHttp.sessions,
  single: 128,
  idleMs: 30 * 60_000,
  spareMs: 60_000,
  sweepMs: 15_000,
  events: standardEvents
}

export interface Session {
  readonly transport: HttpTransport
  /** Id of the caller the session belongs to. */
  readonly owner: string
  /** Counts an HTTP request that is being answered, from now until the function it gives is called. */
  readonly enter: () => () => void
  readonly end: () => Promise<void>
}

/** Why there is no session: seconds after which asking again may help. */
export interface Busy {
  readonly retryAfter: number
}

interface Held extends Session {
  touched: number
  inside: number
}

export interface Options {
  readonly engine: Opening
  readonly version: string
  readonly log: (text: string) => void
  /**
   * What was wished of the surface when the server was started, and what the settings pinned then; once there is an
   * engine, what they pin is looked up for each session.
   */
  readonly wishes?: Omit<Wishes, "client"> | undefined
  readonly limits?: SessionLimits | undefined
  /** Sessions at a time as the settings have it, where they say. */
  readonly most?: (() => number) | undefined
  /** Told that a client has what it needs to start. */
  readonly onQuiet?: (() => void) | undefined
  readonly now?: (() => number) | undefined
}

export class Sessions {
  readonly #options: Options
  readonly #limits: SessionLimits
  readonly #now: () => number
  readonly #events: EventLog
  /** Those used longest ago first. */
  readonly #held = new Map<string, Held>()
  /** Places given away to sessions whose handshake is not over. */
  #opening = 0
  #single = 0
  readonly #sweeper: NodeJS.Timeout
  #closed = false

  constructor(options: Options) {
    this.#options = options
    this.#limits = options.limits ?? standardSessions
    this.#now = options.now ?? Date.now
    this.#events = new EventLog(this.#limits.events, this.#now)
    this.#sweeper = setInterval(() => this.sweep(), this.#limits.sweepMs).unref()
  }

  /** How many there are. */
  get size(): number {
    return this.#held.size
  }

  /** Events kept for those who come back, in all. */
  get events(): number {
    return this.#events.size
  }

  /** A caller's session; undefined for one that is not there or is somebody else's. */
  find(id: string, principal: Principal): Session | undefined {
    const held = this.#held.get(id)
    return held === undefined || held.owner !== principal.id ? undefined : held
  }

  /** Begins a session, which is there once its handshake is through `handshake`. */
  async open(
    principal: Principal,
    handshake: (transport: HttpTransport) => Promise<Response>
  ): Promise<Response | Busy> {
    const place = this.#place()
    if (place !== undefined) return place
    this.#opening++
    const session = randomUUID()
    const events = this.#events.session()
    const id = randomUUID()
    const transport = new HttpTransport({ session: () => id, events })
    const { engine } = this.#options
    let over = false
    engine.whenOpen((opened) => {
      if (!over) opened.openSession(session, { principal, notify: notifier(transport) })
    })
    try {
      const connection = await this.#connect(transport, { session, principal })
      const held: Held = {
        transport,
        owner: principal.id,
        touched: this.#now(),
        inside: 0,
        enter: () => {
          held.inside++
          this.#touch(id, held)
          let left = false
          return () => {
            if (left) return
            left = true
            held.inside--
            this.#touch(id, held)
          }
        },
        end: () => connection.close()
      }
      const { onclose } = transport
      transport.onclose = () => {
        onclose?.()
        this.#held.delete(id)
        events.clear()
        over = true
        engine.opened?.closeSession(session)
      }
      const response = await handshake(transport)
      if (transport.sessionId === undefined || this.#closed) await connection.close()
      else this.#held.set(id, held)
      return response
    } catch (cause) {
      await transport.close()
      throw cause
    } finally {
      this.#opening--
    }
  }

  /** Answers one request that belongs to no session. It cannot be cancelled but by hanging up. */
  async single(
    principal: Principal,
    { client, revision }: { readonly client: string; readonly revision?: string | undefined },
    handle: (transport: HttpTransport) => Promise<Response>
  ): Promise<{ readonly response: Response; readonly end: () => void } | Busy> {
    if (this.#single >= this.#limits.single) return { retryAfter: 1 }
    this.#single++
    const transport = new HttpTransport({})
    let ended = false
    const end = () => {
      if (ended) return
      ended = true
      this.#single--
      void transport.close()
    }
    try {
      await this.#connect(transport, { principal, client, revision })
      return { response: await handle(transport), end }
    } catch (cause) {
      end()
      throw cause
    }
  }

  /** Ends the sessions nobody has used for long, and drops old events. */
  sweep(): void {
    this.#events.expire()
    const oldest = this.#now() - this.#limits.idleMs
    for (const held of this.#held.values()) {
      if (held.touched > oldest) return
      if (this.#idle(held)) this.#end(held)
    }
  }

  /** Ends all. */
  async close(): Promise<void> {
    this.#closed = true
    clearInterval(this.#sweeper)
    await Promise.all([...this.#held.values()].map((held) => held.end()))
  }

  #connect(
    transport: HttpTransport,
    who: {
      readonly principal: Principal
      readonly session?: string
      readonly client?: string
      readonly revision?: string | undefined
    }
  ): ReturnType<typeof connect> {
    const { engine, log, onQuiet = () => {}, version, wishes } = this.#options
    return connect(
      transport,
      {
        ...who,
        door: "mcp_http",
        version,
        instructions,
        tools: roster,
        select: (client) =>
          select({
            ...wishes,
            operator: engine.opened === undefined ? wishes?.operator : engine.opened.policy().tools,
            client
          }),
        engine: () => engine.load(),
        complain: log,
        // A request that stands for itself is no session.
        onListed:
          who.session === undefined
            ? undefined
            : (shown) => engine.whenOpen(({ greeted }) => greeted({ ...shown, door: "mcp_http" })),
        onQuiet
      },
      (result) => result
    )
  }

  /** Makes room for one more; answers why there is none. */
  #place(): Busy | undefined {
    if (this.#closed) return { retryAfter: 5 }
    const { most = () => this.#limits.sessions } = this.#options
    if (this.#held.size + this.#opening < most()) return undefined
    const now = this.#now()
    for (const held of this.#held.values()) {
      if (!this.#idle(held)) continue
      const spare = held.touched + this.#limits.spareMs - now
      if (spare > 0) return { retryAfter: Math.ceil(spare / 1000) }
      this.#end(held)
      return undefined
    }
    return { retryAfter: Math.ceil(this.#limits.spareMs / 1000) }
  }

  #idle(held: Held): boolean {
    return held.inside === 0 && held.transport.open === 0
  }

  #touch(id: string, held: Held): void {
    held.touched = this.#now()
    // The last in order is the one used last.
    if (this.#held.delete(id)) this.#held.set(id, held)
  }

  #end(held: Held): void {
    held.end().catch((cause) => this.#options.log(`a session could not be ended: ${String(cause)}`))
  }
}
