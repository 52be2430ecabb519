/** The workspace's own facts, and what is said when there is no workspace. */
import { Effect } from "effect"
import { fromService, type OperationFailure } from "../../registry/Failure.ts"
import * as F from "../../registry/Fields.ts"
import { type IndexHealth, type RepositoryInfo, WorkspaceView } from "../../services/WorkspaceView.ts"

/** Whether an answer is brief. */
export const compact = F.withDefault(F.described(F.flag, "false for everything that is known"), true)

export interface Bound {
  readonly name: string
  readonly repositories: ReadonlyArray<RepositoryInfo>
}

/** The workspace and its repositories; undefined when this server is bound to none. */
export const bound: Effect.Effect<Bound | undefined, OperationFailure, WorkspaceView> = Effect.gen(
  function* () {
    const workspace = yield* WorkspaceView
    return yield* workspace.repositories.pipe(
      Effect.map((repositories): Bound | undefined => ({ name: workspace.name, repositories })),
      Effect.catchIf(
        ({ reason }) => reason === "workspace_unknown",
        () => Effect.succeed(undefined)
      ),
      Effect.mapError((cause) => fromService(cause))
    )
  }
)

export const health: Effect.Effect<IndexHealth, OperationFailure, WorkspaceView> = Effect.flatMap(
  WorkspaceView,
  (workspace) => Effect.mapError(workspace.health, (cause) => fromService(cause))
)

/** What an answer says without a workspace. */
export const unbound = { mode: "unbound", repos: [] } as const

export const modeOf = ({ repositories }: Bound): string =>
  repositories.length > 1 ? "multi_repository" : "single_repository"
