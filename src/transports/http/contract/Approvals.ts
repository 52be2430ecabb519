/** Questions to a person, listed and settled. */
import type { HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import type { Approval } from "../../../pipeline/Engine.ts"
import { json, type Plain } from "../Plain.ts"
import { principal, type Reply, Serving } from "../Serving.ts"
import { ask } from "./Calls.ts"
import { fail } from "./Failures.ts"
import { approver, bodyOf, isApprover } from "./Request.ts"
import { type approvalStates, Verdict } from "./Schemas.ts"

type Needs = Serving | HttpServerRequest.HttpServerRequest

const shown = (approval: Approval) => ({
  reference: approval.reference,
  state: approval.state,
  tool: `${approval.facade}.${approval.operation}`,
  effect: approval.effect,
  principal: approval.principalId,
  digest: approval.digest,
  files: Object.keys(approval.subject.files),
  ...(approval.arguments === undefined ? {} : { arguments: approval.arguments }),
  createdAt: approval.createdAt,
  expiresAt: approval.expiresAt,
  ...(approval.decidedAt === undefined ? {} : { decidedAt: approval.decidedAt }),
  ...(approval.decidedBy === undefined ? {} : { decidedBy: approval.decidedBy })
})

/** `GET /api/cos/tools/approvals`: all of them for the approver, a caller's own for the caller. */
export const list = (
  state: (typeof approvalStates)[number] | undefined
): Effect.Effect<Plain, Reply, Needs> =>
  Effect.gen(function* () {
    const who = yield* principal("ui", "http")
    const { engine } = yield* Serving
    const all = yield* isApprover
    const found = yield* ask({}, () => engine.approvals.list(state === undefined ? undefined : [state]))
    return json(200, {
      type: "portos_tool_approvals",
      approvals: found
        .filter(
          (approval) =>
            (all || approval.principalId === who.id) && (state ?? approval.state) === approval.state
        )
        .map(shown)
    })
  })

/** `POST /api/cos/tools/approvals/:reference` */
export const decide = (reference: string): Effect.Effect<Plain, Reply, Needs> =>
  Effect.gen(function* () {
    const who = yield* principal("ui", "http")
    yield* approver
    const { engine } = yield* Serving
    const { verdict } = yield* bodyOf(Verdict)
    const context = { reference }
    const known = yield* ask(context, () => engine.approvals.get(reference))
    if (known === undefined) return fail("APPROVAL_NOT_FOUND", `there is no question ${reference}`, context)
    return json(200, shown(yield* ask(context, () => engine.approvals.decide(reference, verdict, who.id))))
  })
