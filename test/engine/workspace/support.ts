/** Opening real workspaces over temporary trees. */
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import type { Snapshot } from "../../../src/engine/graph/Snapshot.ts"
import { emptySnapshot, update } from "../../../src/engine/graph/Update.ts"
import { open, type OpenOptions, type WorkspaceEngine } from "../../../src/engine/workspace/Workspace.ts"
import { fingerprintDifference, snapshotFingerprint } from "../graph/fingerprint.ts"

/** Opens a folder, hands the workspace to `use` and closes it. */
export const opened = <A>(
  options: Partial<OpenOptions> & { readonly directory: string },
  use: (workspace: WorkspaceEngine) => Effect.Effect<A, unknown>
): Promise<A> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(open({ exact: true, watch: false, store: false, threads: 1, ...options }), use)
    )
  )

/** The snapshot of a folder indexed from nothing. */
export const freshSnapshot = (directory: string): Promise<Snapshot> =>
  opened({ directory }, (w) => Effect.map(w.current, (c) => c.snapshot))

/** How a snapshot differs from an index of the same tree made from nothing. */
export const differenceFromFresh = async (
  snapshot: Snapshot,
  directory: string
): Promise<ReadonlyArray<string>> =>
  fingerprintDifference(snapshotFingerprint(snapshot), snapshotFingerprint(await freshSnapshot(directory)))

/** How a snapshot's edges differ from those of all its files resolved from nothing, under other ids. */
export const differenceFromResolved = (snapshot: Snapshot, directory: string): ReadonlyArray<string> => {
  const entries = snapshot.files
    .filter((f) => f !== undefined)
    .reverse()
    .map((f, id) => ({ ...f, id }))
  const whole = update(
    emptySnapshot(snapshot.names),
    { entries, removed: [], units: snapshot.units, at: 0 },
    (path) => {
      try {
        return readFileSync(join(directory, path), "utf8")
      } catch {
        return undefined
      }
    }
  )
  return fingerprintDifference(snapshotFingerprint(snapshot, false), snapshotFingerprint(whole, false))
}
