/** Publishes a workspace: the repository that is served, and those that are tracked beside it. */
import { Effect, Layer } from "effect"
import { statSync } from "node:fs"
import { ControlView } from "../../services/ControlView.ts"
import { type Beside, openWorkspace, type WorkspaceServices } from "../workspace/layer.ts"
import type { OpenOptions, WorkspaceFailure } from "../workspace/Workspace.ts"
import { placeOf, remove } from "../workspace/Store.ts"
import { type FleetOptions, makeFleet } from "./Fleet.ts"
import { withRepositories } from "./services.ts"

export interface RepositoriesOptions extends OpenOptions, Pick<FleetOptions, "idle" | "budget"> {
  /** Absolute path of the file that holds the user's control state. */
  readonly control: string
}

/** Changes whenever the database or its log was written; undefined while there is no database. */
const stampOf = (file: string): string | undefined => {
  const of = (path: string) => {
    const stat = statSync(path, { throwIfNoEntry: false })
    return stat === undefined ? "" : `${stat.ino}.${stat.size}.${stat.mtimeMs}`
  }
  const own = of(file)
  return own === "" ? undefined : `${own} ${of(`${file}-wal`)}`
}

export const layerRepositories = (
  { budget, control: file, idle, ...options }: RepositoriesOptions,
  beside: Beside = {}
): Layer.Layer<WorkspaceServices, WorkspaceFailure, ControlView> =>
  Layer.scopedContext(
    Effect.gen(function* () {
      const control = yield* ControlView
      const home = yield* openWorkspace(options, beside)
      const { apart, store, threads, watch } = options
      const fleet = yield* makeFleet({
        open: (root) =>
          openWorkspace(
            { directory: root, exact: true, beside: true, watch, apart, store, threads },
            { revisions: beside.revisions, state: beside.state }
          ),
        ...(budget === undefined ? {} : { budget }),
        ...(idle === undefined ? {} : { idle })
      })
      return withRepositories({
        home,
        fleet,
        control,
        stamp: () => stampOf(file),
        forget: (root) => {
          if (store !== false) remove(placeOf(root, store))
        }
      })
    })
  )
