/** Calls of the tool contract: made, looked up, agreed to, had made, stopped. */
import { HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import type { IncomingMessage } from "node:http"
import * as Catalog from "../../../pipeline/Catalog.ts"
import { json, type Plain } from "../Plain.ts"
import { principal, type Reply, Serving } from "../Serving.ts"
import * as Call from "./Call.ts"
import { accepted, outcomeOf } from "./Envelope.ts"
import { fail } from "./Failures.ts"
import { approver, bodyOf, sameKey, text } from "./Request.ts"
import { begun, looked, noCall, send, thrown } from "./Responses.ts"
import { Approve, Cancel, Confirm } from "./Schemas.ts"

type Needs = Serving | HttpServerRequest.HttpServerRequest

/** Asks the engine; what it rejects with is a response. */
export const ask = <A>(
  context: { readonly [key: string]: unknown },
  question: () => Promise<A>
): Effect.Effect<A, Plain, Serving> =>
  Effect.catchAll(Effect.tryPromise({ try: question, catch: (cause) => ({ cause }) }), ({ cause }) =>
    Effect.flatMap(Serving, ({ log }) => Effect.fail(thrown(log, cause, context)))
  )

/** `POST /api/cos/tools/call`, where its address was written in a way that the platform had to find it. */
export const call: Effect.Effect<Plain, Reply, Needs> = Effect.gen(function* () {
  const who = yield* principal("ui", "http")
  const { headers, source } = yield* HttpServerRequest.HttpServerRequest
  const server = yield* Serving
  const given = yield* text
  const asking = { who, headers, source: source as Partial<IncomingMessage>, text: given }
  return yield* Effect.promise(() => Call.call(server, asking))
})

/** `GET /api/cos/tools/calls/:requestId` */
export const lookup = (requestId: string): Effect.Effect<Plain, Reply, Needs> =>
  Effect.gen(function* () {
    const who = yield* principal("ui", "http")
    const { engine } = yield* Serving
    const context = { requestId }
    const found = yield* ask(context, () => engine.jobs.find({ principalId: who.id, requestId }))
    return found === undefined ? noCall(requestId) : looked(requestId, found)
  })

/** `POST …/calls/:requestId/approve` */
export const approve = (requestId: string): Effect.Effect<Plain, Reply, Needs> =>
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
    return json(200, { type: "portos_tool_approval", requestId, reference, ...ticket })
  })

/** `POST …/calls/:requestId/confirm` */
export const confirm = (requestId: string): Effect.Effect<Plain, Reply, Needs> =>
  Effect.gen(function* () {
    const who = yield* principal("ui", "http")
    yield* approver
    const { engine } = yield* Serving
    const { approvalId } = yield* bodyOf(Confirm)
    yield* sameKey(requestId)
    const context = { requestId }
    const made = yield* ask(context, () =>
      engine.jobs.confirm(requestId, approvalId, who.id, ({ operation }) =>
        Call.isJob(Catalog.of(engine.registry).resolve(operation))
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
export const cancel = (requestId: string): Effect.Effect<Plain, Reply, Needs> =>
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
