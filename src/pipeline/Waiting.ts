/** Calls under a request id that wait for a person: kept so that whoever agrees can have them made. */
import { Effect } from "effect"
import { type Door, doors, type Principal, type PrincipalKind, principalKinds } from "../policy/Principal.ts"
import { fromService, type OperationFailure } from "../registry/Failure.ts"
import { isRecord, type UnknownRecord } from "../registry/Json.ts"
import type { RecordDraft } from "../services/CallRecords.ts"
import type { PendingCall, PendingCalls } from "../services/PendingCalls.ts"
import type { ServiceFailure } from "../services/ServiceFailure.ts"
import { conflict } from "./Once.ts"
import type { Request } from "./Pipeline.ts"

const fromStore = (cause: ServiceFailure): OperationFailure =>
  fromService(cause, { failure_stage: "admission", state_changed: false })

/** Fails when another call waits under the id. */
export const unlessOther = (
  pending: PendingCalls["Type"],
  draft: RecordDraft
): Effect.Effect<void, OperationFailure> =>
  Effect.flatMap(Effect.mapError(pending.find(draft), fromStore), (waiting) =>
    waiting === undefined || waiting.fingerprint === draft.fingerprint
      ? Effect.void
      : Effect.fail(conflict(draft.requestId))
  )

/** Keeps a call that a person was asked about. `data` is what the refusal says of the question. */
export const keep = (
  pending: PendingCalls["Type"],
  draft: RecordDraft,
  request: Request,
  caller: { readonly principal: Principal; readonly door: Door },
  data: UnknownRecord | undefined
): Effect.Effect<void, OperationFailure> => {
  const approval = data?.["approval"]
  const { expires_at, reference } = isRecord(approval) ? approval : {}
  if (typeof reference !== "string" || typeof expires_at !== "string") return Effect.void
  return Effect.mapError(
    pending.put({
      principalId: draft.principalId,
      requestId: draft.requestId,
      principalKind: caller.principal.kind,
      authenticated: caller.principal.authenticated,
      door: caller.door,
      tool: request.tool,
      arguments: request.args,
      operation: draft.operation,
      fingerprint: draft.fingerprint,
      reference,
      expiresAt: expires_at
    }),
    fromStore
  )
}

/** The call as it was made; undefined when it was kept by a build with other kinds of callers. */
export const requestOf = (waiting: PendingCall): Request | undefined => {
  const { arguments: args, authenticated, door, principalId, principalKind, requestId, tool } = waiting
  if (!(principalKinds as ReadonlyArray<string>).includes(principalKind)) return undefined
  if (!(doors as ReadonlyArray<string>).includes(door)) return undefined
  return {
    tool,
    args,
    requestId,
    door: door as Door,
    principal: { kind: principalKind as PrincipalKind, id: principalId, authenticated }
  }
}
