/**
 * Calls nobody made, run while nobody waits: the first calls of a session then meet compiled code and tables that are
 * there. They take the path of every call and leave nothing behind but that: no answer, no count, no kept response.
 */
import type { GraphView } from "../services/CodeGraph.ts"
import type { Request } from "./Pipeline.ts"

/** Milliseconds without a call after which a rehearsal goes on. */
const quietMs = 100
/** Processor time all rehearsals of a process may take, in microseconds. */
const mostMicros = 1_600_000
/** Definitions that are asked about. */
const rounds = 96
/** One in so many of them gives a text to look for: that takes longer than the other questions together. */
const textEvery = 3

const callable: ReadonlySet<string> = new Set(["function", "method"])

/** What is rehearsed in a workspace: the questions asked most, about functions from all over it. */
export const callsFor = (view: GraphView): ReadonlyArray<Request> => {
  const files = view.files().filter(({ symbols }) => symbols > 0)
  const calls: Array<Request> = []
  for (let round = 0; round < Math.min(rounds, files.length); round++) {
    const { path } = files[Math.floor((round * files.length) / Math.min(rounds, files.length))]!
    const symbol = view
      .definitions(path)
      .slice(0, 200)
      .map((ref) => view.symbol(ref))
      .find(({ kind }) => callable.has(kind))
    if (symbol === undefined) continue
    const { id, name, signature } = symbol
    calls.push(
      { tool: "search", args: { operation: "symbols", query: name } },
      { tool: "relations", args: { operation: "callers", target: { symbol: id } } },
      { tool: "read", args: { operation: "source", target: { symbol: id } } }
    )
    if (round % textEvery === 0)
      calls.push({ tool: "search", args: { operation: "text", query: signature.slice(0, 24) || name } })
  }
  return calls
}

export class Rehearsal {
  readonly #call: (request: Request) => Promise<unknown>
  readonly #calls: Array<Request> = []
  #timer: NodeJS.Timeout | undefined
  /** Calls in work that somebody waits for. */
  #waiting = 0
  #spent = 0
  #ended = false
  #running = false

  constructor(call: (request: Request) => Promise<unknown>) {
    this.#call = call
  }

  /** Adds calls to rehearse; they begin once it is quiet. */
  add(calls: ReadonlyArray<Request>): void {
    this.#calls.push(...calls)
    this.#arm()
  }

  /** Says that somebody waits; answers how to say that it is over. */
  during(): () => void {
    this.#waiting++
    clearTimeout(this.#timer)
    return () => {
      this.#waiting--
      this.#arm()
    }
  }

  /** Ends it for good. */
  end(): void {
    this.#ended = true
    clearTimeout(this.#timer)
    this.#calls.length = 0
  }

  /** How many calls are left to rehearse. */
  get left(): number {
    return this.#calls.length
  }

  #arm(): void {
    clearTimeout(this.#timer)
    if (this.#ended || this.#waiting > 0 || this.#running || this.#calls.length === 0) return
    this.#timer = setTimeout(() => void this.#run(), quietMs).unref()
  }

  async #run(): Promise<void> {
    this.#running = true
    while (this.#waiting === 0 && this.#calls.length > 0) {
      const before = process.cpuUsage()
      await this.#call(this.#calls.shift()!).catch(() => {})
      const { system, user } = process.cpuUsage(before)
      this.#spent += system + user
      if (this.#spent > mostMicros) this.#calls.length = 0
      // What has arrived meanwhile goes first.
      await new Promise((next) => setImmediate(next))
    }
    this.#running = false
    this.#arm()
  }
}
