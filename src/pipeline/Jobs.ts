/**
 * Long calls as jobs: begun, watched, stopped, found again after a restart. A job is a call under a request id whose
 * progress is kept as events; its outcome is that of the call, which runs once like any other.
 */
import { Clock, Deferred, Effect, Option, Stream } from "effect"
import { randomUUID } from "node:crypto"
import { failure, fromService, type OperationFailure } from "../registry/Failure.ts"
import { isRecord } from "../registry/Json.ts"
import type { Report } from "../registry/Progress.ts"
import type { ApprovalStore } from "../services/ApprovalStore.ts"
import type { AuditLedger } from "../services/AuditLedger.ts"
import type { CallRecord, RecordKey } from "../services/CallRecords.ts"
import type { Job, JobEvent, JobPage, JobState, JobStore } from "../services/JobStore.ts"
import type { PendingCall, PendingCalls } from "../services/PendingCalls.ts"
import type { ServiceFailure } from "../services/ServiceFailure.ts"
import { type CallResult, failed, failedWith, type Routing, succeeded } from "./CallResult.ts"
import { decided } from "./Consent.ts"
import { keyOf, type Once } from "./Once.ts"
import type { Pipeline, Request } from "./Pipeline.ts"
import type { Stops } from "./Stops.ts"
import { requestOf } from "./Waiting.ts"

/** A call that is to be found again by its id. */
export interface Named extends Request {
  readonly principal: NonNullable<Request["principal"]>
  readonly requestId: string
}

/** What came of starting a call: its job, or its outcome where it had one at once. */
export type Started =
  | { readonly tag: "job"; readonly job: Job; readonly duplicate: boolean }
  | { readonly tag: "result"; readonly result: CallResult }

/** What is known of a call. */
export type Found =
  | { readonly tag: "job"; readonly job: Job }
  | { readonly tag: "waiting"; readonly call: PendingCall }
  | { readonly tag: "done"; readonly record: CallRecord; readonly result: CallResult; readonly job?: Job }

/** What came of stopping a call. */
export type Stopped =
  /** It was told to stop; this is what it came to. */
  | { readonly tag: "stopped"; readonly record: CallRecord; readonly result: CallResult }
  /** It waited for a person, and does so no more. */
  | { readonly tag: "withdrawn"; readonly call: PendingCall }
  /** It was over already. */
  | { readonly tag: "over"; readonly record: CallRecord; readonly result: CallResult }
  /** It was told to stop and has not yet. */
  | { readonly tag: "stopping" }
  /** Another process runs it. */
  | { readonly tag: "elsewhere" }

/** The right to have a call made once. */
export interface Ticket {
  readonly approvalId: string
  /** ISO 8601, UTC. */
  readonly expiresAt: string
}

/** States after which nothing comes. */
export const isTerminal = (state: JobState): boolean =>
  state === "completed" || state === "failed" || state === "cancelled"

/** Milliseconds between two kept signs of progress. */
const progressMs = 200
/** Milliseconds between two looks at a job nobody here has news of. */
const lookMs = 1000
/** Milliseconds that whoever stops a call waits for its end. */
const stopMs = 5000

const fromStore = (cause: ServiceFailure): OperationFailure =>
  fromService(cause, { failure_stage: "admission", state_changed: false })

const isStopped = ({ isError, structuredContent }: CallResult): boolean =>
  isError === true && structuredContent["error_code"] === "cancelled"

/** The last event of a job whose call came to this. */
const lastOf = (result: CallResult): Omit<JobEvent, "sequence" | "at"> => ({
  phase: isStopped(result) ? "cancelled" : result.isError === true ? "failed" : "completed",
  progress: undefined,
  message: undefined,
  result: result.structuredContent,
  error:
    result.isError === true
      ? {
          code: String(result.structuredContent["error_code"]),
          message: String(result.structuredContent["message"])
        }
      : undefined
})

export interface Options {
  readonly store: JobStore["Type"]
  readonly once: Once
  readonly stops: Stops
  readonly pending: PendingCalls["Type"]
  readonly approvals: ApprovalStore["Type"]
  readonly ledger: AuditLedger["Type"]
  readonly call: Pipeline["call"]
  /** Where a call of `facade.operation` leads. */
  readonly routing: (operation: string) => Routing
  readonly log: (text: string) => void
}

export class Jobs {
  readonly #options: Options
  /** Who waits for news of a job. */
  readonly #listeners = new Map<string, Set<() => void>>()
  /** Why calls were stopped. */
  readonly #reasons = new Map<string, string>()

  constructor(options: Options) {
    this.#options = options
  }

  /**
   * Begins a call that goes on by itself. Settles as soon as nothing stands against it any more, with its job; or with the
   * outcome of one that was refused or had run before. A call that is under way as a job already gives that job.
   */
  start(request: Named): Effect.Effect<Started> {
    return Effect.gen(this, function* () {
      const { call, log, store } = this.#options
      const principalId = request.principal.id
      const { requestId } = request
      const first = yield* Deferred.make<Started>()
      let job: Job | undefined
      let told = 0
      const report: Report = (done, total, message) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          if (job === undefined || now - told < progressMs) return Effect.void
          told = now
          return this.#add(job, { phase: "running", progress: { done, total }, message })
        })
      const begun = (operation: string) =>
        Effect.gen(function* () {
          job = yield* store.create({ principalId, requestId, operation })
          yield* store.add(job.id, { phase: "running", progress: undefined, message: undefined })
          yield* Deferred.succeed(first, { tag: "job", job: { ...job, state: "running" }, duplicate: false })
        }).pipe(Effect.mapError(fromStore))
      const joined = store.of(principalId, requestId).pipe(
        Effect.flatMap((found) =>
          found === undefined || isTerminal(found.state)
            ? Effect.void
            : Deferred.succeed(first, { tag: "job", job: found, duplicate: true })
        ),
        Effect.ignore
      )
      yield* Effect.forkDaemon(
        Effect.interruptible(call(request, report, { begun, joined })).pipe(
          Effect.tap((result) =>
            job === undefined
              ? Deferred.succeed(first, { tag: "result", result })
              : this.#add(job, lastOf(result), this.#reasons.get(keyOf(job)))
          ),
          Effect.tapErrorCause((cause) => Effect.sync(() => log(`${requestId}: ${String(cause)}`))),
          Effect.ensuring(
            Effect.sync(() => {
              if (job !== undefined) this.#reasons.delete(keyOf(job))
            })
          )
        )
      )
      return yield* Deferred.await(first)
    })
  }

  /**
   * A job for a call that had an outcome before it was one, for callers who are answered with jobs alone: the job of the
   * earlier call where this was its outcome, else one that is over from its beginning. That of a refused call does not
   * take the call's id, which another call may have.
   */
  keep(request: Named, result: CallResult): Effect.Effect<Job, OperationFailure> {
    return Effect.gen(this, function* () {
      const { store } = this.#options
      const principalId = request.principal.id
      const duplicate = result._meta.portico?.duplicate === true
      const known = duplicate ? yield* store.of(principalId, request.requestId) : undefined
      if (known !== undefined) return known
      const { facade, operation } = result._meta.gortex_facade
      const made = yield* store.create({
        principalId,
        requestId: duplicate ? request.requestId : `refused:${randomUUID()}`,
        operation: `${facade}.${operation}`
      })
      yield* store.add(made.id, lastOf(result))
      return (yield* store.get(made.id)) ?? made
    }).pipe(Effect.mapError((cause) => fromStore(cause)))
  }

  /** What a job that is over came to: the result of its call, or what its last event has of it when that is no longer kept. */
  outcome(job: Job): Effect.Effect<CallResult, OperationFailure> {
    return Effect.gen(this, function* () {
      const { once, store } = this.#options
      const kept = yield* once.kept(job)
      // A call that began later is another one, under an id that was forgotten meanwhile.
      if (kept !== undefined && kept.record.startedAt <= job.createdAt) return kept.result
      const last = (yield* Effect.mapError(store.events(job.id, 0), fromStore)).at(-1)
      const routing = this.#options.routing(job.operation)
      if (isRecord(last?.result))
        return last.phase === "completed" ? succeeded(routing, last.result) : failedWith(routing, last.result)
      return failed(
        routing,
        failure("internal", last?.error?.message ?? `nothing more is known of ${job.operation}`, {
          reason_code: "server_ended",
          outcome_unknown: true
        })
      )
    })
  }

  /** What is known of a call; waits for one that is under way without being a job. Undefined when there is no such call. */
  find(key: RecordKey): Effect.Effect<Found | undefined, OperationFailure> {
    return Effect.gen(this, function* () {
      const { once, pending, store } = this.#options
      const job = yield* Effect.mapError(store.of(key.principalId, key.requestId), fromStore)
      if (job !== undefined && !isTerminal(job.state)) {
        const settled = yield* this.#settleWhenGone(job)
        if (!settled) return { tag: "job", job }
      }
      const call = yield* Effect.mapError(pending.find(key), fromStore)
      if (call !== undefined) return { tag: "waiting", call }
      const found = yield* once.lookup(key)
      return found === undefined
        ? undefined
        : {
            tag: "done",
            record: found.record,
            result: found.outcome.result,
            ...(job === undefined ? {} : { job })
          }
    })
  }

  /** Stops a call as well as it can be. Undefined when there is no such call. */
  stop(key: RecordKey, reason: string): Effect.Effect<Stopped | undefined, OperationFailure> {
    return Effect.gen(this, function* () {
      const { approvals, once, pending, stops } = this.#options
      const text = keyOf(key)
      if (stops.has(text)) {
        this.#reasons.set(text, reason)
        yield* stops.stop(text, reason)
        const end = yield* Effect.timeoutOption(once.lookup(key), stopMs)
        if (Option.isNone(end)) return { tag: "stopping" }
        if (end.value === undefined) return undefined
        const { outcome, record } = end.value
        return { tag: isStopped(outcome.result) ? "stopped" : "over", record, result: outcome.result }
      }
      const waiting = yield* Effect.mapError(pending.find(key), fromStore)
      if (waiting !== undefined) {
        yield* Effect.mapError(approvals.invalidate(waiting.reference), fromStore)
        if (yield* Effect.mapError(pending.remove(key), fromStore)) return { tag: "withdrawn", call: waiting }
      }
      const end = yield* Effect.timeoutOption(once.lookup(key), lookMs)
      if (Option.isNone(end)) return { tag: "elsewhere" }
      return end.value === undefined
        ? undefined
        : { tag: "over", record: end.value.record, result: end.value.outcome.result }
    })
  }

  /**
   * Agrees to a call that waits, and hands out the right to have it made. Undefined when no such call waits. Fails with
   * `conflict` where the question is settled, or the one who agrees is the one who asked.
   */
  approve(
    requestId: string,
    reference: string,
    by: string
  ): Effect.Effect<Ticket | undefined, ServiceFailure> {
    return Effect.gen(this, function* () {
      const { approvals, ledger, pending } = this.#options
      const call = yield* pending.about(reference)
      if (call === undefined || call.requestId !== requestId) return undefined
      const approval = yield* decided(approvals, ledger, reference, "approved", by)
      const approvalId = yield* pending.ticket(reference, by)
      return approvalId === undefined ? undefined : { approvalId, expiresAt: approval.expiresAt }
    })
  }

  /** Has a call made that was agreed to. Undefined when the right to it is not that, is used up or lapsed. */
  confirm(
    requestId: string,
    approvalId: string,
    by: string,
    asJob: (call: PendingCall) => boolean
  ): Effect.Effect<{ readonly call: PendingCall; readonly started: Started } | undefined, OperationFailure> {
    return Effect.gen(this, function* () {
      const call = yield* Effect.mapError(this.#options.pending.redeem(requestId, approvalId, by), fromStore)
      const request = call === undefined ? undefined : requestOf(call)
      if (call === undefined || request?.principal === undefined) return undefined
      const named: Named = { ...request, principal: request.principal, requestId }
      const started = asJob(call)
        ? yield* this.start(named)
        : { tag: "result" as const, result: yield* this.#options.call(named) }
      return { call, started }
    })
  }

  /** Milliseconds after its end that a job is kept, unless there are too many. */
  get lifeMs(): number {
    return this.#options.store.lifeMs
  }

  /** A job by its id; undefined when there is none. One whose process is gone is settled first. */
  get(id: string): Effect.Effect<Job | undefined, OperationFailure> {
    const look = Effect.mapError(this.#options.store.get(id), fromStore)
    return Effect.flatMap(look, (job) =>
      job === undefined || isTerminal(job.state)
        ? Effect.succeed(job)
        : Effect.flatMap(this.#settleWhenGone(job), (settled) => (settled ? look : Effect.succeed(job)))
    )
  }

  /** The jobs of a principal, the newest first. Those whose process is gone are settled first. */
  list(principalId: string, page: JobPage): Effect.Effect<ReadonlyArray<Job>, OperationFailure> {
    const look = Effect.mapError(this.#options.store.list(principalId, page), fromStore)
    return Effect.flatMap(look, (jobs) =>
      Effect.flatMap(
        Effect.forEach(
          jobs.filter(({ state }) => !isTerminal(state)),
          (job) => this.#settleWhenGone(job)
        ),
        (settled) => (settled.includes(true) ? look : Effect.succeed(jobs))
      )
    )
  }

  /** Events of a job after a number, then those to come; ends after its last one. */
  events(id: string, after: number): Stream.Stream<JobEvent, OperationFailure> {
    const next = (last: number): Effect.Effect<ReadonlyArray<JobEvent>, OperationFailure> =>
      Effect.gen(this, function* () {
        for (;;) {
          const woken = yield* Deferred.make<void>()
          const wake = () => Effect.runFork(Deferred.succeed(woken, undefined))
          const rows = yield* Effect.acquireUseRelease(
            Effect.sync(() => this.#listen(id, wake)),
            () =>
              Effect.gen(this, function* () {
                const found = yield* Effect.mapError(this.#options.store.events(id, last), fromStore)
                if (found.length > 0) return found
                const job = yield* this.get(id)
                if (job === undefined || isTerminal(job.state)) return yield* this.#rest(id, last)
                if (yield* this.#settleWhenGone(job)) return undefined
                yield* Effect.raceFirst(Deferred.await(woken), Effect.sleep(lookMs))
                return undefined
              }),
            (unlisten) => Effect.sync(unlisten)
          )
          if (rows !== undefined) return rows
        }
      })
    return Stream.unfoldEffect<number | undefined, ReadonlyArray<JobEvent>, OperationFailure, never>(
      after,
      (last) =>
        last === undefined
          ? Effect.succeed(Option.none())
          : Effect.map(next(last), (rows) => {
              const end = rows.at(-1)
              return Option.some([
                rows,
                end === undefined || isTerminal(end.phase) ? undefined : end.sequence
              ] as const)
            })
    ).pipe(Stream.flattenIterables)
  }

  /** Settles what processes that are gone left behind. */
  readonly recover: Effect.Effect<{ readonly calls: number; readonly jobs: number }, OperationFailure> =
    Effect.suspend(() => this.#recover())

  /** Stops whatever runs under a request id and waits a moment for it to end. */
  end(reason: string): Effect.Effect<void> {
    const { stops } = this.#options
    return Effect.gen(this, function* () {
      for (const key of stops.keys()) {
        this.#reasons.set(key, reason)
        yield* stops.stop(key, reason)
      }
      yield* Effect.repeat(Effect.sleep(10), { until: () => stops.size === 0 }).pipe(
        Effect.timeoutOption(stopMs)
      )
    })
  }

  #recover() {
    return Effect.gen(this, function* () {
      const calls = yield* this.#options.once.settle
      const jobs = yield* Effect.mapError(this.#options.store.orphans, fromStore)
      yield* Effect.forEach(jobs, (job) => this.#settle(job), { discard: true })
      return { calls, jobs: jobs.length }
    })
  }

  /** What came after a number by the time a job was over. */
  #rest(id: string, last: number): Effect.Effect<ReadonlyArray<JobEvent>, OperationFailure> {
    return Effect.mapError(this.#options.store.events(id, last), fromStore)
  }

  /** Settles a job whose process is gone; whether it is. */
  #settleWhenGone(job: Job): Effect.Effect<boolean, OperationFailure> {
    if (!job.elsewhere) return Effect.succeed(false)
    return Effect.flatMap(Effect.mapError(this.#options.store.orphans, fromStore), (orphans) =>
      orphans.some(({ id }) => id === job.id) ? Effect.as(this.#settle(job), true) : Effect.succeed(false)
    )
  }

  /** Ends a job with what its call came to, as far as that can be learned. */
  #settle(job: Job): Effect.Effect<void, OperationFailure> {
    const known = this.#options.once.lookup(job).pipe(
      Effect.catchIf(
        ({ code }) => code === "idempotency_expired",
        () => Effect.succeed(undefined)
      )
    )
    return Effect.flatMap(known, (found) =>
      this.#add(
        job,
        found === undefined
          ? {
              phase: "failed",
              progress: undefined,
              message: undefined,
              error: { code: "internal", message: "its server ended, and nothing more is known of it" }
            }
          : lastOf(found.outcome.result),
        "its server ended"
      )
    )
  }

  #add(job: Job, event: Omit<JobEvent, "sequence" | "at">, reason?: string): Effect.Effect<void> {
    return this.#options.store.add(job.id, event, reason).pipe(
      Effect.catchAll((cause) => Effect.sync(() => this.#options.log(`${job.id}: ${cause.message}`))),
      Effect.zipRight(
        Effect.sync(() => {
          for (const wake of this.#listeners.get(job.id) ?? []) wake()
        })
      )
    )
  }

  #listen(id: string, wake: () => void): () => void {
    const listeners = this.#listeners.get(id) ?? new Set()
    this.#listeners.set(id, listeners)
    listeners.add(wake)
    return () => {
      listeners.delete(wake)
      if (listeners.size === 0) this.#listeners.delete(id)
    }
  }
}
