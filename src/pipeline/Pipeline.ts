/**
 * The one path of a call: admit, decode, authorize, run, count, keep, project. Every transport takes it, and whatever
 * happens on the way comes back as a result; only an interruption does not.
 */
import { Cause, Clock, Effect, Either, Option } from "effect"
import { CallInfo } from "../registry/CallInfo.ts"
import type { Dispatcher } from "../registry/Dispatcher.ts"
import { failure, fromService, OperationFailure } from "../registry/Failure.ts"
import * as FollowUp from "../registry/FollowUp.ts"
import { byteLength, isRecord, type UnknownRecord } from "../registry/Json.ts"
import { Progress, type Report } from "../registry/Progress.ts"
import { type Outcome, project } from "../registry/Projection.ts"
import type { Registry } from "../registry/Registry.ts"
import { ServiceFailure } from "../services/ServiceFailure.ts"
import * as Admission from "./Admission.ts"
import { type CallResult, failed, type Routing, succeeded } from "./CallResult.ts"
import type { Counters } from "./Counters.ts"
import * as Deadline from "./Deadline.ts"
import { outOfPhase, type Workflows } from "./Workflows.ts"

/** A call as a transport hands it over. */
export interface Request {
  readonly tool: string
  /** Arguments; anything but an object is refused. */
  readonly args: unknown
  /** Connection the call belongs to; without one nothing is kept. */
  readonly session?: string | undefined
  /** Name the client gave. */
  readonly client?: string | undefined
}

/** An answer as the session may look at it again: whole, before anything is left out. */
export interface Kept {
  readonly tool: string
  readonly text: string
  readonly at: Date
}

export interface Options {
  /** Every tool, as data. */
  readonly catalog: Registry.Any
  /** Everything. */
  readonly full: Dispatcher
  /** What may run while a session plans. */
  readonly planning: Dispatcher
  /** Whether a session is planning. */
  readonly isPlanning: (session: string) => boolean
  /** The workflow a session goes through, and how it is moved on. */
  readonly workflow: Workflows
  /** Keeps an answer for a session. */
  readonly keep: (session: string, answer: Kept) => void
  readonly counters: Counters
  /** Takes what only the operator should see: causes of internal failures. */
  readonly log: (text: string) => void
  /** Absolute directories that no message may show. */
  readonly roots: ReadonlyArray<string>
  readonly limits?: Deadline.Limits | undefined
  /** Where work reports that calls wait for, such as a first index. */
  readonly elsewhere?: Deadline.Elsewhere | undefined
}

export interface Pipeline {
  readonly call: (request: Request, report?: Report) => Effect.Effect<CallResult>
}

/** Operations that cut earlier answers again are not answers to keep. */
const recut = "response"

/** The whole answer as text. Its JSON is spread over lines, so that line tools have something to work on. */
const wholeText = ({ answer, controls, render }: Outcome): string =>
  controls.format !== "json" && render !== undefined
    ? render(answer.value)
    : JSON.stringify(answer.value, null, 2)

/** How the input was understood, where that is not how it was written. */
const notes = ({ effective, input_normalization }: Outcome): UnknownRecord => ({
  ...(effective === undefined ? {} : { effective }),
  ...(input_normalization === undefined ? {} : { input_normalization })
})

export const make = (options: Options): Pipeline => {
  const admit = Admission.make(options.catalog)
  const limits = options.limits ?? Deadline.standard
  const roots = [...options.roots].filter((root) => root.length > 1).sort((a, b) => b.length - a.length)
  let calls = 0

  /** Replaces absolute forms of the served directories by relative ones. */
  const relative = (text: string): string =>
    roots.reduce((shown, root) => shown.replaceAll(`${root}/`, "").replaceAll(root, "."), text)

  /** Takes out a follow-up that does not hold, and says on the side that it did not. */
  const seal = <A>(holder: string, draft: A, situation: FollowUp.Situation): A | undefined => {
    if (!isFollowUp(draft)) return draft
    const checked = FollowUp.check(options.catalog, draft, situation)
    if (Either.isRight(checked)) return draft
    options.log(`${holder}: ${checked.left.message} ${JSON.stringify(checked.left.data ?? {})}`)
    return undefined
  }

  const sealFailure = (holder: string, reads: boolean, given: OperationFailure): OperationFailure => {
    const unknown = given.outcome_unknown === true
    return failure(given.code, relative(given.message), {
      field: given.field,
      reason_code: given.reason_code,
      failure_stage: given.failure_stage,
      // A read changes nothing, also where it did not think of saying so.
      state_changed: given.state_changed ?? (reads && !unknown ? false : undefined),
      outcome_unknown: given.outcome_unknown,
      data: given.data,
      recovery:
        given.recovery === undefined
          ? undefined
          : seal(holder, given.recovery, {
              outcomeUnknown: unknown,
              retryProven: given.state_changed === false
            })
    })
  }

  /** Seals the follow-ups at the top of an answer, and in the lists there. */
  const sealValue = (holder: string, value: UnknownRecord): UnknownRecord => {
    let changed: { [key: string]: unknown } | undefined
    for (const [key, inner] of Object.entries(value)) {
      const kept =
        Array.isArray(inner) && inner.some(isFollowUp)
          ? inner.filter((item) => seal(holder, item, {}) !== undefined)
          : seal(holder, inner, {})
      if (kept === inner) continue
      changed ??= { ...value }
      if (kept === undefined) delete changed[key]
      else changed[key] = kept
    }
    return changed ?? value
  }

  const finish = (routing: Routing, outcome: Outcome): CallResult => {
    const shown: Routing = { ...routing, operation: outcome.operation, canonical_tool: outcome.tool }
    const side = notes(outcome)
    const sideBytes = Object.keys(side).length === 0 ? 0 : byteLength(side)
    const sealed = sealValue(`${outcome.facade}.${outcome.operation}`, outcome.answer.value)
    const projected = project({
      ...outcome,
      answer: sealed === outcome.answer.value ? outcome.answer : { ...outcome.answer, value: sealed },
      controls: { ...outcome.controls, budget: Math.max(0, outcome.controls.budget - sideBytes) }
    })
    if (Either.isLeft(projected)) return failed(shown, projected.left)
    const { text, value } = projected.right
    if (sideBytes === 0) return succeeded(shown, value, text)
    return succeeded(
      shown,
      { ...side, ...value },
      text === undefined ? undefined : `${text}\n${JSON.stringify(side)}\n`
    )
  }

  const call = (request: Request, report?: Report): Effect.Effect<CallResult> =>
    Effect.gen(function* () {
      const started = yield* Clock.currentTimeMillis
      const requestId = `call-${++calls}`
      const count = (routing: Routing, outcome: string) =>
        Effect.map(Clock.currentTimeMillis, (now) => {
          options.counters.count(`${routing.facade}.${routing.operation}`, outcome, now - started)
        })
      const admitted = admit(request.tool, request.args)
      if (Either.isLeft(admitted)) {
        const { failure: refused, routing } = admitted.left
        yield* count(routing, refused.code)
        return failed(routing, refused)
      }
      const { args, facade, routing } = admitted.right
      const { session } = request
      const holder = `${routing.facade}.${routing.operation}`
      const writes = facade.effect !== "read"
      const dispatcher =
        session !== undefined && options.isPlanning(session) ? options.planning : options.full

      const inDoubt = writes ? { outcome_unknown: true } : { state_changed: false }
      const refuse = (given: OperationFailure) =>
        Effect.as(count(routing, given.code), failed(routing, sealFailure(holder, !writes, given)))

      const early =
        session === undefined ? undefined : outOfPhase(options.workflow, session, facade.effect, holder)
      if (early !== undefined) return yield* refuse(early)

      return yield* dispatcher.call({ facade: facade.name, args }).pipe(
        (running) =>
          Deadline.within(
            running,
            limits,
            (waited) =>
              failure("timeout", `${holder} was given up after ${Math.round(waited / 1000)} s`, inDoubt),
            options.elsewhere
          ),
        Effect.provideService(CallInfo, {
          requestId,
          ...(session === undefined ? {} : { session }),
          ...(request.client === undefined ? {} : { client: request.client }),
          ...(options.roots[0] === undefined ? {} : { directory: options.roots[0] })
        }),
        (running) => (report === undefined ? running : Effect.provideService(running, Progress, report)),
        Effect.tap((outcome) => count({ ...routing, operation: outcome.operation }, "ok")),
        Effect.tap((outcome) =>
          session === undefined || outcome.facade === recut
            ? Effect.void
            : Effect.map(Clock.currentTimeMillis, (now) =>
                options.keep(session, { tool: outcome.tool, text: wholeText(outcome), at: new Date(now) })
              )
        ),
        Effect.map((outcome) => finish(routing, outcome)),
        Effect.catchAllCause((cause) => {
          const expected = Option.getOrUndefined(Cause.failureOption(cause))
          if (expected instanceof OperationFailure) return refuse(expected)
          // The caller's own interruption does not come by here.
          if (Cause.isInterruptedOnly(cause))
            return refuse(failure("cancelled", `${holder} was interrupted`, inDoubt))
          options.log(`${requestId} ${holder}: ${Cause.pretty(cause, { renderErrorCause: true })}`)
          const thrown = expected ?? Option.getOrUndefined(Cause.dieOption(cause))
          return refuse(
            thrown instanceof ServiceFailure
              ? fromService(thrown)
              : failure(
                  "internal",
                  `${holder} failed inside the server; its log has the cause under ${requestId}`,
                  inDoubt
                )
          )
        })
      )
    })

  return { call }
}

const isFollowUp = (value: unknown): value is FollowUp.FollowUpData =>
  isRecord(value) &&
  typeof value["follow_up_kind"] === "string" &&
  typeof value["tool"] === "string" &&
  isRecord(value["arguments"])
