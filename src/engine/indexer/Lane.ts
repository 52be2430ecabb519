/** One worker thread, started when it is first needed and started anew after it was lost. */
import { Worker } from "node:worker_threads"
import type { FactsView } from "../languages/Facts.ts"
import type { Interner } from "../languages/Interner.ts"
import type { WorkerEntry } from "./Entry.ts"
import { describeThrown } from "./Extraction.ts"
import {
  Beat,
  type GroupRequest,
  Phase,
  type RawGroup,
  type WorkerMessage,
  type WorkerSettings
} from "./Job.ts"
import { WorkerNames } from "./Names.ts"

/**
 * What became of a request. `Lost`: the thread was given up or ended; `suspect` is the place in the request of the file
 * that was being read then, -1 when the thread was busy with something else. `Unavailable`: no thread could be had.
 */
export type Outcome =
  | { readonly _tag: "Read"; readonly group: RawGroup; readonly views: ReadonlyArray<FactsView | undefined> }
  | {
      readonly _tag: "Lost"
      readonly reason: "timeout" | "crashed"
      readonly suspect: number
      readonly detail: string
    }
  | {
      readonly _tag: "Unavailable"
      readonly reason: "worker_failed" | "languages_differ" | "closed"
      readonly detail: string
    }

export interface LaneOptions {
  readonly names: Interner
  readonly entry: WorkerEntry
  /** Identifiers of the languages the thread is expected to have, in order. */
  readonly languages: ReadonlyArray<string>
  readonly definitionLimit: number
  /** Milliseconds of work for one file. */
  readonly fileTimeoutMs: number
  /** Milliseconds for the start of the thread and for preparing a language. */
  readonly loadTimeoutMs: number
  readonly heapMb: number
}

type Answer = (outcome: Outcome) => void

/** How many times as long a thread may take that gets no processor time. */
const patience = 6

export class Lane {
  private worker: Worker | undefined
  private names: WorkerNames
  private beat: Int32Array = new Int32Array(0)
  private ready = false
  private closed = false
  private readonly waiting = new Map<number, Answer>()
  private readonly ending = new Set<Promise<unknown>>()
  private timer: NodeJS.Timeout | undefined
  private seen = 0
  private still = 0
  /** Milliseconds of processor time of the whole process at the last look. */
  private used = 0

  constructor(private readonly options: LaneOptions) {
    this.names = new WorkerNames(options.names)
  }

  /** Requests not yet answered. */
  get load(): number {
    return this.waiting.size
  }

  /** Identifier of the thread while there is one. */
  get threadId(): number | undefined {
    return this.worker?.threadId
  }

  /** Starts the thread ahead of the first request. */
  open(): void {
    if (this.closed || this.worker !== undefined) return
    try {
      this.worker = this.start()
      this.worker.unref()
    } catch {
      // The first request tries again and tells.
    }
  }

  /** Hands a request to the thread; `answer` is called exactly once, later. */
  submit(request: GroupRequest, answer: Answer): void {
    if (this.closed) {
      queueMicrotask(() => answer({ _tag: "Unavailable", reason: "closed", detail: "the pool is closed" }))
      return
    }
    this.waiting.set(request.id, answer)
    try {
      this.worker ??= this.start()
      this.worker.ref()
      this.worker.postMessage(request)
    } catch (thrown) {
      queueMicrotask(() => this.unavailable("worker_failed", describeThrown(thrown)))
      return
    }
    if (this.timer === undefined) {
      const every = Math.max(10, Math.min(250, Math.ceil(this.options.fileTimeoutMs / 8)))
      this.timer = setInterval(() => this.look(every), every)
    }
  }

  /** Ends the thread; resolves when it has ended. Unanswered requests are answered as unavailable. */
  async close(): Promise<void> {
    this.closed = true
    this.unavailable("closed", "the pool is closed")
    await Promise.all(this.ending)
  }

  private start(): Worker {
    const { definitionLimit, entry, heapMb, names } = this.options
    const settings: WorkerSettings = { beat: new SharedArrayBuffer(Beat.bytes), definitionLimit }
    const worker = new Worker(entry.script, {
      eval: entry.eval,
      name: "indexer",
      workerData: settings,
      execArgv: [],
      // The code cache depends on the command.
      argv: process.argv.slice(2),
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
      // Whatever a parser prints must not end up in a protocol spoken over standard output.
      stdout: true
    })
    worker.stdout.resume()
    this.beat = new Int32Array(settings.beat)
    this.names = new WorkerNames(names)
    this.ready = false
    this.seen = this.still = 0
    let last = "ended by itself"
    worker.on("message", (message: WorkerMessage) => this.receive(message))
    worker.on("messageerror", (error) => this.lose("crashed", describeThrown(error)))
    worker.on("error", (error) => {
      last = describeThrown(error)
    })
    worker.on("exit", (code) => {
      if (this.worker !== worker) return
      if (this.ready) this.lose("crashed", `${last} (exit code ${code})`)
      else this.unavailable("worker_failed", `${last} (exit code ${code})`)
    })
    return worker
  }

  private receive(message: WorkerMessage): void {
    if (message._tag === "Ready") {
      const expected = this.options.languages.join(" ")
      const found = message.languages.join(" ")
      if (expected === found) this.ready = true
      else this.unavailable("languages_differ", `expected ${expected || "none"}, found ${found || "none"}`)
      return
    }
    // Names come in order and must be taken even when nobody waits for the group any more.
    const views = this.names.adopt(message.group.batch)
    const answer = this.waiting.get(message.id)
    this.waiting.delete(message.id)
    if (this.waiting.size === 0) this.rest()
    answer?.({ _tag: "Read", group: message.group, views })
  }

  /**
   * Counts for how long the thread has been at the same file: in ticks, so that a suspended machine accuses nobody, and
   * in processor time, so that a busy one does not either. A thread that waits without using any is given longer.
   */
  private look(every: number): void {
    const count = Atomics.load(this.beat, Beat.count)
    const { system, user } = process.cpuUsage()
    const used = (user + system) / 1000
    const spent = Math.min(every, used - this.used)
    this.used = used
    if (count !== this.seen) {
      this.seen = count
      this.still = 0
      return
    }
    this.still += Math.max(spent, every / patience)
    const { fileTimeoutMs, loadTimeoutMs } = this.options
    if (Atomics.load(this.beat, Beat.phase) === Phase.reading) {
      if (this.still >= fileTimeoutMs) this.lose("timeout", `not read within ${fileTimeoutMs} ms`)
    } else if (this.still >= loadTimeoutMs) {
      const detail = `no progress within ${loadTimeoutMs} ms`
      if (this.ready) this.lose("timeout", detail)
      else this.unavailable("worker_failed", detail)
    }
  }

  private lose(reason: "timeout" | "crashed", detail: string): void {
    const busy = Atomics.load(this.beat, Beat.phase) !== Phase.idle
    const group = Atomics.load(this.beat, Beat.group)
    const place = Atomics.load(this.beat, Beat.place)
    this.drop((id) => ({ _tag: "Lost", reason, suspect: busy && id === group ? place : -1, detail }))
  }

  private unavailable(reason: "worker_failed" | "languages_differ" | "closed", detail: string): void {
    this.drop(() => ({ _tag: "Unavailable", reason, detail }))
  }

  private drop(outcome: (id: number) => Outcome): void {
    const { worker } = this
    this.worker = undefined
    this.rest()
    if (worker !== undefined) {
      worker.removeAllListeners("message")
      const end = worker
        .terminate()
        .catch(() => undefined)
        .finally(() => this.ending.delete(end))
      this.ending.add(end)
    }
    const answers = [...this.waiting]
    this.waiting.clear()
    for (const [id, answer] of answers) answer(outcome(id))
  }

  /** Nothing is asked of the thread: it must neither be watched nor keep the process alive. */
  private rest(): void {
    clearInterval(this.timer)
    this.timer = undefined
    this.worker?.unref()
  }
}
