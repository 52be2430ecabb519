/** The events of a job as server-sent events. */
import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Stream } from "effect"
import type { Job, JobEvent } from "../../../pipeline/Engine.ts"
import { json, type Plain } from "../Plain.ts"
import { principal, type Reply, Serving } from "../Serving.ts"
import { ask } from "./Calls.ts"
import { jobNote } from "./Envelope.ts"
import { fail } from "./Failures.ts"
import { isApprover } from "./Request.ts"

/** Milliseconds of silence after which a sign of life is sent. */
export const heartbeatMs = 15_000

/** A frame: the event's number as its id, its phase as its name. */
export const frameOf = (event: JobEvent): string => {
  const { at, error, message, phase, progress, result, sequence } = event
  const data = JSON.stringify({
    sequence,
    at,
    phase,
    ...(progress === undefined ? {} : { progress }),
    ...(message === undefined ? {} : { message }),
    ...(result === undefined ? {} : { result }),
    ...(error === undefined ? {} : { error })
  })
  return `id: ${sequence}\nevent: ${phase}\ndata: ${data}\n\n`
}

const comment = ": still here\n\n"

/** Items as they come, and a sign of life whenever none came for a while. Ends with the items, or with the signal. */
async function* lively(
  events: AsyncIterable<JobEvent>,
  ending: AbortSignal,
  quietMs: number
): AsyncGenerator<string> {
  const source = events[Symbol.asyncIterator]()
  let abort = () => {}
  const aborted = new Promise<"end">((resolve) => {
    abort = () => resolve("end")
    if (ending.aborted) abort()
    else ending.addEventListener("abort", abort, { once: true })
  })
  try {
    yield "retry: 1000\n\n"
    let next = source.next()
    for (;;) {
      let timer: ReturnType<typeof setTimeout> | undefined
      const quiet = new Promise<"quiet">((resolve) => {
        timer = setTimeout(() => resolve("quiet"), quietMs)
      })
      const came = await Promise.race([next, quiet, aborted]).finally(() => clearTimeout(timer))
      if (came === "end") return
      if (came === "quiet") {
        yield comment
        continue
      }
      if (came.done === true) return
      yield frameOf(came.value)
      next = source.next()
    }
  } finally {
    ending.removeEventListener("abort", abort)
    void source.return?.()
  }
}

/** A job the caller may look at; fails with the response to one who may not, or when there is none. */
const mine = (id: string): Effect.Effect<Job, Reply, Serving | HttpServerRequest.HttpServerRequest> =>
  Effect.gen(function* () {
    const who = yield* principal("ui", "http")
    const { engine } = yield* Serving
    const job = yield* ask({ jobId: id }, () => engine.jobs.get(id))
    const may = job !== undefined && (job.principalId === who.id || (yield* isApprover))
    return may
      ? job
      : yield* Effect.fail(fail("JOB_NOT_FOUND", `there is no job ${id} of yours`, { jobId: id }))
  })

/** `GET …/jobs/:jobId` */
export const status = (
  id: string
): Effect.Effect<Plain, Reply, Serving | HttpServerRequest.HttpServerRequest> =>
  Effect.map(mine(id), (job) =>
    json(200, {
      type: "portos_tool_job",
      ...jobNote(job),
      requestId: job.requestId,
      name: job.operation,
      createdAt: job.createdAt,
      ...(job.endedAt === undefined ? {} : { endedAt: job.endedAt }),
      ...(job.reason === undefined ? {} : { reason: job.reason })
    })
  )

const isOver = ({ state }: Job): boolean =>
  state === "completed" || state === "failed" || state === "cancelled"

/** `GET …/jobs/:jobId/events` */
export const stream = (
  id: string
): Effect.Effect<Reply, Reply, Serving | HttpServerRequest.HttpServerRequest> =>
  Effect.gen(function* () {
    const job = yield* mine(id)
    const { ending, engine } = yield* Serving
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const last = headers["last-event-id"]?.trim() ?? ""
    if (!/^\d{0,15}$/.test(last))
      return fail("VALIDATION_ERROR", "Last-Event-ID is the number of an event", { jobId: id })
    const after = Number(last)
    // Who has the last event needs no further connection, and this is how such clients are told to make none.
    if (isOver(job) && after > 0) {
      const first = yield* ask({ jobId: id }, async () => {
        for await (const event of engine.jobs.events(id, after)) return event
        return undefined
      })
      if (first === undefined) return HttpServerResponse.empty({ status: 204 })
    }
    const encoder = new TextEncoder()
    return HttpServerResponse.stream(
      Stream.map(
        Stream.fromAsyncIterable(
          lively(engine.jobs.events(id, after), ending, heartbeatMs),
          (cause) => cause
        ),
        (text) => encoder.encode(text)
      ),
      {
        contentType: "text/event-stream",
        headers: { "cache-control": "no-store", "x-accel-buffering": "no" }
      }
    )
  })
