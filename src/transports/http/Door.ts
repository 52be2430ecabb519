/**
 * How much is worked on at a time. A request that finds the server busy waits its turn, and callers take turns; when too
 * many wait it is turned away before anything of it is read, and told when to come back. A burst may wait: only when the
 * queue has not been empty for a moment, or somebody was turned away a while ago and may be back, is it kept short, so that
 * those let in are answered soon however many knock.
 *
 * A request that waits for something else, such as an index that is made or another program, is not counted any more
 * after a moment: the calls that go on are bounded further in. That it does is seen from the thread, which has nothing to
 * do meanwhile; where it is busy all the time, requests are slow because there are too many.
 */
import { performance } from "node:perf_hooks"
import { standardHttp } from "../../policy/HttpLimits.ts"

export interface DoorLimits {
  /** Requests that are worked on at a time. */
  readonly running: number
  /** Requests that may wait in a burst. */
  readonly burst: number
  /** Requests that may wait while the queue does not get empty; half of them may be of one caller. */
  readonly queue: number
}

/** Milliseconds a queue may go on before it is kept short. */
export const momentMs = 250

/** Milliseconds after which it is looked whether a request only waits. */
export const shortMs = 50

/** The share of these that the thread has something to do when more than waiting is done. */
const busyShare = 0.5

/** Begins to look at the thread; answers how to learn the share of the time since then in which it had something to do. */
export type Watch = () => () => number

const watchThread: Watch = () => {
  const begun = performance.eventLoopUtilization()
  return () => performance.eventLoopUtilization(begun).utilization
}

/** Seconds after which those who were turned away may come back. */
export const retrySeconds = 1

/** Milliseconds for which the queue is kept short once somebody was turned away: most of them are back by then. */
export const wakeMs = 1500 * retrySeconds

/** Why a request is turned away: its caller has enough under way, or everybody together. */
export type Full = "caller" | "server"

interface Visit {
  readonly caller: string
  readonly begin: () => void
  state: "waiting" | "running" | "gone"
  timer: NodeJS.Timeout | undefined
}

export class Door {
  readonly #limits: () => DoorLimits
  readonly #now: () => number
  readonly #watch: Watch
  /** Those who wait, by caller; the caller whose turn is next comes first. */
  readonly #lines = new Map<string, Array<Visit>>()
  #waiting = 0
  #running = 0
  /** When somebody began to wait while nobody did. */
  #since = 0
  /** When somebody was turned away last. */
  #turnedAway = -Infinity

  constructor(
    limits: () => DoorLimits = () => standardHttp,
    /** Milliseconds of a clock that only goes forward. */
    now: () => number = () => performance.now(),
    watch: Watch = watchThread
  ) {
    this.#limits = limits
    this.#now = now
    this.#watch = watch
  }

  get running(): number {
    return this.#running
  }

  get waiting(): number {
    return this.#waiting
  }

  /** Calls `begin` when it is the caller's turn, which may be at once. Answers how to say that it is over, or why it never begins. */
  enter(caller: string, begin: () => void): Full | (() => void) {
    const { burst, queue, running } = this.#limits()
    const visit: Visit = { caller, begin, state: "waiting", timer: undefined }
    const leave = () => this.#leave(visit)
    if (this.#waiting === 0 && this.#running < running) {
      this.#start(visit)
      return leave
    }
    const now = this.#now()
    const line = this.#lines.get(caller)
    const stands = this.#waiting > 0 && (now - this.#since > momentMs || now - this.#turnedAway < wakeMs)
    if (this.#waiting >= (stands ? queue : Math.max(burst, queue))) {
      this.#turnedAway = now
      return "server"
    }
    if (stands && line !== undefined && line.length >= Math.ceil(queue / 2)) return "caller"
    if (this.#waiting === 0) this.#since = now
    this.#waiting++
    if (line === undefined) this.#lines.set(caller, [visit])
    else line.push(visit)
    return leave
  }

  #start(visit: Visit): void {
    visit.state = "running"
    this.#running++
    this.#look(visit)
    visit.begin()
  }

  /** Looks after a moment whether a request only waits, and counts it no more then. */
  #look(visit: Visit): void {
    const busy = this.#watch()
    visit.timer = setTimeout(() => {
      if (busy() < busyShare) this.#leave(visit)
      else this.#look(visit)
    }, shortMs)
  }

  #leave(visit: Visit): void {
    const { caller, state } = visit
    if (state === "gone") return
    visit.state = "gone"
    if (state === "running") {
      clearTimeout(visit.timer)
      this.#running--
      this.#next()
      return
    }
    const line = this.#lines.get(caller) as Array<Visit>
    line.splice(line.indexOf(visit), 1)
    this.#waiting--
    if (line.length === 0) this.#lines.delete(caller)
  }

  /** Lets in whose turn it is, as long as there is room. */
  #next(): void {
    while (this.#running < this.#limits().running) {
      const first = this.#lines.entries().next()
      if (first.done === true) return
      const [caller, line] = first.value
      const visit = line.shift() as Visit
      this.#waiting--
      this.#lines.delete(caller)
      if (line.length > 0) this.#lines.set(caller, line)
      this.#start(visit)
    }
  }
}
