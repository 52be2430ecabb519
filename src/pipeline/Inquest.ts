/**
 * What became of a call whose server ended while it was under way: the journal of edits answers for the transaction that
 * belonged to it, and where there is none, that is said and nothing is guessed.
 */
import { Effect } from "effect"
import { failure, type OperationFailure } from "../registry/Failure.ts"
import type { CallRecord } from "../services/CallRecords.ts"
import type { Committed } from "../services/LocalWriter.ts"
import type { WorkspaceView } from "../services/WorkspaceView.ts"
import { type CallResult, failed, type Routing, succeeded } from "./CallResult.ts"

/** Finds out about a call; never fails, since not to know is an answer. */
export type Inquest = (record: CallRecord) => Effect.Effect<CallResult>

const ended = "its server ended while it was under way"

const routingOf = ({ operation }: CallRecord): Routing => {
  const dot = operation.indexOf(".")
  return { facade: operation.slice(0, dot), operation: operation.slice(dot + 1), canonical_tool: "unknown" }
}

const lost = (record: CallRecord): OperationFailure =>
  record.write
    ? failure("internal", `${record.operation} has no known outcome: ${ended}, and no receipt tells of it`, {
        reason_code: "server_ended",
        outcome_unknown: true,
        field: "requestId"
      })
    : failure("internal", `${record.operation} was not answered: ${ended}`, {
        reason_code: "server_ended",
        state_changed: false,
        field: "requestId"
      })

const changesOf = ({ changes }: Committed) =>
  changes.map(({ destination, kind, path, sha }) => ({
    kind,
    path,
    ...(destination === null ? {} : { destination }),
    ...(sha === null ? {} : { new_sha: sha })
  }))

/** The outcome a receipt proves. */
const proven = (record: CallRecord, receipt: Committed): CallResult => {
  const routing = routingOf(record)
  const known = { receipt: receipt.transactionId, disk_status: receipt.diskStatus }
  if (receipt.state === "committed")
    return succeeded(routing, {
      ...known,
      recovered: true,
      note: `${ended}; this is what its receipt says`,
      at: new Date(receipt.updatedAt).toISOString(),
      changes: changesOf(receipt)
    })
  if (receipt.state === "aborted" && receipt.diskStatus !== "conflict")
    return failed(
      routing,
      failure("internal", `${record.operation} was rolled back: ${ended}`, {
        reason_code: "server_ended",
        state_changed: false,
        data: known
      })
    )
  return failed(
    routing,
    failure("recovery_conflict", `${record.operation} was stopped between its files: ${ended}`, {
      reason_code: "server_ended",
      outcome_unknown: true,
      data: { ...known, conflicts: receipt.conflicts }
    })
  )
}

/** Knows nothing beyond the record. */
export const uninformed: Inquest = (record) => Effect.succeed(failed(routingOf(record), lost(record)))

/** Asks the journal of edits, where `transactionOf` names the transaction of a call. */
export const make =
  (
    { receipt }: Pick<WorkspaceView["Type"], "receipt">,
    transactionOf: (record: CallRecord) => string
  ): Inquest =>
  (record) =>
    !record.write
      ? uninformed(record)
      : Effect.matchEffect(receipt(transactionOf(record)), {
          onFailure: () => uninformed(record),
          onSuccess: (found) =>
            found === undefined ? uninformed(record) : Effect.succeed(proven(record, found))
        })
