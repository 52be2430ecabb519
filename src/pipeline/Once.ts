/**
 * The stage that makes a call run once. A call with a request id is kept, and so is its outcome, good or bad: whoever asks
 * again with the same content gets that; other content under the same id is refused. The call does not end with the one
 * who asked first, since a caller that went away does not know whether it ran.
 */
import { Deferred, Effect, Option } from "effect"
import { failure, fromService, type OperationFailure } from "../registry/Failure.ts"
import type { CallRecord, CallRecords, RecordDraft, RecordKey } from "../services/CallRecords.ts"
import type { ServiceFailure } from "../services/ServiceFailure.ts"
import type { CallResult } from "./CallResult.ts"

/** An outcome, and whether it is that of an earlier call. */
export interface Outcome {
  readonly result: CallResult
  readonly duplicate: boolean
}

/** Milliseconds between two looks at a call that another process runs. */
const lookMs = 100

const keyOf = ({ principalId, requestId }: RecordKey): string => `${principalId}\0${requestId}`

const admission = { failure_stage: "admission", state_changed: false, field: "requestId" } as const

const conflict = (requestId: string): OperationFailure =>
  failure(
    "idempotency_conflict",
    `request id ${requestId} belongs to another call; use a new one for other content`,
    { ...admission, reason_code: "other_content" }
  )

const expired = (requestId: string): OperationFailure =>
  failure(
    "idempotency_expired",
    `request id ${requestId} has run and its result is no longer kept; it is not run again`,
    { ...admission, reason_code: "result_evicted" }
  )

const full = (): OperationFailure =>
  failure("overloaded", "no further call can be remembered; try again later", {
    ...admission,
    reason_code: "records_full"
  })

const lost = ({ operation, requestId }: RecordDraft): OperationFailure =>
  failure(
    "internal",
    `${operation} under request id ${requestId} was under way when its server ended; what it did is not known`,
    { reason_code: "server_ended", outcome_unknown: true, field: "requestId" }
  )

const fromStore = (cause: ServiceFailure): OperationFailure =>
  fromService(cause, { failure_stage: "admission", state_changed: false })

export class Once {
  readonly #store: CallRecords["Type"]
  readonly #running = new Map<string, Deferred.Deferred<CallResult>>()

  constructor(store: CallRecords["Type"]) {
    this.#store = store
  }

  /** The outcome that is kept for a call, or that it comes to when it is under way; undefined when there is no such call. */
  known(draft: RecordDraft): Effect.Effect<Outcome | undefined, OperationFailure> {
    return Effect.flatMap(Effect.mapError(this.#store.find(draft), fromStore), (record) => {
      if (record === undefined) return Effect.succeed(undefined)
      return record.fingerprint === draft.fingerprint
        ? this.#outcome(record)
        : Effect.fail(conflict(draft.requestId))
    })
  }

  /** Runs a call that is the first of its id, and answers with the outcome of the first otherwise. */
  run(draft: RecordDraft, call: Effect.Effect<CallResult>): Effect.Effect<Outcome, OperationFailure> {
    return Effect.uninterruptibleMask((restore) =>
      Effect.gen(this, function* () {
        const begun = yield* Effect.mapError(this.#store.begin(draft), fromStore)
        if (begun.tag === "conflict") return yield* conflict(draft.requestId)
        if (begun.tag === "expired") return yield* expired(draft.requestId)
        if (begun.tag === "full") return yield* full()
        if (begun.tag === "known") return yield* restore(this.#outcome(begun.record))
        const done = yield* Deferred.make<CallResult>()
        this.#running.set(keyOf(draft), done)
        yield* Effect.forkDaemon(
          call.pipe(
            Effect.tap((result) =>
              this.#store.end(draft, result.isError === true ? "failed" : "completed", JSON.stringify(result))
            ),
            Effect.orDie,
            Effect.intoDeferred(done),
            Effect.ensuring(Effect.sync(() => this.#running.delete(keyOf(draft))))
          )
        )
        return { result: yield* restore(Deferred.await(done)), duplicate: false }
      })
    )
  }

  #outcome(record: CallRecord): Effect.Effect<Outcome, OperationFailure> {
    return Effect.gen(this, function* () {
      const here = this.#running.get(keyOf(record))
      if (here !== undefined) return { result: yield* Deferred.await(here), duplicate: true }
      let current = Option.some(record)
      while (Option.isSome(current) && current.value.state === "running") {
        yield* Effect.sleep(lookMs)
        current = Option.fromNullable(yield* Effect.mapError(this.#store.find(record), fromStore))
      }
      const { result, state } = Option.getOrElse(current, () => record)
      if (state === "unknown") return yield* lost(record)
      if (result === undefined) return yield* expired(record.requestId)
      return { result: JSON.parse(result) as CallResult, duplicate: true }
    })
  }
}
