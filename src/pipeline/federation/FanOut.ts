/**
 * Asks other servers along with this one, for the operations that say so. What comes of them is in the answer, also when
 * that is nothing; none of them can make a call fail, nor keep it longer than their budget.
 */
import { Effect, Either, Fiber } from "effect"
import type { Policy } from "../../policy/Policy.ts"
import type { Principal } from "../../policy/Principal.ts"
import * as Answer from "../../registry/Answer.ts"
import type { Prepared } from "../../registry/Dispatcher.ts"
import { failure, type FailureCode, type OperationFailure } from "../../registry/Failure.ts"
import type { UnknownRecord } from "../../registry/Json.ts"
import * as Output from "../../registry/Output.ts"
import type { Outcome } from "../../registry/Projection.ts"
import type { PeerReply, Peers } from "../../services/Peers.ts"
import { merged, statesOf, theirs } from "./Merging.ts"

/** Failures that say no more than that a thing is not here. */
const notHere: ReadonlySet<FailureCode> = new Set([
  "symbol_not_found",
  "symbol_not_indexed",
  "file_not_indexed",
  "not_found",
  "workspace_unknown"
])

const withStates = (given: OperationFailure, states: ReadonlyArray<UnknownRecord>): OperationFailure =>
  failure(given.code, given.message, {
    field: given.field,
    reason_code: given.reason_code,
    failure_stage: given.failure_stage,
    state_changed: given.state_changed,
    outcome_unknown: given.outcome_unknown,
    data: { ...given.data, peers: states },
    recovery: given.recovery
  })

/** Servers that the settings name and that the caller does not ask. */
const unasked = { status: "disabled", ms: 0, detail: "it is not asked in this session" } as const

/** A call that is let through, and how it was put. */
export interface Asked {
  readonly policy: Policy
  readonly principal: Principal
  /** Name of the field that names the operation. */
  readonly discriminator: string
  readonly args: UnknownRecord
  /** Whether a server is asked. */
  readonly asks: (peer: Policy["peers"][number]) => boolean
}

/** The same call, asked of others as well where it may be. A peer's own call is never passed on. */
export const around = (
  peers: Peers["Type"] | undefined,
  { args, asks, discriminator, policy, principal }: Asked,
  prepared: Prepared
): Prepared => {
  const { decoded, operation } = prepared
  if (
    peers === undefined ||
    !operation.federated ||
    principal.kind === "federation" ||
    policy.peers.length === 0
  )
    return prepared
  const controls = Output.controls(decoded.value)
  if (controls.cursor !== undefined)
    return {
      ...prepared,
      run: Effect.map(prepared.run, (outcome) => ({
        ...outcome,
        elsewhere: {
          lists: {},
          answers: [],
          peers: policy.peers.map(({ name }) => ({
            name,
            status: "not_asked",
            detail: "a cursor continues this server's own answer"
          }))
        }
      }))
    }
  const call = { tool: operation.facade, arguments: { ...args, [discriminator]: operation.name } }
  const run = Effect.gen(function* () {
    const asked = policy.peers.filter(asks)
    const asking = yield* Effect.fork(peers.ask(asked, call))
    const here = yield* Effect.either(prepared.run)
    const answers = yield* Fiber.join(asking)
    const replies = policy.peers.map(
      (peer): PeerReply => answers[asked.indexOf(peer)] ?? { name: peer.name, ...unasked }
    )
    if (Either.isRight(here)) return merged(here.right, replies)
    const given = here.left
    const others = notHere.has(given.code) ? theirs(replies) : undefined
    if (others === undefined) return yield* Effect.fail(withStates(given, statesOf(replies)))
    const outcome: Outcome = {
      facade: operation.facade,
      operation: operation.name,
      tool: operation.tools[0] ?? operation.name,
      answer: Answer.answer({
        here: { status: "failed", error_code: given.code, message: given.message },
        ...others.value
      }),
      controls: { ...controls, format: "json" },
      position: { offset: 0 },
      fingerprint: () => "",
      render: undefined
    }
    return outcome
  })
  return { ...prepared, run }
}
