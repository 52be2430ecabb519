/**
 * Tasks of the protocol (2025-11-25), which are jobs: begun by a call that asks for one, looked at, waited for, stopped and
 * listed by whoever the job belongs to, over whichever connection.
 */
import { ErrorCode } from "@modelcontextprotocol/sdk/types.js"
import type { CallResult } from "../../pipeline/CallResult.ts"
import type { Engine, Job, Named } from "../../pipeline/Engine.ts"
import { ProgressSender } from "./Progress.ts"
import { Refusal } from "./Refusal.ts"

/** The first revision of the protocol that has tasks. */
export const firstRevision = "2025-11-25"

/** What a server with tasks says of itself. */
export const capability = { list: {}, cancel: {}, requests: { tools: { call: {} } } } as const

/** Where a message says to which task it belongs, and an answer what the model may be told meanwhile. */
const relatedKey = "io.modelcontextprotocol/related-task"
const immediateKey = "io.modelcontextprotocol/model-immediate-response"

export interface Task {
  readonly taskId: string
  readonly status: "working" | "completed" | "failed" | "cancelled"
  readonly statusMessage?: string
  /** ISO 8601, UTC. */
  readonly createdAt: string
  readonly lastUpdatedAt: string
  /** Milliseconds from its creation that it is kept, at least, unless there are too many. */
  readonly ttl: number
  /** Milliseconds to wait between two looks. */
  readonly pollInterval: number
}

/** Something that is told of a task without being asked for. */
export interface TaskNotification {
  readonly method: "notifications/progress" | "notifications/tasks/status"
  readonly params: { readonly [key: string]: unknown }
}
export type TellOfTask = (notification: TaskNotification) => void

/** Milliseconds between two looks of a client, and between two signs of progress it is sent. */
const pollMs = 1000
/** Milliseconds that the end of a stopped job is waited for. */
const endMs = 5000
/** Tasks on a page of the list. */
const pageTasks = 50

const statuses = {
  queued: "working",
  running: "working",
  completed: "completed",
  failed: "failed",
  cancelled: "cancelled"
} as const satisfies { readonly [S in Job["state"]]: Task["status"] }

const isOver = ({ state }: Pick<Job, "state">): boolean => statuses[state] !== "working"

const words = ({ message, progress, reason, state }: Job): string | undefined => {
  if (state === "queued") return "waits for its turn"
  if (state === "cancelled") return reason ?? message
  if (state !== "running" || progress === undefined) return message
  const { done, total } = progress
  const count = total === undefined ? `${done}` : `${done} of ${total}`
  return message === undefined ? count : `${message} (${count})`
}

export const taskOf = (job: Job, lifeMs: number): Task => {
  const said = words(job)
  return {
    taskId: job.id,
    status: statuses[job.state],
    ...(said === undefined ? {} : { statusMessage: said }),
    createdAt: job.createdAt,
    lastUpdatedAt: job.updatedAt,
    ttl: lifeMs,
    pollInterval: pollMs
  }
}

const cursorOf = ({ createdAt, id }: Job): string =>
  Buffer.from(JSON.stringify([createdAt, id])).toString("base64url")

/** The place a cursor stands for. */
const placeOf = (cursor: string): Pick<Job, "createdAt" | "id"> => {
  try {
    const [createdAt, id] = JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")) as [
      unknown,
      unknown
    ]
    if (typeof createdAt === "string" && typeof id === "string" && !Number.isNaN(Date.parse(createdAt)))
      return { createdAt, id }
  } catch {
    // Said below.
  }
  throw new Refusal(ErrorCode.InvalidParams, "cursor: is none that this server gave")
}

export interface Options {
  readonly engine: () => Promise<Engine>
  readonly principal: Named["principal"]
  /** Tells the client something that belongs to no request of its. */
  readonly tell: TellOfTask
}

/** What came of a call that was to be a task. */
export type Created =
  | { readonly tag: "task"; readonly answer: { readonly task: Task; readonly _meta: object } }
  /** It came to this before it was one, and is answered like any other. */
  | { readonly tag: "result"; readonly result: CallResult }

/** The tasks of one connection. */
export class Tasks {
  readonly #options: Options
  /** Tasks that were begun here. A caller who is nobody in particular has these alone. */
  readonly #own = new Set<string>()
  /** Requests that wait for a task: what is told of it goes with their answers. */
  readonly #waiting = new Map<string, TellOfTask>()
  readonly #closing = new AbortController()

  constructor(options: Options) {
    this.#options = options
  }

  /** Makes a call as a job. `token` is that of the client's wish to be told of progress. */
  async create(
    request: Omit<Named, "principal">,
    token: string | number | undefined,
    isAnswer: (result: CallResult) => boolean
  ): Promise<Created> {
    const engine = await this.#options.engine()
    const named: Named = { ...request, principal: this.#options.principal }
    const started = await engine.jobs.start(named)
    if (started.tag === "result" && isAnswer(started.result)) return started
    const job = started.tag === "job" ? started.job : await engine.jobs.keep(named, started.result)
    this.#own.add(job.id)
    if (!isOver(job)) setImmediate(() => void this.#follow(engine, job.id, token))
    const duplicate =
      started.tag === "job" ? started.duplicate : started.result._meta.portico?.duplicate === true
    return {
      tag: "task",
      answer: {
        task: taskOf(job, engine.jobs.lifeMs),
        _meta: {
          [immediateKey]: `${job.operation} ${isOver(job) ? `has ${job.state}` : "goes on"} as task ${job.id}.`,
          ...(duplicate ? { portico: { duplicate } } : {})
        }
      }
    }
  }

  async get(id: string): Promise<Task> {
    const engine = await this.#options.engine()
    return taskOf(await this.#find(engine, id), engine.jobs.lifeMs)
  }

  async list(
    cursor: string | undefined
  ): Promise<{ readonly tasks: ReadonlyArray<Task>; readonly nextCursor?: string }> {
    const after = cursor === undefined ? undefined : placeOf(cursor)
    const engine = await this.#options.engine()
    const found = await engine.jobs.list(this.#options.principal.id, { limit: pageTasks + 1, after })
    const page = found.slice(0, pageTasks)
    const last = found.length > pageTasks ? page.at(-1) : undefined
    return {
      tasks: page.filter((job) => this.#isVisible(job)).map((job) => taskOf(job, engine.jobs.lifeMs)),
      ...(last === undefined ? {} : { nextCursor: cursorOf(last) })
    }
  }

  /** Waits for a task to be over; answers what its call would have. What is told of it meanwhile is told by `tell`. */
  async result(id: string, signal: AbortSignal, tell: TellOfTask): Promise<object> {
    const engine = await this.#options.engine()
    let job = await this.#find(engine, id)
    if (!isOver(job)) {
      this.#waiting.set(id, tell)
      try {
        await this.#end(engine, id, signal)
      } finally {
        if (this.#waiting.get(id) === tell) this.#waiting.delete(id)
      }
      if (signal.aborted) throw new Refusal(ErrorCode.InvalidRequest, `nobody waits for task ${id} any more`)
      job = await this.#find(engine, id)
    }
    const outcome = await engine.jobs.outcome(job)
    return { ...outcome, _meta: { ...outcome._meta, [relatedKey]: { taskId: id } } }
  }

  /** Stops a task; answers it once it is. One that is over, or cannot be stopped from here, is an error. */
  async cancel(id: string): Promise<Task> {
    const engine = await this.#options.engine()
    const job = await this.#find(engine, id)
    const refuseOver = ({ state }: Job) =>
      new Refusal(ErrorCode.InvalidParams, `task ${id} cannot be cancelled: it has ${state} already`)
    if (isOver(job)) throw refuseOver(job)
    const stopped = await engine.jobs.stop(job, "its client cancelled the task")
    if (stopped?.tag === "elsewhere")
      throw new Refusal(ErrorCode.InternalError, `another server runs task ${id}, and only it can stop it`)
    if (stopped?.tag !== "stopping") await this.#end(engine, id, AbortSignal.timeout(endMs))
    const now = await this.#find(engine, id)
    if (!isOver(now))
      throw new Refusal(ErrorCode.InternalError, `task ${id} was told to stop and has not yet`)
    if (now.state !== "cancelled") throw refuseOver(now)
    return taskOf(now, engine.jobs.lifeMs)
  }

  /** Tells nobody anything any more. The tasks go on. */
  close(): void {
    this.#closing.abort()
  }

  /** Whether a job is the caller's. One who is nobody in particular is not told of what others like it began. */
  #isVisible(job: Job): boolean {
    const { authenticated, id } = this.#options.principal
    return job.principalId === id && (authenticated || this.#own.has(job.id))
  }

  async #find(engine: Engine, id: string): Promise<Job> {
    const job = await engine.jobs.get(id)
    if (job === undefined || !this.#isVisible(job))
      throw new Refusal(ErrorCode.InvalidParams, `there is no task ${id} of yours`)
    return job
  }

  /** Settles when a job is over, or when the signal is aborted; tells of what it reports until then. */
  async #end(
    engine: Engine,
    id: string,
    signal: AbortSignal,
    onProgress: (done: number, total: number | undefined, message: string | undefined) => void = () => {}
  ): Promise<void> {
    if (signal.aborted) return
    const events = engine.jobs.events(id, 0)[Symbol.asyncIterator]()
    let leave = () => {}
    const left = new Promise<undefined>((resolve) => {
      leave = () => resolve(undefined)
      signal.addEventListener("abort", leave, { once: true })
    })
    try {
      for (;;) {
        const next = await Promise.race([events.next(), left])
        if (next === undefined || next.done === true) return
        const { message, phase, progress } = next.value
        if (isOver({ state: phase })) return
        if (progress !== undefined) onProgress(progress.done, progress.total, message)
      }
    } finally {
      signal.removeEventListener("abort", leave)
      void events.return?.()
    }
  }

  /** Tells the client how a task that was begun here goes on, and that it is over. */
  async #follow(engine: Engine, id: string, token: string | number | undefined): Promise<void> {
    const { signal } = this.#closing
    const tell: TellOfTask = (notification) => {
      if (!signal.aborted) (this.#waiting.get(id) ?? this.#options.tell)(notification)
    }
    const sender = new ProgressSender(
      (step) =>
        tell({
          method: "notifications/progress",
          params: { progressToken: token, ...step, _meta: { [relatedKey]: { taskId: id } } }
        }),
      undefined,
      pollMs
    )
    try {
      await this.#end(engine, id, signal, (done, total, message) => {
        if (token !== undefined) sender.report(done, total, message)
      })
      const job = signal.aborted ? undefined : await engine.jobs.get(id)
      if (job !== undefined && isOver(job))
        this.#options.tell({
          method: "notifications/tasks/status",
          params: { ...taskOf(job, engine.jobs.lifeMs) }
        })
    } catch {
      // Nobody asked: whoever wants to know looks, and is told what is wrong then.
    }
  }
}
