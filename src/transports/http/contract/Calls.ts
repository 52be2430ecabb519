/** Calls of the tool contract: made, looked up, agreed to, had made, stopped. */
import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { Effect, Either } from "effect"
import type { CallResult } from "../../../pipeline/CallResult.ts"
import * as Catalog from "../../../pipeline/Catalog.ts"
import type { Found, Started } from "../../../pipeline/Engine.ts"
import type { Principal } from "../../../policy/Principal.ts"
import { principal, Serving } from "../Serving.ts"
import { accepted, outcomeOf, statusOf, type ToolResult, waiting, waitingCall } from "./Envelope.ts"
import { fail, refusalOf, responseTo } from "./Failures.ts"
import { approver, bodyOf, laneOf, preferenceOf, sameKey } from "./Request.ts"
import { Approve, Call, Cancel, Confirm } from "./Schemas.ts"

type Response = HttpServerResponse.HttpServerResponse
type Needs = Serving | HttpServerRequest.HttpServerRequest

const send = (result: ToolResult, status: number = statusOf(result), headers: Record<string, string> = {}) =>
  HttpServerResponse.unsafeJson(result, { status, headers: { "cache-control": "no-store", ...headers } })

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null

/** What the engine rejected with, as a response. */
const thrown = (
  cause: unknown,
  context: { readonly [key: string]: unknown }
): Effect.Effect<Response, never, Serving> =>
  Effect.gen(function* () {
    const { log } = yield* Serving
    const failure = isRecord(cause) ? cause : {}
    const known = responseTo(
      {
        failure_stage: failure["failure_stage"],
        code: failure["code"],
        message: failure["message"],
        reason_code: failure["reason_code"],
        field: failure["field"],
        data: failure["data"],
        state_changed: failure["state_changed"]
      },
      context
    )
    if (known !== undefined) return known
    if (failure["_tag"] === "InterruptedException")
      return fail("SERVICE_UNAVAILABLE", "the server is ending", context, 1000)
    switch (failure["reason"]) {
      case "conflict":
        return fail("CONFIRMATION_INVALID", String(failure["detail"]), context)
      case "not_found":
        return fail("APPROVAL_NOT_FOUND", String(failure["detail"]), context)
      case "io_error":
        return fail("SERVICE_UNAVAILABLE", "the records cannot be used", context, 1000)
      default:
        log(`http: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`)
        return fail("INTERNAL_ERROR", "the server failed; its log says more", context)
    }
  })

/** Asks the engine; what it rejects with is a response. */
export const ask = <A>(
  context: { readonly [key: string]: unknown },
  question: () => Promise<A>
): Effect.Effect<A, Response, Serving> =>
  Effect.catchAll(Effect.tryPromise({ try: question, catch: (cause) => ({ cause }) }), ({ cause }) =>
    Effect.flatMap(thrown(cause, context), Effect.fail)
  )

/** Everything that fails here fails with the response to it. */
export const answered = <R>(
  effect: Effect.Effect<Response, Response, R>
): Effect.Effect<Response, never, R> => Effect.catchAll(effect, Effect.succeed)

/** Writes down that a call came by a name there is none of, and says so. */
const unknownTool = (
  requestId: string,
  name: string,
  who: Principal
): Effect.Effect<Response, Response, Serving> =>
  Effect.gen(function* () {
    const { engine } = yield* Serving
    const failure = Catalog.of(engine.registry).unknown(name)
    const context = { requestId, name, ...failure.data }
    yield* ask(context, () =>
      engine.refuse({ tool: name, args: {}, principal: who, door: "http" }, { failure, stage: "admission" })
    )
    return fail("TOOL_NOT_FOUND", failure.message, context)
  })

const approvalOf = ({ structuredContent }: CallResult) => {
  const data = structuredContent["data"]
  const approval = isRecord(data) ? data["approval"] : undefined
  return isRecord(approval)
    ? {
        reference: String(approval["reference"]),
        expiresAt: String(approval["expires_at"]),
        digest: String(approval["digest"])
      }
    : undefined
}

/** The response to a result: refused, waiting for a person, or run. */
const responded = (requestId: string, name: string, result: CallResult): Response => {
  if (result.isError === true && result.structuredContent["error_code"] === "approval_required") {
    const approval = approvalOf(result)
    if (approval !== undefined) return send(waiting(requestId, name, approval))
  }
  return refusalOf(result, { requestId, name }) ?? send(outcomeOf(requestId, name, result))
}

const begun = (
  requestId: string,
  name: string,
  started: Started,
  headers: Record<string, string> = {}
): Response =>
  started.tag === "job"
    ? send(accepted(requestId, started.job, started.duplicate), 202, {
        location: `/api/cos/tools/calls/${requestId}`,
        ...headers
      })
    : responded(requestId, name, started.result)

/** Whether a call of a tool is a job when its caller says nothing. */
const isJob = (entry: Catalog.CatalogEntry | undefined): boolean => entry?.policy.async === true

const seconds = 1000

/** Waits a while for an answer; undefined when there is none by then. */
const within = <A>(promise: Promise<A>, ms: number): Promise<A | undefined> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => resolve(undefined), ms)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })

/** `POST /api/cos/tools/call` */
export const call: Effect.Effect<Response, Response, Needs> = Effect.gen(function* () {
  const who = yield* principal("ui", "http")
  const request = yield* HttpServerRequest.HttpServerRequest
  const { engine } = yield* Serving
  const { arguments: args, name: asked, requestId } = yield* bodyOf(Call)
  yield* sameKey(requestId)
  const entry = Catalog.of(engine.registry).resolve(asked)
  if (entry === undefined) return yield* unknownTool(requestId, asked, who)
  const { name } = entry
  const context = { requestId, name }
  const target = Catalog.of(engine.registry).callOf(entry, args)
  if (Either.isLeft(target)) {
    // Who may not make the call at all is told that first.
    const denied = Catalog.of(engine.registry).denial(engine.policy(), who, entry)
    const failure = denied ?? target.left
    const { message } = failure
    yield* ask(context, () =>
      engine.refuse(
        { tool: name, args, principal: who, door: "http" },
        { failure, stage: denied === undefined ? "decode" : "authority", operation: name }
      )
    )
    return responseTo({ ...failure, message }, context) ?? fail("TOOL_VALIDATION_ERROR", message, context)
  }
  const made = {
    ...target.right,
    principal: who,
    door: "http",
    requestId,
    lane: laneOf(request, who.id)
  } as const
  const { respondAsync, wait } = preferenceOf(request.headers["prefer"])
  if (!respondAsync && !isJob(entry))
    return responded(requestId, name, yield* ask(context, () => engine.call(made)))
  const started = yield* ask(context, () => engine.jobs.start(made))
  if (started.tag === "job" && !respondAsync && wait !== undefined) {
    const end = yield* ask(context, () => within(ended(engine, who.id, requestId), wait * seconds))
    if (end !== undefined) return looked(requestId, end)
  }
  return begun(requestId, name, started, respondAsync ? { "preference-applied": "respond-async" } : {})
})

type EngineOf = Serving["Type"]["engine"]

/** What a call is known as once it is over. */
const ended = async (
  engine: EngineOf,
  principalId: string,
  requestId: string
): Promise<Found | undefined> => {
  const found = await engine.jobs.find({ principalId, requestId })
  if (found?.tag !== "job") return found
  for await (const _ of engine.jobs.events(found.job.id, 0));
  return engine.jobs.find({ principalId, requestId })
}

const looked = (requestId: string, found: Found): Response => {
  switch (found.tag) {
    case "job":
      return send(
        accepted(requestId, found.job, false, found.job.state === "queued" ? "accepted" : "running"),
        200
      )
    case "waiting":
      return send(waitingCall(found.call))
    case "done":
      return send(outcomeOf(requestId, found.record.operation, found.result, false), 200)
  }
}

/** `GET /api/cos/tools/calls/:requestId` */
export const lookup = (requestId: string): Effect.Effect<Response, Response, Needs> =>
  Effect.gen(function* () {
    const who = yield* principal("ui", "http")
    const { engine } = yield* Serving
    const context = { requestId }
    const found = yield* ask(context, () => engine.jobs.find({ principalId: who.id, requestId }))
    return found === undefined ? noCall(requestId) : looked(requestId, found)
  })

const noCall = (requestId: string): Response =>
  fail("TOOL_CALL_NOT_FOUND", `no call of yours is known as ${requestId}`, { requestId })

/** `POST …/calls/:requestId/approve` */
export const approve = (requestId: string): Effect.Effect<Response, Response, Needs> =>
  Effect.gen(function* () {
    const who = yield* principal("ui", "http")
    yield* approver
    const { engine } = yield* Serving
    const { reference } = yield* bodyOf(Approve)
    yield* sameKey(requestId)
    const context = { requestId, reference }
    const ticket = yield* ask(context, () => engine.jobs.approve(requestId, reference, who.id))
    if (ticket === undefined)
      return fail("TOOL_CALL_NOT_FOUND", `no call ${requestId} waits under ${reference}`, context)
    return HttpServerResponse.unsafeJson(
      { type: "portos_tool_approval", requestId, reference, ...ticket },
      { headers: { "cache-control": "no-store" } }
    )
  })

/** `POST …/calls/:requestId/confirm` */
export const confirm = (requestId: string): Effect.Effect<Response, Response, Needs> =>
  Effect.gen(function* () {
    const who = yield* principal("ui", "http")
    yield* approver
    const { engine } = yield* Serving
    const { approvalId } = yield* bodyOf(Confirm)
    yield* sameKey(requestId)
    const context = { requestId }
    const made = yield* ask(context, () =>
      engine.jobs.confirm(requestId, approvalId, who.id, ({ operation }) =>
        isJob(Catalog.of(engine.registry).resolve(operation))
      )
    )
    if (made === undefined)
      return fail(
        "CONFIRMATION_INVALID",
        "that approval is none of yours for this call, is used up, or has lapsed",
        context
      )
    const { call: pending, started } = made
    if (started.tag === "result" && started.result.structuredContent["error_code"] === "approval_required")
      return fail("CONFIRMATION_INVALID", "what the call touches has moved, so the approval is void", {
        ...context,
        reason: "moved"
      })
    return begun(requestId, pending.operation, started)
  })

/** `POST …/calls/:requestId/cancel` */
export const cancel = (requestId: string): Effect.Effect<Response, Response, Needs> =>
  Effect.gen(function* () {
    const who = yield* principal("ui", "http")
    const { engine } = yield* Serving
    const { reason } = yield* bodyOf(Cancel)
    yield* sameKey(requestId)
    const context = { requestId }
    const key = { principalId: who.id, requestId }
    const stopped = yield* ask(context, () => engine.jobs.stop(key, reason ?? "its caller asked"))
    if (stopped === undefined) return noCall(requestId)
    switch (stopped.tag) {
      case "stopped":
      case "over":
        return send(
          {
            ...outcomeOf(requestId, stopped.record.operation, stopped.result, false),
            cancellation: stopped.tag === "over" ? "already_terminal" : "stopped"
          },
          200
        )
      case "withdrawn":
        return send({
          type: "portos_tool_result",
          requestId,
          name: stopped.call.operation,
          version: 1,
          state: "cancelled",
          duplicate: false,
          cancellation: "withdrawn"
        })
      case "stopping": {
        const found = yield* ask(context, () => engine.jobs.find(key))
        if (found?.tag === "job")
          return send({ ...accepted(requestId, found.job, false, "running"), cancellation: "requested" }, 202)
        return found === undefined ? noCall(requestId) : looked(requestId, found)
      }
      case "elsewhere":
        return fail("INVALID_STATE", "another server runs that call, and only it can stop it", context)
    }
  })
