/**
 * State that lives as long as a connection: values that session operations set, and the last larger answers. In memory;
 * nothing of it is stored.
 */
import { Context, Effect, Layer } from "effect"
import { ServiceFailure } from "../../services/ServiceFailure.ts"
import { SessionStore } from "../../services/SessionStore.ts"
import { type BufferedResponse, type LoggedCall, SessionView } from "../../services/SessionView.ts"

/** Answers below this size are not kept: they are read as fast as they are found again. */
export const leastBytes = 1024
/** Most answers kept for one session, and most bytes of them together. */
export const mostEntries = 8
export const mostBytes = 8 * 1024 * 1024
/** Most bytes of the answers kept for all sessions of a process. */
export const mostBytesOfAll = 64 * 1024 * 1024
/** Calls remembered of one session. */
export const mostCalls = 1000

/** A kept answer. Hardly any is looked at again, so its text is made when one is. */
class Held implements BufferedResponse {
  readonly id: string
  readonly tool: string
  readonly captured_at: string
  readonly state: State
  /** Bytes that it takes. */
  readonly held: number
  readonly #make: () => string
  #text: string | undefined

  constructor(state: State, { at, text, tool, unfold }: Parameters<Sessions["keep"]>[1], held: number) {
    this.id = `resp_${state.next++}`
    this.state = state
    this.tool = tool
    this.captured_at = at.toISOString()
    this.held = held
    this.#make = () => unfold?.(text) ?? text
  }
  get text(): string {
    return (this.#text ??= this.#make())
  }
  get bytes(): number {
    return Buffer.byteLength(this.text)
  }
}

interface State {
  readonly values: Map<string, unknown>
  readonly responses: Array<Held>
  readonly calls: Array<LoggedCall>
  bytes: number
  next: number
}

/** The sessions of one process. */
export class Sessions {
  readonly #states = new Map<string, State>()
  /** Kept answers of all sessions, the oldest first, and their bytes. */
  readonly #held = new Set<Held>()
  #bytes = 0
  readonly #changed: (session: string, name: string) => void

  /** `changed` is told of values that operations set or take away. */
  constructor(changed: (session: string, name: string) => void = () => {}) {
    this.#changed = changed
  }

  /** Begins a session with these values; one that is there already is left as it is. */
  open(session: string, values: Iterable<readonly [name: string, value: unknown]> = []): void {
    if (!this.#states.has(session)) {
      this.#states.set(session, { values: new Map(values), responses: [], calls: [], bytes: 0, next: 1 })
    }
  }

  /** Forgets a session and all it holds. */
  close(session: string): void {
    for (const held of this.#states.get(session)?.responses ?? []) this.#forget(held)
    this.#states.delete(session)
  }

  /** The value under a name; undefined without one or without the session. */
  value(session: string, name: string): unknown {
    return this.#states.get(session)?.values.get(name)
  }

  /** Puts a value under a name; a session that is gone stays gone. */
  put(session: string, name: string, value: unknown): void {
    this.#states.get(session)?.values.set(name, value)
  }

  /** Says that an operation changed a value. */
  changed(session: string, name: string): void {
    this.#changed(session, name)
  }

  /** Values that sessions other than this one have under a name. */
  others(session: string, name: string): ReadonlyArray<unknown> {
    return [...this.#states].flatMap(([other, { values }]) =>
      other === session || !values.has(name) ? [] : [values.get(name)]
    )
  }

  /**
   * Keeps an answer, whose text `unfold` brings into its final form when it is read, and returns its id; undefined when it is smaller than {@link leastBytes}, larger than
   * {@link mostBytes}, or of no session. The oldest answers give way.
   */
  keep(
    session: string,
    answer: {
      readonly tool: string
      readonly text: string
      readonly at: Date
      readonly unfold?: ((text: string) => string) | undefined
    }
  ): string | undefined {
    const state = this.#states.get(session)
    const bytes = Buffer.byteLength(answer.text)
    if (state === undefined || bytes < leastBytes || bytes > mostBytes) return undefined
    const held = new Held(state, answer, bytes)
    state.responses.push(held)
    state.bytes += bytes
    this.#held.add(held)
    this.#bytes += bytes
    while (state.responses.length > mostEntries || state.bytes > mostBytes) this.#shift(state)
    for (const { state: oldest } of this.#held) {
      if (this.#bytes <= mostBytesOfAll) break
      this.#shift(oldest)
    }
    return held.id
  }

  /** Drops the oldest answer of a session. */
  #shift(state: State): void {
    const held = state.responses.shift() as Held
    state.bytes -= held.held
    this.#forget(held)
  }

  #forget(held: Held): void {
    if (this.#held.delete(held)) this.#bytes -= held.held
  }

  /** Remembers a call that is over; one of no session is forgotten at once. */
  log(session: string, call: LoggedCall): void {
    const calls = this.#states.get(session)?.calls
    if (calls === undefined) return
    calls.push(call)
    if (calls.length > mostCalls) calls.shift()
  }

  /** The state of a session, or the failure that names its absence. */
  state(session: string): Effect.Effect<State, ServiceFailure> {
    const found = this.#states.get(session)
    return found === undefined
      ? Effect.fail(
          new ServiceFailure({
            service: "session",
            reason: "session_unknown",
            detail: "this call belongs to no session",
            stateChanged: false
          })
        )
      : Effect.succeed(found)
  }
}

/** Both services over the same sessions. */
export const layer = (sessions: Sessions): Layer.Layer<SessionView | SessionStore> =>
  Layer.succeedContext(
    Context.make(SessionView, {
      get: (session, name) => Effect.map(sessions.state(session), ({ values }) => values.get(name)),
      responses: (session) => Effect.map(sessions.state(session), ({ responses }) => [...responses]),
      calls: (session) => Effect.map(sessions.state(session), ({ calls }) => [...calls])
    }).pipe(
      Context.add(SessionStore, {
        set: (session, name, value) =>
          Effect.map(sessions.state(session), ({ values }) => {
            const previous = values.get(name)
            values.set(name, value)
            sessions.changed(session, name)
            return previous
          }),
        clear: (session, name) =>
          Effect.map(sessions.state(session), ({ values }) => {
            const was = values.delete(name)
            sessions.changed(session, name)
            return was
          }),
        modify: (session, name, change) =>
          Effect.map(sessions.state(session), ({ values }) => {
            const [answer, value] = change(values.get(name), sessions.others(session, name))
            if (value === undefined) values.delete(name)
            else values.set(name, value)
            sessions.changed(session, name)
            return answer
          })
      })
    )
  )
