/** Which of the workspace's repositories a comparison looks at, and what git says of them. */
import { Effect } from "effect"
import { failure, fromService, type OperationFailure } from "../../registry/Failure.ts"
import { draft } from "../../registry/FollowUp.ts"
import { nearest } from "../../registry/Names.ts"
import { prefixOf } from "../../registry/Place.ts"
import type { CodeGraph, GraphView } from "../../services/CodeGraph.ts"
import { type ChangedPath, type Changes, type Comparison, GitReader } from "../../services/GitReader.ts"
import { OverlayView } from "../../services/OverlayView.ts"
import { type RepositoryInfo, WorkspaceView } from "../../services/WorkspaceView.ts"
import { graph } from "../shared/symbols.ts"

/**
 * The graph of the work tree as it is on disk, whatever the session has over it: git knows of nothing else, and lines
 * must be those of the same text.
 */
export const graphOnDisk: Effect.Effect<GraphView, OperationFailure, CodeGraph | OverlayView> = Effect.gen(
  function* () {
    // The first look of a call compares with the work tree; what follows rests on it.
    yield* graph
    const { over } = yield* OverlayView
    return yield* Effect.mapError(over([]), (cause) => fromService(cause))
  }
)

/** Files of one comparison an answer is made of. */
const mostFiles = 5000

/** The changes of one repository. `root` is "" for the workspace's own. */
export interface Compared {
  readonly root: string
  readonly name: string
  readonly changes: Changes
}

const rootOf = ({ root }: RepositoryInfo): string => (root === "." ? "" : root)

const chosen = (
  repositories: ReadonlyArray<RepositoryInfo>,
  workspace: string,
  named: string | undefined
): Effect.Effect<ReadonlyArray<RepositoryInfo>, OperationFailure> => {
  const versioned = repositories.filter(({ kind }) => kind !== "plain")
  if (named === undefined) {
    // Repositories inside another one show in it as submodules or untracked folders.
    const own = versioned.find((each) => rootOf(each) === "")
    return Effect.succeed(own === undefined ? versioned : [own])
  }
  const wanted = prefixOf(named)
  const found = repositories.find(
    (each) => each.name === named || rootOf(each) === wanted || (rootOf(each) === "" && named === workspace)
  )
  if (found !== undefined) return Effect.succeed([found])
  const names = repositories.map(({ name }) => name)
  const close = nearest(named, names)
  return Effect.fail(
    failure("repo_not_tracked", `options.repo ${JSON.stringify(named)} is no repository of this workspace`, {
      field: "options.repo",
      failure_stage: "resolve",
      data: {
        valid_repositories: names.slice(0, 50),
        ...(close === undefined ? {} : { suggestion: close })
      },
      recovery: draft("fallback_recovery", "workspace", { operation: "repos" })
    })
  )
}

/** Reads what differs. A base that names no commit fails and never looks like a repository without changes. */
export const compare = (
  comparison: Comparison,
  repo: string | undefined
): Effect.Effect<ReadonlyArray<Compared>, OperationFailure, GitReader | WorkspaceView> =>
  Effect.gen(function* () {
    const workspace = yield* WorkspaceView
    const git = yield* GitReader
    const repositories = yield* Effect.mapError(workspace.repositories, (cause) => fromService(cause))
    const some = yield* chosen(repositories, workspace.name, repo)
    if (some.length === 0)
      return yield* failure("capability_unavailable", "this workspace is no git repository", {
        failure_stage: "preflight",
        reason_code: "not_a_repository"
      })
    return yield* Effect.forEach(some, (each) =>
      git.changes(comparison, { repository: rootOf(each), files: mostFiles }).pipe(
        Effect.map((changes) => ({ root: rootOf(each), name: each.name, changes })),
        Effect.mapError((cause) =>
          cause.reason === "not_found" && comparison.scope === "compare"
            ? failure(
                "not_found",
                `source.base ${JSON.stringify(comparison.base)} names no commit of ${each.name}`,
                {
                  field: "source.base",
                  failure_stage: "resolve",
                  reason_code: "unknown_revision",
                  data: {
                    base: comparison.base,
                    ...(each.branch === undefined ? {} : { branch: each.branch }),
                    ...(each.head === undefined ? {} : { head: each.head })
                  },
                  ...(each.head === undefined
                    ? {}
                    : {
                        recovery: draft("fallback_recovery", "change", {
                          operation: "detect",
                          source: { base: "HEAD" },
                          ...(repo === undefined ? {} : { options: { repo } })
                        })
                      })
                }
              )
            : fromService(cause)
        )
      )
    )
  })

/** What a file's row says happened to it. A mode that changed alone has a word of its own. */
export const kindOf = (file: ChangedPath): string =>
  file.kind === "modified" &&
  file.old_mode !== file.new_mode &&
  !file.binary &&
  file.hunks_complete &&
  file.hunks.length === 0
    ? "mode_changed"
    : file.kind

/** A changed file in an answer. */
export const fileRow = (file: ChangedPath) => ({
  path: file.path,
  change_kind: kindOf(file),
  ...(file.previous_path === undefined ? {} : { previous_path: file.previous_path }),
  ...(file.type === "file" ? {} : { type: file.type }),
  ...(file.binary ? { binary: true } : {}),
  ...(file.old_mode !== undefined && file.new_mode !== undefined && file.old_mode !== file.new_mode
    ? { modes: [file.old_mode, file.new_mode] }
    : {})
})
