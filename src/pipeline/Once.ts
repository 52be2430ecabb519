/**
 * The stage that makes a call run once. A call with a request id is kept, and so is its outcome, good or bad: whoever asks
 * again with the same content gets that; other content under the same id is refused. The call does not end with the one
 * who asked first, since a caller that went away does not know whether it ran.
 */
import { Deferred, Effect, Option } from "effect"
import { createHash } from "node:crypto"
import { failure, fromService, type OperationFailure } from "../registry/Failure.ts"
import type { CallRecord, CallRecords, RecordDraft, RecordKey } from "../services/CallRecords.ts"
import type { ServiceFailure } from "../services/ServiceFailure.ts"
import type { CallResult } from "./CallResult.ts"
import { type Inquest, uninformed } from "./Inquest.ts"
import { restored, stored } from "./ResultText.ts"

/** An outcome, and whether it is that of an earlier call. */
export interface Outcome {
  readonly result: CallResult
  readonly duplicate: boolean
}

/** Milliseconds between two looks at a call that another process runs. */
const lookMs = 100

/** One text for a call that runs once. */
export const keyOf = ({ principalId, requestId }: RecordKey): string => `${principalId}\0${requestId}`

/**
 * Id of the transaction of files that belongs to a call; says nothing of who made it. `root` is the work tree: records
 * are kept by repository, and transactions of all of them in one place.
 */
export const transactionOf = (key: RecordKey, root: string): string =>
  `call_${createHash("sha256")
    .update(`${root}\0${keyOf(key)}`)
    .digest("hex")
    .slice(0, 40)}`

/** Whether a result says that the call was turned away before it ran, so that trying again is no repetition. */
const isTurnedAway = ({ isError, structuredContent }: CallResult): boolean =>
  isError === true &&
  structuredContent["error_code"] === "overloaded" &&
  structuredContent["failure_stage"] === "admission"

const admission = { failure_stage: "admission", state_changed: false, field: "requestId" } as const

/** The refusal of other content under a known request id. */
export const conflict = (requestId: string): OperationFailure =>
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

const fromStore = (cause: ServiceFailure): OperationFailure =>
  fromService(cause, { failure_stage: "admission", state_changed: false })

export class Once {
  readonly #store: CallRecords["Type"]
  readonly #inquest: Inquest
  readonly #running = new Map<string, Deferred.Deferred<CallResult>>()

  constructor(store: CallRecords["Type"], inquest: Inquest = uninformed) {
    this.#store = store
    this.#inquest = inquest
  }

  /** The outcome that is kept for a call, or that it comes to when it is under way; undefined when there is no such call. */
  known(
    draft: RecordDraft,
    joined: Effect.Effect<void> = Effect.void
  ): Effect.Effect<Outcome | undefined, OperationFailure> {
    return Effect.flatMap(Effect.mapError(this.#store.find(draft), fromStore), (record) => {
      if (record === undefined) return Effect.succeed(undefined)
      return record.fingerprint === draft.fingerprint
        ? this.#outcome(record, joined)
        : Effect.fail(conflict(draft.requestId))
    })
  }

  /** The record of a call by its id alone, and its outcome as soon as there is one; undefined when there is no such call. */
  lookup(
    key: RecordKey
  ): Effect.Effect<{ readonly record: CallRecord; readonly outcome: Outcome } | undefined, OperationFailure> {
    return Effect.flatMap(Effect.mapError(this.#store.find(key), fromStore), (record) =>
      record === undefined
        ? Effect.succeed(undefined)
        : Effect.map(this.#outcome(record), (outcome) => ({ record, outcome }))
    )
  }

  /** The record of a call that is over and the outcome that is kept of it; undefined when there is none. Waits for nothing. */
  kept(
    key: RecordKey
  ): Effect.Effect<
    { readonly record: CallRecord; readonly result: CallResult } | undefined,
    OperationFailure
  > {
    return Effect.map(Effect.mapError(this.#store.find(key), fromStore), (record) =>
      record?.result === undefined ? undefined : { record, result: restored(record.result) }
    )
  }

  /** Settles the records of processes that are gone, each with what can be learned of it. Answers how many there were. */
  readonly settle: Effect.Effect<number, OperationFailure> = Effect.suspend(() =>
    Effect.mapError(this.#store.orphans, fromStore).pipe(
      Effect.tap(Effect.forEach((record) => this.#inquire(record))),
      Effect.map((records) => records.length)
    )
  )

  /**
   * Runs a call that is the first of its id, and answers with the outcome of the first otherwise. It runs in a fiber of its
   * own that is not interrupted; what of it may be says so.
   */
  run(
    draft: RecordDraft,
    call: Effect.Effect<CallResult>,
    joined: Effect.Effect<void> = Effect.void
  ): Effect.Effect<Outcome, OperationFailure> {
    return Effect.uninterruptibleMask((restore) =>
      Effect.gen(this, function* () {
        const begun = yield* Effect.mapError(this.#store.begin(draft), fromStore)
        if (begun.tag === "conflict") return yield* conflict(draft.requestId)
        if (begun.tag === "expired") return yield* expired(draft.requestId)
        if (begun.tag === "full") return yield* full()
        if (begun.tag === "known") return yield* restore(this.#outcome(begun.record, joined))
        const done = yield* Deferred.make<CallResult>()
        this.#running.set(keyOf(draft), done)
        yield* Effect.forkDaemon(
          call.pipe(
            Effect.tap((result) =>
              // What could not be written down is remembered for as long as this process lives.
              Effect.ignore(
                Effect.tap(this.#end(draft, result), () =>
                  Effect.sync(() => this.#running.delete(keyOf(draft)))
                )
              )
            ),
            Effect.intoDeferred(done)
          )
        )
        return { result: yield* restore(Deferred.await(done)), duplicate: false }
      })
    )
  }

  #end(key: RecordKey, result: CallResult): Effect.Effect<void, ServiceFailure> {
    if (isTurnedAway(result)) return this.#store.forget(key)
    const { isError, structuredContent } = result
    const unknown = isError === true && structuredContent["outcome_unknown"] === true
    return this.#store.end(
      key,
      unknown ? "unknown" : isError === true ? "failed" : "completed",
      stored(result)
    )
  }

  /** What became of a call whose process is gone; kept as its outcome. */
  #inquire(record: CallRecord): Effect.Effect<CallResult, OperationFailure> {
    return Effect.tap(this.#inquest(record), (result) =>
      Effect.mapError(this.#end(record, result), fromStore)
    )
  }

  #outcome(
    record: CallRecord,
    joined: Effect.Effect<void> = Effect.void
  ): Effect.Effect<Outcome, OperationFailure> {
    return Effect.gen(this, function* () {
      if (record.state === "running") yield* joined
      const here = this.#running.get(keyOf(record))
      if (here !== undefined) return { result: yield* Deferred.await(here), duplicate: true }
      let current = Option.some(record)
      while (Option.isSome(current) && current.value.state === "running") {
        yield* Effect.sleep(lookMs)
        current = Option.fromNullable(yield* Effect.mapError(this.#store.find(record), fromStore))
      }
      const { endedAt, result, state } = Option.getOrElse(current, () => record)
      if (state === "unknown" && endedAt === undefined)
        return { result: yield* this.#inquire(record), duplicate: true }
      if (result === undefined) return yield* expired(record.requestId)
      return { result: restored(result), duplicate: true }
    })
  }
}
