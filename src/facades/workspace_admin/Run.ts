/** Runs of the indexer: where they apply and what they did. */
import { Effect } from "effect"
import { failure, fromService, type OperationFailure } from "../../registry/Failure.ts"
import type { IndexReport } from "../../services/IndexControl.ts"
import { ReadFs } from "../../services/ReadFs.ts"

/** Files of a run an answer lists. */
const most = 100

const listed = (name: string, files: ReadonlyArray<unknown>) =>
  files.length === 0
    ? {}
    : { [name]: files.slice(0, most), ...(files.length > most ? { [`${name}_count`]: files.length } : {}) }

/** What a run did, with the state it left. */
export const reported = (report: IndexReport) => ({
  full: report.full,
  file_count: report.file_count,
  node_count: report.node_count,
  edge_count: report.edge_count,
  ...(report.full
    ? { updated_file_count: report.updated_files.length }
    : listed("reindexed_paths", report.updated_files)),
  ...listed("removed_files", report.removed_files),
  ...listed("failed_files", report.failed_files),
  ...(report.skipped_files === 0 ? {} : { skipped_files: report.skipped_files }),
  ...(report.stale_file_count === 0 ? {} : { stale_file_count: report.stale_file_count }),
  duration_ms: report.duration_ms
})

/** A path below the workspace's root; "" is the root itself. Outside of it nothing is tracked. */
export const below = (path: string, field: string): Effect.Effect<string, OperationFailure, ReadFs> =>
  Effect.gen(function* () {
    const fs = yield* ReadFs
    const relative = yield* Effect.mapError(fs.relative(path), (cause) =>
      cause.reason === "path_outside_root"
        ? failure("repo_not_tracked", `${path} is not in the workspace this server is bound to`, {
            field,
            failure_stage: "resolve",
            reason_code: cause.reason
          })
        : fromService(cause, { field, failure_stage: "resolve" })
    )
    return relative === "." ? "" : relative.replace(/\/$/, "")
  })
