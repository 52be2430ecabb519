/**
 * The stage that asks a person. A question is about one operation with exactly these arguments, on the files and the
 * snapshot as they are now; an answer lets that call through once.
 */
import { Effect } from "effect"
import type { Policy } from "../policy/Policy.ts"
import { cli, type Principal } from "../policy/Principal.ts"
import type { Prepared } from "../registry/Dispatcher.ts"
import { failure, fromService, type OperationFailure } from "../registry/Failure.ts"
import { equal, isRecord, type UnknownRecord } from "../registry/Json.ts"
import type { Approval, ApprovalStore, ApprovalSubject } from "../services/ApprovalStore.ts"
import type { AuditLedger } from "../services/AuditLedger.ts"
import type { ServiceFailure } from "../services/ServiceFailure.ts"

export interface Consents {
  readonly store: ApprovalStore["Type"]
  /** What a call touches, as it is now. */
  readonly subjectOf: (prepared: Prepared) => Effect.Effect<ApprovalSubject, ServiceFailure>
}

const waiting = ({ digest, expiresAt, reference, state }: Approval, holder: string): OperationFailure =>
  state === "denied"
    ? failure("approval_denied", `a person said no to ${holder}`, {
        field: "operation",
        failure_stage: "admission",
        data: { approval: { reference, state } }
      })
    : failure(
        "approval_required",
        `${holder} waits for a person to agree; make the same call again once ${reference} is approved`,
        {
          field: "operation",
          failure_stage: "admission",
          data: { approval: { reference, state, expires_at: expiresAt, digest } }
        }
      )

const fromStore = (cause: ServiceFailure): OperationFailure =>
  fromService(cause, { failure_stage: "admission", state_changed: false })

/**
 * Lets a call pass that nobody asks about, or that a person agreed to. Answers the reference of what it used up.
 */
export const pass = (
  consents: Consents,
  policy: Policy,
  principal: Principal,
  prepared: Prepared,
  digest: string
): Effect.Effect<string, OperationFailure> =>
  Effect.gen(function* () {
    const { operation } = prepared
    const holder = `${operation.facade}.${operation.name}`
    const subject = yield* consents.subjectOf(prepared)
    const standing = yield* consents.store.standing(principal.id, digest)
    if (standing !== undefined) {
      if (!equal(standing.subject, subject)) {
        yield* consents.store.invalidate(standing.reference)
      } else if (standing.state !== "approved") {
        return yield* waiting(standing, holder)
      } else if (yield* consents.store.consume(standing.reference)) {
        return standing.reference
      }
    }
    const asked = yield* consents.store.request({
      principalKind: principal.kind,
      principalId: principal.id,
      facade: operation.facade,
      operation: operation.name,
      effect: operation.effect,
      digest,
      subject,
      arguments: prepared.decoded.value,
      lifeMs: policy.approvalMs
    })
    return yield* waiting(asked, holder)
  }).pipe(Effect.catchTag("ServiceFailure", (cause) => Effect.fail(fromStore(cause))))

/** Settles a question for the one who was asked, and writes that down. `by` names who settles it, as a principal's id. */
export const decided = (
  store: ApprovalStore["Type"],
  ledger: AuditLedger["Type"],
  reference: string,
  verdict: "approved" | "denied",
  by: string
): Effect.Effect<Approval, ServiceFailure> =>
  Effect.tap(store.decide(reference, verdict, by), (approval) =>
    ledger.append([
      {
        at: approval.decidedAt ?? approval.createdAt,
        request_id: reference,
        principal_kind: by === cli.id ? cli.kind : "ui",
        principal_id: by,
        door: by === cli.id ? "cli" : "http",
        session: undefined,
        layer: "target",
        facade: approval.facade,
        operation: approval.operation,
        canonical_tool: `${approval.facade}.${approval.operation}`,
        effect: approval.effect,
        decision: verdict,
        stage: "approval",
        approval: reference,
        duration_ms: 0,
        outcome: verdict,
        state_changed: false,
        arguments_digest: approval.digest
      }
    ])
  )

/** The reference in what a refusal of this stage says. */
export const referenceOf = (data: UnknownRecord | undefined): string | undefined => {
  const approval = data?.["approval"]
  const reference = isRecord(approval) ? approval["reference"] : undefined
  return typeof reference === "string" ? reference : undefined
}
