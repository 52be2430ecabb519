/** Which repository a call is about, as path prefixes to stay in. */
import { Effect } from "effect"
import { failure, type OperationFailure, fromService } from "../../registry/Failure.ts"
import { isWithin, prefixOf } from "../../registry/Place.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import type { GraphView } from "../../services/CodeGraph.ts"
import { WorkspaceView } from "../../services/WorkspaceView.ts"

/**
 * Prefixes of the repository that `named` means: its name, its root, or a path inside it. Nothing named means
 * everything. Fails with `repo_not_tracked` for what is not in this workspace.
 */
export const repositoryScope = (
  view: GraphView,
  named: string | undefined
): Effect.Effect<ReadonlyArray<string>, OperationFailure, WorkspaceView | ReadFs> =>
  Effect.gen(function* () {
    if (named === undefined) return []
    const workspace = yield* WorkspaceView
    const repositories = yield* Effect.mapError(workspace.repositories, fromService)
    const prefix = (root: string) => (root === "." || root === "" ? [] : [root])
    if (named === "." || named === workspace.name) return []
    const exact = repositories.find((r) => r.name === named || r.root === prefixOf(named))
    if (exact !== undefined) return prefix(exact.root)
    const path = yield* (yield* ReadFs).relative(named).pipe(Effect.orElseSucceed(() => undefined))
    const known =
      path !== undefined &&
      (path === "" ||
        path === "." ||
        view.file(path) !== undefined ||
        view.files().some((f) => f.path.startsWith(`${path}/`)))
    if (!known) {
      return yield* Effect.fail(
        failure("repo_not_tracked", `path: ${named} is no repository of this workspace and no path in one`, {
          field: "path",
          failure_stage: "resolve",
          data: { valid_repositories: repositories.slice(0, 50).map((r) => r.name) }
        })
      )
    }
    const inside = (root: string) => root === "." || isWithin(path!, root)
    const around = repositories.filter((r) => inside(r.root)).sort((a, b) => b.root.length - a.root.length)[0]
    return around === undefined ? [] : prefix(around.root)
  })

/** Sub-paths within a repository: given relative to the workspace or to the repository. */
export const scopeWithin = (
  repository: ReadonlyArray<string>,
  paths: ReadonlyArray<string> | undefined
): ReadonlyArray<string> => {
  if (paths === undefined || paths.length === 0) return repository
  const root = repository[0]
  return root === undefined
    ? paths
    : paths.map((p) => (isWithin(p, root) ? p : `${root}/${p.replace(/^\.\//, "")}`))
}
