/**
 * The one path of a call: admission, decoding, authority, a person's consent, running once, a turn, the run under the
 * mode's dispatcher, the record of it, the projection. Every transport takes it, and whatever happens on the way comes
 * back as a result; only an interruption does not. What a stage refuses reaches none of those after it.
 */
import { randomBytes } from "node:crypto"
import { Cause, Context, Effect, Either, Option } from "effect"
import type { Policy } from "../policy/Policy.ts"
import { type Door, type Principal, stdioAgent } from "../policy/Principal.ts"
import { CallInfo, type Narrowed } from "../registry/CallInfo.ts"
import type { Dispatcher, Prepared } from "../registry/Dispatcher.ts"
import { failure, fromService, OperationFailure } from "../registry/Failure.ts"
import { hasRows } from "../registry/Gcx.ts"
import { byteLength, type UnknownRecord } from "../registry/Json.ts"
import { Progress, type Report } from "../registry/Progress.ts"
import { type Outcome, project } from "../registry/Projection.ts"
import type { Registry } from "../registry/Registry.ts"
import { renderer } from "../registry/Wire.ts"
import type { Choice } from "../surface/Selection.ts"
import { type Surface, surfaceOf } from "../surface/Surface.ts"
import type { Peers } from "../services/Peers.ts"
import type { PendingCalls } from "../services/PendingCalls.ts"
import { ServiceFailure } from "../services/ServiceFailure.ts"
import type { LoggedCall } from "../services/SessionView.ts"
import type { Ended } from "../telemetry/Ergonomics.ts"
import * as Admission from "./Admission.ts"
import * as Authority from "./Authority.ts"
import { type CallResult, failed, replayed, type Routing, succeeded } from "./CallResult.ts"
import * as Consent from "./Consent.ts"
import type { Counters } from "./Counters.ts"
import * as Deadline from "./Deadline.ts"
import { countedOf, endedOf, isEmpty } from "./Observation.ts"
import { loggedOf, rowsOf } from "./Remembered.ts"
import { keyOf, type Once, transactionOf } from "./Once.ts"
import type { Recorder } from "./Recorder.ts"
import { operationOf, routingTo } from "./Routing.ts"
import { isAsked } from "../registry/SessionModes.ts"
import * as FanOut from "./federation/FanOut.ts"
import * as Sealing from "./Sealing.ts"
import * as Speech from "./Speech.ts"
import type { Stops } from "./Stops.ts"
import { type Stage, Trail } from "./Trail.ts"
import * as Waiting from "./Waiting.ts"
import { Watchdog } from "./Watchdog.ts"
import type { Turns } from "./Turns.ts"
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
  /** Who calls, as the transport knows it; the agent that started this process when absent. */
  readonly principal?: Principal | undefined
  /** The way in; standard input when absent. */
  readonly door?: Door | undefined
  /** The tools the caller sees; the compact surface when absent. */
  readonly surface?: Choice | undefined
  /** Text form of an answer whose call does not say one; JSON when absent. Where `gcx` has no rows to show, it is `toon`. */
  readonly format?: "json" | "gcx" | undefined
  /** Whose turn it is when calls have to wait for each other; the session, else the principal, when absent. */
  readonly lane?: string | undefined
  /** Makes the call run once: another one with this id gets the same outcome. */
  readonly requestId?: string | undefined
}

/** An answer as the session may look at it again: whole, before anything is left out. */
export interface Kept {
  readonly tool: string
  readonly text: string
  readonly at: Date
  /** Makes the text that is looked at of the one that is kept; they are the same without it. */
  readonly unfold?: ((text: string) => string) | undefined
}

export interface Options {
  /** Every tool, as data. */
  readonly catalog: Registry.Any
  /** Everything. */
  readonly full: Dispatcher
  /** What may run while a session plans. */
  readonly planning: Dispatcher
  /** What other servers may have run here, and how they are asked. Without it, neither is done. */
  readonly federation?:
    | {
        readonly dispatcher: Dispatcher
        readonly peers?: Peers["Type"] | undefined
        /** What a session says of asking a server; undefined where it says nothing. */
        readonly said?: ((session: string, peer: string) => unknown) | undefined
      }
    | undefined
  /** Whether a session is planning. */
  readonly isPlanning: (session: string) => boolean
  /** The workflow a session goes through, and how it is moved on. */
  readonly workflow: Workflows
  /** Keeps an answer for a session. */
  readonly keep: (session: string, answer: Kept) => void
  readonly counters: Counters
  /** Told of every call that is over. What it throws is logged and changes nothing. */
  readonly observe?: ((call: Ended) => void) | undefined
  /** Remembers a call of a session that is over. */
  readonly remember?: ((session: string, call: LoggedCall) => void) | undefined
  /** What the settings say now. */
  readonly policy: () => Policy
  readonly turns: Turns
  /** What outlives the process. Without it nobody is asked, nothing runs only once and nothing is written down. */
  readonly records?:
    | {
        readonly consents: Consent.Consents
        readonly once: Once
        readonly recorder: Recorder
        /** Calls that wait for a person. */
        readonly pending: PendingCalls["Type"]
        readonly stops: Stops
      }
    | undefined
  /** The part of the workspace that calls see which narrow nothing themselves; all of it when absent. */
  readonly narrowed?: Narrowed | undefined
  /** Takes what only the operator should see: causes of internal failures. */
  readonly log: (text: string) => void
  /** Takes what an operator of a server should see of calls that keep the others waiting; nobody is told when absent. */
  readonly slow?: ((text: string) => void) | undefined
  /** Absolute directories that no message may show. */
  readonly roots: ReadonlyArray<string>
  readonly limits?: Deadline.Limits | undefined
  /** Where work reports that calls wait for, such as a first index. */
  readonly elsewhere?: Deadline.Elsewhere | undefined
}

/** What someone who does not simply wait for a call is told of it. */
export interface Watch {
  /** Run with `facade.operation` when nothing stands against the call any more, before it runs. Its failure stands against it. */
  readonly begun?: (operation: string) => Effect.Effect<void, OperationFailure>
  /** Run when the same call is under way already. */
  readonly joined?: Effect.Effect<void>
}

/** Why a transport turned a call away by itself. */
export interface Refusal {
  readonly failure: OperationFailure
  readonly stage: Stage
  /** `facade.operation` that the call was for, where that is known. */
  readonly operation?: string | undefined
}

export interface Pipeline {
  readonly call: (request: Request, report?: Report, watch?: Watch) => Effect.Effect<CallResult>
  /** Counts and writes down a call that was turned away before it came here; answers what it came to. Runs nothing. */
  readonly refuse: (request: Request, refusal: Refusal) => Effect.Effect<CallResult>
}

/** A call as it can be made without its session: a direct one through the facade. */
const lasting = (request: Request, { args, direct, facade }: Admission.Admitted): Request =>
  direct === undefined
    ? request
    : { ...request, tool: facade.name, args: { ...args, [facade.discriminator]: direct.name } }

/** Operations that cut earlier answers again are not answers to keep. */
const recut = "response"

/** JSON spread over lines, so that line tools have something to work on. */
const spread = (json: string): string => JSON.stringify(JSON.parse(json), null, 2)

/** The whole answer as text. `json` is its JSON where that is known already. */
const wholeText = (
  { answer, controls, render }: Outcome,
  json: string | undefined
): Pick<Kept, "text" | "unfold"> =>
  controls.format !== "json" && render !== undefined
    ? { text: render(answer.value) }
    : { text: json ?? JSON.stringify(answer.value), unfold: spread }

/** An outcome in the text form of its session, where the call says none. */
const formed = (outcome: Outcome, format: Request["format"]): Outcome => {
  if (format !== "gcx" || outcome.controls.stated === true) return outcome
  const form = hasRows(outcome.answer.value) ? format : "toon"
  const { controls, facade, operation, tool } = outcome
  return {
    ...outcome,
    controls: { ...controls, format: form },
    render: renderer(form, tool, { facade, operation, fields: controls.fields })
  }
}

/** How the input was understood, where that is not how it was written. */
const notes = ({ effective, input_normalization }: Outcome, { places }: Speech.Speech): UnknownRecord => ({
  ...(effective === undefined ? {} : { effective: places(effective) }),
  ...(input_normalization === undefined ? {} : { input_normalization })
})

export const make = (options: Options): Pipeline => {
  const admit = Admission.make(options.catalog)
  const compact = surfaceOf(options.catalog)
  /** The surface of a call that names one. */
  const seen = ({ surface }: Request): Surface | undefined =>
    surface === undefined ? undefined : surfaceOf(options.catalog, surface)
  const limits = options.limits ?? Deadline.standard
  const watchdog = options.slow === undefined ? undefined : new Watchdog(options.slow)
  const sealing = Sealing.make(options)
  /** Tells the calls of this process from those of others in what outlives it. */
  const instance = randomBytes(4).toString("hex")
  let calls = 0

  /** Makes the result. `keep` is told the JSON of the whole answer, where that is known. */
  const finish = (
    { routing, speech }: Trail,
    given: Outcome,
    format: Request["format"],
    keep: (whole: string | undefined) => void
  ): CallResult => {
    const outcome = formed(given, format)
    const shown: Routing = { ...routing, operation: outcome.operation, canonical_tool: outcome.tool }
    const side = notes(outcome, speech)
    const sideBytes = Object.keys(side).length === 0 ? 0 : byteLength(side)
    const sealed = sealing.value(`${outcome.facade}.${outcome.operation}`, outcome.answer.value, speech)
    const projected = project({
      ...outcome,
      answer: sealed === outcome.answer.value ? outcome.answer : { ...outcome.answer, value: sealed },
      controls: { ...outcome.controls, budget: Math.max(0, outcome.controls.budget - sideBytes) }
    })
    if (Either.isLeft(projected)) {
      keep(undefined)
      return failed(shown, projected.left)
    }
    const { json, text, value, whole } = projected.right
    keep(whole)
    if (sideBytes === 0) return succeeded(shown, value, text, json)
    return succeeded(
      shown,
      { ...side, ...value },
      text === undefined
        ? undefined
        : outcome.controls.format === "gcx"
          ? `${text}# ${JSON.stringify(side)}\n`
          : `${text}\n${JSON.stringify(side)}\n`
    )
  }

  /** Runs what was let through, and makes a result of whatever comes of it. */
  const perform = (
    request: Request,
    trail: Trail,
    prepared: Prepared,
    report: Report | undefined
  ): Effect.Effect<CallResult> => {
    const { session } = request
    const holder = `${prepared.operation.facade}.${prepared.operation.name}`
    const writes = prepared.operation.effect !== "read"
    const inDoubt = writes ? { outcome_unknown: true } : { state_changed: false }
    const transactionFor = (requestId: string) =>
      transactionOf({ principalId: trail.principal.id, requestId }, options.roots[0] ?? "")
    const refuse = (given: OperationFailure) =>
      failed(trail.routing, sealing.failure(holder, !writes, given, trail.speech))
    const info = CallInfo.of({
      requestId: trail.requestId,
      ...(options.records === undefined
        ? {}
        : {
            transactionFor,
            ...(request.requestId === undefined || !writes
              ? {}
              : { transaction: transactionFor(request.requestId) })
          }),
      ...(session === undefined ? {} : { session }),
      ...(request.client === undefined ? {} : { client: request.client }),
      ...(options.roots[0] === undefined ? {} : { directory: options.roots[0] }),
      ...(options.narrowed === undefined ? {} : { narrowed: options.narrowed }),
      surface: (seen(request) ?? compact).details
    })
    const project = (outcome: Outcome): CallResult => {
      trail.stage = "project"
      trail.empty = isEmpty(outcome.answer)
      trail.rows = rowsOf(outcome.answer)
      return finish(trail, outcome, request.format, (whole) => {
        if (session !== undefined && outcome.facade !== recut)
          options.keep(session, {
            tool: outcome.tool,
            at: new Date(trail.now()),
            ...wholeText(outcome, whole)
          })
      })
    }
    const explain = (cause: Cause.Cause<OperationFailure>): CallResult => {
      const expected = Option.getOrUndefined(Cause.failureOption(cause))
      if (expected instanceof OperationFailure) return refuse(expected)
      // The caller's own interruption does not come by here.
      if (Cause.isInterruptedOnly(cause))
        return refuse(failure("cancelled", `${holder} was interrupted`, inDoubt))
      options.log(`${trail.requestId} ${holder}: ${Cause.pretty(cause, { renderErrorCause: true })}`)
      const thrown = expected ?? Option.getOrUndefined(Cause.dieOption(cause))
      return refuse(
        thrown instanceof ServiceFailure
          ? fromService(thrown)
          : failure(
              "internal",
              `${holder} failed inside the server; its log has the cause under ${trail.requestId}`,
              inDoubt
            )
      )
    }
    const running = options.turns.take(request.lane ?? session ?? trail.principal.id, (sit) =>
      Deadline.within(
        prepared.run,
        limits,
        (waited) =>
          failure("timeout", `${holder} was given up after ${Math.round(waited / 1000)} s`, inDoubt),
        {
          during: (report) => {
            trail.stage = "run"
            const leave = sit()
            const over = watchdog?.during(holder)
            const end = options.elsewhere?.(report)
            return () => {
              end?.()
              over?.()
              leave()
            }
          },
          abandon: () => options.turns.abandon(),
          services: Context.make(CallInfo, info)
        }
      )
    )
    return Effect.matchCause(
      report === undefined ? running : Effect.provideService(running, Progress, report),
      {
        onFailure: explain,
        onSuccess: (outcome) => {
          try {
            return project(outcome)
          } catch (thrown) {
            return explain(Cause.die(thrown))
          }
        }
      }
    )
  }

  /** Takes a call through the stages before its run. A refusal is the failure; its stage is on the trail. */
  const pass = (
    request: Request,
    trail: Trail,
    report: Report | undefined,
    watch: Watch,
    policy: Policy
  ): Effect.Effect<CallResult, OperationFailure> =>
    Effect.suspend((): Effect.Effect<CallResult, OperationFailure> => {
      const { records } = options
      const { principal } = trail
      const { session } = request
      const surface = seen(request)
      trail.speech = Speech.of(surface, undefined)
      const admitted = admit(request.tool, request.args, surface)
      if (Either.isLeft(admitted)) {
        trail.routing = admitted.left.routing
        return Effect.fail(admitted.left.failure)
      }
      const { args, direct, facade, routing } = admitted.right
      if (direct !== undefined) trail.speech = Speech.of(surface, direct)
      trail.routing = routing
      trail.effect = facade.effect
      trail.stage = "decode"
      const planning = session !== undefined && options.isPlanning(session)
      const dispatcher =
        principal.kind === "federation"
          ? options.federation?.dispatcher
          : planning
            ? options.planning
            : options.full
      if (dispatcher === undefined)
        return Effect.fail(
          failure("remote_disabled", "this server answers no other servers", { failure_stage: "admission" })
        )
      const preparation = dispatcher.prepare({
        facade: facade.name,
        operation: direct,
        args
      })
      if (Either.isLeft(preparation)) {
        // Mending arguments would not help a caller who may not make the call anyway.
        const aimed = options.catalog.lookup(routing.facade, routing.operation)
        const ungranted = aimed === undefined ? undefined : Authority.ungranted(policy, principal, aimed)
        if (ungranted === undefined) return Effect.fail(preparation.left)
        trail.stage = "authority"
        return Effect.fail(ungranted)
      }
      const prepared = FanOut.around(
        options.federation?.peers,
        {
          policy,
          principal,
          discriminator: facade.discriminator,
          args,
          asks: ({ enabled, name }) =>
            isAsked(session === undefined ? undefined : options.federation?.said?.(session, name), enabled)
        },
        preparation.right
      )
      trail.prepared(prepared)
      trail.stage = "authority"
      const holder = `${routing.facade}.${routing.operation}`
      const refused =
        Authority.refusal(policy, principal, prepared) ??
        (session === undefined ? undefined : outOfPhase(options.workflow, session, facade.effect, holder))
      if (refused !== undefined) return Effect.fail(refused)

      const run = Effect.suspend(() => {
        trail.stage = "turn"
        trail.decision = "allowed"
        const performed =
          watch.begun === undefined
            ? perform(request, trail, prepared, report)
            : Effect.matchEffect(watch.begun(holder), {
                onFailure: (given) => Effect.succeed(failed(trail.routing, given)),
                onSuccess: () => perform(request, trail, prepared, report)
              })
        return records === undefined ? performed : records.recorder.around(trail, performed)
      })
      if (records === undefined) return run
      const asks = policy.asks(principal, prepared.operation)
      if (request.requestId === undefined && !asks) return run
      return Effect.gen(function* () {
        const digest = trail.digest as string
        const draft =
          request.requestId === undefined
            ? undefined
            : {
                principalId: principal.id,
                requestId: request.requestId,
                operation: holder,
                fingerprint: digest,
                write: facade.effect !== "read"
              }
        const answered = (outcome: { readonly result: CallResult; readonly duplicate: boolean }) => {
          if (!outcome.duplicate) return outcome.result
          trail.decision = "replayed"
          return replayed(outcome.result)
        }
        if (asks) {
          // What ran already is not asked about again.
          trail.stage = "idempotency"
          const known = draft === undefined ? undefined : yield* records.once.known(draft, watch.joined)
          if (known !== undefined) return answered(known)
          if (draft !== undefined) yield* Waiting.unlessOther(records.pending, draft)
          trail.stage = "approval"
          trail.approval = yield* Consent.pass(records.consents, policy, principal, prepared, digest).pipe(
            Effect.tapError(({ code, data }) => {
              if (code === "approval_required") trail.decision = "pending"
              trail.approval = Consent.referenceOf(data)
              return draft === undefined || code !== "approval_required"
                ? Effect.void
                : Waiting.keep(records.pending, draft, lasting(request, admitted.right), trail, data)
            })
          )
        }
        if (draft === undefined) return yield* run
        trail.stage = "idempotency"
        const outcome = yield* records.once.run(
          draft,
          records.stops.around(keyOf(draft), run, (reason) =>
            Effect.sync(() =>
              failed(
                trail.routing,
                failure("cancelled", `${holder} was cancelled: ${reason}`, {
                  reason_code: "stopped",
                  ...(trail.stage === "turn" || facade.effect === "read"
                    ? { state_changed: false }
                    : { outcome_unknown: true })
                })
              )
            )
          ),
          watch.joined
        )
        if (asks) yield* Effect.ignore(records.pending.remove(draft))
        return answered(outcome)
      })
    })

  /** Takes a call its way, makes a result of a refusal, and sees to it that everybody is told who is to be told. */
  const follow = (
    request: Request,
    way: (trail: Trail, policy: Policy) => Effect.Effect<CallResult, OperationFailure>
  ): Effect.Effect<CallResult> =>
    Effect.clockWith((clock) => {
      // Looked at once a call: it may mean looking at files.
      const policy = options.policy()
      const trail = new Trail(
        `call-${instance}-${++calls}`,
        request.principal ?? stdioAgent,
        request.door ?? "stdio",
        request.session,
        request.tool,
        clock
      )
      const close = (result: CallResult): Effect.Effect<CallResult> => {
        const now = trail.now()
        options.counters.count(countedOf(trail, result, now - trail.started))
        if (trail.session !== undefined) options.remember?.(trail.session, loggedOf(trail, result, now))
        try {
          options.observe?.(endedOf(trail, result))
        } catch (cause) {
          options.log(`${trail.requestId}: the call could not be observed: ${String(cause)}`)
        }
        return options.records === undefined
          ? Effect.succeed(result)
          : options.records.recorder.close(trail, result, now, policy)
      }
      return Effect.matchEffect(way(trail, policy), {
        onFailure: (refused) =>
          close(
            failed(
              trail.routing,
              sealing.failure(
                `${trail.routing.facade}.${trail.routing.operation}`,
                trail.effect === "read",
                refused,
                trail.speech
              )
            )
          ),
        onSuccess: close
      })
    })

  return {
    call: (request, report, watch = {}) =>
      follow(request, (trail, policy) => pass(request, trail, report, watch, policy)),
    refuse: (request, { failure: given, operation, stage }) =>
      follow(request, (trail) => {
        trail.stage = stage
        if (operation !== undefined) {
          trail.effect = operationOf(options.catalog, operation)?.effect
          trail.routing = routingTo(options.catalog, operation)
        }
        return Effect.fail(given)
      })
  }
}
