/** The repositories of the workspace that have a past, and which of them a path lies in. */
import { Effect } from "effect"
import { failure, fromService, type OperationFailure } from "../../../registry/Failure.ts"
import { WorkspaceView } from "../../../services/WorkspaceView.ts"

/** `prefix` leads from the workspace's root to it: "" or ending in `/`. `repository` is what services are asked with. */
export interface Repository {
  readonly name: string
  readonly prefix: string
  readonly repository: string | undefined
}

export interface Repositories {
  readonly known: ReadonlyArray<Repository>
  /** Names of those that were not looked into: tracked from elsewhere, or without any commit. */
  readonly unread: ReadonlyArray<string>
}

/** Fails where nothing of the workspace is in a git repository with a commit. */
export const repositories: Effect.Effect<Repositories, OperationFailure, WorkspaceView> = Effect.gen(
  function* () {
    const all = yield* Effect.mapError((yield* WorkspaceView).repositories, (cause) => fromService(cause))
    const known: Array<Repository> = []
    const unread: Array<string> = []
    for (const { head, kind, name, root } of all)
      if (kind === "plain" || kind === "tracked" || head === undefined) unread.push(name)
      else
        known.push({
          name,
          prefix: root === "." ? "" : `${root}/`,
          repository: root === "." ? undefined : root
        })
    if (known.length > 0) return { known, unread }
    return yield* failure(
      "capability_unavailable",
      "nothing here has a history: the workspace is in no git repository, or in one without a commit",
      { reason_code: "no_history", failure_stage: "resolve" }
    )
  }
)

/** The innermost repository a path lies in. */
export const repositoryOf = (path: string, known: ReadonlyArray<Repository>): Repository | undefined =>
  known.reduce<Repository | undefined>(
    (best, one) =>
      path.startsWith(one.prefix) && (best === undefined || one.prefix.length > best.prefix.length)
        ? one
        : best,
    undefined
  )

/** What answers say of repositories that were left out. */
export const unreadOf = ({ unread }: Repositories) =>
  unread.length === 0 ? {} : { repositories_without_history: unread }
