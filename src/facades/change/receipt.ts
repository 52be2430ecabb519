import { Effect } from "effect"
import { fromService } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { ServiceFailure } from "../../services/ServiceFailure.ts"
import type { Committed } from "../../services/LocalWriter.ts"
import { WorkspaceView } from "../../services/WorkspaceView.ts"
import { conflictOf } from "../shared/conflict.ts"
import { change } from "./facade.ts"

/** Receipts listed when none is asked for. */
const mostListed = 20

const diskStatus = (receipt: Committed): "committed" | "not_applied" | "failed" | "in_flight" => {
  if (receipt.state === "committed") return "committed"
  if (receipt.diskStatus === "conflict") return "failed"
  if (receipt.state === "aborted") return "not_applied"
  return receipt.state === "recovery_conflict" ? "failed" : "in_flight"
}

const answerOf = (receipt: Committed, path?: string) => {
  const disk = diskStatus(receipt)
  const changes = path === undefined ? receipt.changes : receipt.changes.filter((c) => touches(c, path))
  return {
    receipt: receipt.transactionId,
    disk_status: disk,
    graph_status: receipt.graphStatus,
    at: new Date(receipt.updatedAt).toISOString(),
    changes: changes.map(({ changed, destination, kind, path: own, sha }) => ({
      kind,
      path: own,
      ...(destination === null ? {} : { destination }),
      ...(changed ? {} : { changed }),
      ...(sha === null ? {} : { new_sha: sha })
    })),
    ...conflictOf(receipt),
    retry_safe: disk === "not_applied"
  }
}

const touches = (one: Committed["changes"][number], path: string) =>
  one.path === path || one.destination === path

const needs = [WorkspaceView, ReadFs] as const

export const receipt: Member<typeof change, "receipt", typeof needs> = change.operation("receipt", {
  tool: "mutation_status",
  direct: "unlisted",
  summary: "After a lost answer: did an edit reach the disk, and the index?",
  tier: 2,
  input: F.input(
    {
      source: F.group({
        path: F.optional(F.aliased(F.described(F.path, "newest edit of this file"), "file"))
      }),
      options: F.group({
        receipt: F.optional(F.described(F.text, "id an edit returned")),
        mutation_id: F.optional(F.described(F.text, "the edit's own id of the call"))
      })
    },
    { atMostOne: [["source.path", "options.receipt", "options.mutation_id"]] }
  ),
  needs,
  handler: ({ options, source }) =>
    Effect.gen(function* () {
      const workspace = yield* WorkspaceView
      const id = options.receipt ?? options.mutation_id
      if (id !== undefined) {
        const found = yield* Effect.mapError(workspace.receipt(id), (cause) =>
          fromService(
            cause instanceof ServiceFailure
              ? cause
              : new ServiceFailure({
                  service: "WorkspaceView",
                  reason: cause.reason === "recovery_conflict" ? "recovery_conflict" : "io_error",
                  detail: cause.detail,
                  stateChanged: false
                }),
            { field: options.receipt === undefined ? "options.mutation_id" : "options.receipt" }
          )
        )
        // An id that nobody knows was either never used or is forgotten: that is not the same as not applied.
        return found === undefined
          ? { found: false, receipt: id, disk_status: "unrecorded", retry_safe: false }
          : { found: true, ...answerOf(found) }
      }
      const recent = yield* workspace.receipts
      if (source.path === undefined)
        return {
          count: recent.length,
          receipts: recent.slice(0, mostListed).map((one) => answerOf(one)),
          ...(recent.length > mostListed ? { truncated: true } : {})
        }
      const fs = yield* ReadFs
      const path = yield* Effect.mapError(fs.relative(source.path), (cause) =>
        fromService(cause, { field: "source.path", failure_stage: "resolve" })
      )
      const found = recent.find(({ changes }) => changes.some((one) => touches(one, path)))
      return found === undefined
        ? { found: false, path, disk_status: "unrecorded", retry_safe: false }
        : { found: true, path, ...answerOf(found, path) }
    })
})
