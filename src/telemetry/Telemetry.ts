/**
 * Counting for one process. Counts gather in memory and are added to the day's file now and then; who may count, and
 * whether a day that is over may be sent, is asked each time. While nobody agreed there is no file, and what gathered
 * before somebody did is dropped.
 */
import {
  type Consent,
  type Choice,
  choiceFile,
  consentOf,
  type Endpoint,
  endpointOf,
  type Environment,
  readChoice,
  saveChoice
} from "./Consent.ts"
import { Days, dayOf } from "./Days.ts"
import { type Ended, Ergonomics } from "./Ergonomics.ts"
import { countsFolder } from "./Home.ts"
import {
  clearHooks,
  type DecisionSummary,
  hookDecisions,
  hookEffectiveness,
  type HookSummary,
  summarizeDecisions,
  summarizeHooks
} from "./Hooks.ts"
import { type Names, sentKeys } from "./Keys.ts"
import { post } from "./Post.ts"
import { type Add, type Counts, Tally } from "./Tally.ts"

export interface Options {
  readonly names: Names
  /** Says who agreed, and where files lie; the process's own when absent. */
  readonly env?: Environment | undefined
  /** Something that counts by itself: adds what is new since it was last asked. */
  readonly drain?: ((add: Add) => void) | undefined
  /** Whether days that are over are sent from here: for processes that live on. */
  readonly sends?: boolean | undefined
  /** Milliseconds since the epoch. */
  readonly now?: (() => number) | undefined
}

/** What is sent for a day, and all of it. */
export const bodyOf = (day: string, counts: Counts): string => JSON.stringify({ schema: 1, day, counts })

const dayMs = 86_400_000
/** Milliseconds counts may wait in memory. */
const gatherMs = 30_000
/** Milliseconds an answer about consent is believed while counting; whatever is written or sent asks anew. */
const believedMs = 5_000

export class Telemetry {
  readonly #days: Days
  readonly #env: Environment
  readonly #choice: string
  readonly #now: () => number
  readonly #drain: ((add: Add) => void) | undefined
  readonly #sends: boolean
  readonly #tally: Tally
  readonly #ergonomics: Ergonomics
  #on = false
  #askedAt = -Infinity
  #timer: NodeJS.Timeout | undefined
  /** The day of what gathered; undefined when nothing did. */
  #day: number | undefined
  #sending: Promise<void> = Promise.resolve()

  constructor({ drain, env = process.env, names, now = Date.now, sends = false }: Options) {
    this.#days = new Days(countsFolder(env))
    this.#env = env
    this.#choice = choiceFile(env)
    this.#now = now
    this.#drain = drain
    this.#sends = sends
    this.#tally = new Tally(sentKeys, names)
    this.#ergonomics = new Ergonomics(names)
    this.#ask(now())
  }

  /** Whether counts are taken, as of a moment ago. */
  get on(): boolean {
    const now = this.#now()
    if (now - this.#askedAt >= believedMs || now < this.#askedAt) this.#ask(now)
    return this.#on
  }

  /** Adds one to a count. */
  count(key: keyof typeof sentKeys, dimension: string): void {
    if (!this.on) return
    this.#gather()
    this.#tally.add(key, dimension)
  }

  /** Takes a call that is over in. Whatever counts calls by itself is asked later. */
  observe(call: Ended): void {
    if (!this.on) return
    this.#gather()
    this.#ergonomics.observe(call)
  }

  /** Ends a session. */
  closeSession(session: string): void {
    if (!this.on) return
    this.#gather()
    this.#ergonomics.close(session)
  }

  /** Writes what gathered, and sends days that are over where that is done from here. */
  flush(): void {
    this.#write()
    if (this.#on && this.#sends) this.#sending = this.#sending.then(() => this.send())
  }

  /** Where there is no room for what gathered, it is lost: nothing here is worth a failed call. */
  #write(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const now = this.#now()
    const day = dayOf((this.#day ?? Math.floor(now / dayMs)) * dayMs)
    this.#day = undefined
    if (!this.#ask(now)) return
    this.#drain?.(this.#tally.add)
    try {
      if (!this.#tally.isEmpty) this.#days.append(day, "sent", this.#tally.counts())
      if (!this.#ergonomics.tally.isEmpty) this.#days.append(day, "local", this.#ergonomics.tally.counts())
      this.#days.expire(now)
    } catch {
      // A full or read-only disk.
    }
    this.#tally.clear()
    this.#ergonomics.tally.clear()
  }

  /**
   * Sends each day that is over and was not sent, one request a day. A day is given up when its request fails. Nothing
   * is sent without consent or without an endpoint.
   */
  async send(): Promise<void> {
    const { on } = consentOf(this.#env, this.#choice)
    const { url } = endpointOf(this.#env, this.#choice)
    if (!on || url === undefined) return
    for (const day of this.#days.finished(this.#now())) {
      if (!this.#days.claim(day)) continue
      const counts = this.#days.read(day, "sent")
      this.#days.forget(day)
      if (Object.keys(counts).length > 0) await post(url, bodyOf(day, counts))
    }
  }

  /** Settles when nothing is being sent. */
  get idle(): Promise<void> {
    return this.#sending
  }

  /** Ends all sessions and writes what gathered. Does not wait for what is being sent. */
  close(): void {
    if (this.on) {
      this.#ergonomics.closeAll()
      this.#write()
    }
    clearTimeout(this.#timer)
  }

  /** Asks for consent. What gathered is dropped where there is none, and where there was none until now. */
  #ask(now: number): boolean {
    const { on } = consentOf(this.#env, this.#choice)
    this.#askedAt = now
    if (!on || !this.#on) {
      this.#drain?.(() => {})
      this.#tally.clear()
      this.#ergonomics.clear()
    }
    return (this.#on = on)
  }

  /** Says that something is about to gather. What gathered the day before is written first. */
  #gather(): void {
    const day = Math.floor(this.#now() / dayMs)
    if (this.#day !== undefined && this.#day !== day) this.flush()
    this.#day = day
    this.#timer ??= setTimeout(() => this.flush(), gatherMs).unref()
  }
}

/** What there is to know of telemetry on this machine. */
export interface Report {
  readonly consent: Consent
  readonly endpoint: Endpoint
  /** What was counted to be sent, today so far. */
  readonly today: Counts
  /** The requests that would be made now: a day that is over, and all that is sent for it. */
  readonly waiting: ReadonlyArray<{ readonly day: string; readonly body: string }>
  /** What is counted for this machine only: today, and on all days that are kept. */
  readonly local: { readonly today: Counts; readonly kept: Counts }
  /** How hooks of agents' hosts did, never sent. */
  readonly hooks: ReadonlyArray<HookSummary>
  /** What they decided, never sent. */
  readonly hook_decisions: ReadonlyArray<DecisionSummary>
}

/** Telemetry as the command line sees and sets it. */
export class Control {
  readonly #days: Days
  readonly #env: Environment
  readonly #file: string
  readonly #now: () => number

  constructor({ env = process.env, now = Date.now }: Pick<Options, "env" | "now"> = {}) {
    this.#days = new Days(countsFolder(env))
    this.#env = env
    this.#file = choiceFile(env)
    this.#now = now
  }

  get consent(): Consent {
    return consentOf(this.#env, this.#file)
  }

  get endpoint(): Endpoint {
    return endpointOf(this.#env, this.#file)
  }

  /** What there is, whether or not anything is counted now. */
  report(): Report {
    const now = this.#now()
    const today = dayOf(now)
    return {
      consent: this.consent,
      endpoint: this.endpoint,
      today: this.#days.read(today, "sent"),
      waiting: this.#days
        .finished(now)
        .map((day) => ({ day, body: bodyOf(day, this.#days.read(day, "sent")) })),
      local: { today: this.#days.read(today, "local"), kept: this.#days.readAll("local") },
      hooks: summarizeHooks(hookEffectiveness.read(this.#env)),
      hook_decisions: summarizeDecisions(hookDecisions.read(this.#env))
    }
  }

  /** Saves a yes. Without an endpoint the one that was saved stays. */
  agree(endpoint: string | undefined): void {
    this.#save("on", endpoint)
  }

  /** Saves a no, and removes everything that was counted. */
  refuse(): void {
    this.#save("off", undefined)
    this.#days.clear()
    clearHooks(this.#env)
  }

  #save(telemetry: Choice["telemetry"], given: string | undefined): void {
    const before = readChoice(this.#file)
    const endpoint = given ?? (typeof before === "object" ? before.endpoint : undefined)
    saveChoice(this.#file, { telemetry, ...(endpoint === undefined ? {} : { endpoint }) })
  }
}
