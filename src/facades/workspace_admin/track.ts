/** Which repositories a workspace consists of. */
import { Effect, Option } from "effect"
import { CallInfo } from "../../registry/CallInfo.ts"
import { failure, fromService, invalidArgument, type OperationFailure } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { draft } from "../../registry/FollowUp.ts"
import { ControlStore } from "../../services/ControlStore.ts"
import { type TrackedRepository, workspaceOf } from "../../services/ControlTables.ts"
import { ControlView } from "../../services/ControlView.ts"
import { IndexControl, type Tree } from "../../services/IndexControl.ts"
import type { ServiceFailure } from "../../services/ServiceFailure.ts"
import { WorkspaceView } from "../../services/WorkspaceView.ts"
import { workspaceAdmin } from "./facade.ts"

/** How long an answer waits for a first index; it goes on without it. */
const patience = "25 seconds"

/** A name that none of the others has. */
const unused = (name: string, tracked: ReadonlyArray<TrackedRepository>): string => {
  const taken = new Set(tracked.map((repository) => repository.name))
  let free = name
  for (let n = 2; taken.has(free); n++) free = `${name}-${n}`
  return free
}

const located = (path: string, wide: boolean): Effect.Effect<Tree, OperationFailure, IndexControl> =>
  Effect.flatMap(IndexControl, ({ locate }) =>
    Effect.mapError(locate(path, { wide }), (cause: ServiceFailure) =>
      invalidArgument("arguments.path", cause.detail, { reason_code: cause.reason })
    )
  )

const told = (cause: ServiceFailure) => fromService(cause)

const trackNeeds = [ControlStore, ControlView, IndexControl, WorkspaceView] as const

export const track: Member<typeof workspaceAdmin, "track", typeof trackNeeds> = workspaceAdmin.operation(
  "track",
  {
    tool: "track_repository",
    summary: "Track a repository beside this one and build its index.",
    long: true,
    input: F.input({
      arguments: F.group({
        path: F.described(F.text, "absolute path of its root"),
        name: F.optional(F.described(F.text, "prefix to use for it")),
        as_worktree: F.withDefault(F.described(F.flag, "track a linked work tree by itself"), false),
        force: F.withDefault(F.described(F.flag, "for operators only"), false)
      })
    }),
    needs: trackNeeds,
    handler: ({ arguments: { as_worktree, force, name, path } }) =>
      Effect.gen(function* () {
        const { session } = yield* CallInfo
        if (force && session !== undefined)
          return yield* invalidArgument(
            "arguments.force",
            "arguments.force is for the operator at the command line",
            { reason_code: "operator_only" }
          )
        if (name !== undefined && !/^[\w@][\w.@+-]*$/.test(name))
          return yield* invalidArgument(
            "arguments.name",
            `${JSON.stringify(name)} cannot begin a path: letters, digits, "_", "-", "." and "+" can`,
            { reason_code: "invalid_name" }
          )
        const tree = yield* located(path, force)
        if (!tree.git && session !== undefined)
          return yield* invalidArgument(
            "arguments.path",
            "it is not the top folder of a git work tree; any other folder is tracked at the command line only",
            { reason_code: "not_a_repository" }
          )
        if (tree.worktreeOfServed && !as_worktree)
          return yield* invalidArgument(
            "arguments.as_worktree",
            "it is another work tree of the repository that is served; arguments.as_worktree: true tracks it by itself",
            { reason_code: "linked_worktree", data: { path, as_worktree: true } }
          )
        const control = yield* ControlStore
        const tracked = yield* Effect.mapError((yield* ControlView).repositories, told)
        const served = tracked.find((repository) => repository.root === tree.served.root)
        const workspace = served === undefined ? unused(tree.served.name, tracked) : workspaceOf(served)
        const known = tracked.find((repository) => repository.root === tree.root)
        if (known !== undefined && workspaceOf(known) !== workspace)
          return yield* invalidArgument(
            "arguments.path",
            `it is tracked as ${known.name} in the workspace ${workspaceOf(known)}; a repository is in one workspace`,
            { reason_code: "other_workspace", data: { workspace: workspaceOf(known), prefix: known.name } }
          )
        const others = tracked.filter((repository) => repository !== known)
        if (name !== undefined && others.some((repository) => repository.name === name))
          return yield* invalidArgument("arguments.name", `another repository is tracked as ${name}`, {
            reason_code: "name_taken"
          })
        if (served === undefined)
          yield* Effect.mapError(control.track({ name: workspace, root: tree.served.root, workspace }), told)
        const own: TrackedRepository = {
          name:
            name ??
            known?.name ??
            unused(tree.name, served === undefined ? [...others, { name: workspace, root: "" }] : others),
          root: tree.root,
          workspace,
          ...(known?.project === undefined ? {} : { project: known.project })
        }
        if (known !== undefined && known.name !== own.name)
          yield* Effect.mapError(control.untrack(known.name), told)
        yield* Effect.mapError(control.track(own), told)
        const index = yield* IndexControl
        // It goes on when nobody waits any more, so that the next call finds it done.
        const running = yield* Effect.forkDaemon(index.load(own.name))
        const report = yield* running.await.pipe(
          Effect.flatten,
          Effect.timeoutOption(patience),
          Effect.tapError(() =>
            known === undefined ? Effect.ignore(control.untrack(own.name)) : Effect.void
          ),
          Effect.mapError(told)
        )
        const repositories = yield* Effect.mapError((yield* WorkspaceView).repositories, told)
        return {
          status: Option.isSome(report) ? "tracked" : "accepted",
          workspace,
          name: own.name,
          prefix: `${repositories.find(({ kind, name: one }) => kind === "tracked" && one === own.name)?.root ?? own.name}/`,
          ...Option.match(report, {
            onNone: () => ({ detail: "its first index is being made" }),
            onSome: ({ edge_count, file_count, node_count }) => ({ file_count, node_count, edge_count })
          }),
          ...(tree.git ? {} : { note: "it is no git work tree: all files below it are listed" })
        }
      })
  }
)

const untrackNeeds = [ControlStore, ControlView, IndexControl] as const

export const untrack: Member<typeof workspaceAdmin, "untrack", typeof untrackNeeds> =
  workspaceAdmin.operation("untrack", {
    tool: "untrack_repository",
    summary: "Stop tracking a repository and forget its index.",
    input: F.input({ arguments: F.group({ path: F.described(F.text, "path or prefix") }) }),
    needs: untrackNeeds,
    handler: ({ arguments: { path } }) =>
      Effect.gen(function* () {
        const control = yield* ControlStore
        const index = yield* IndexControl
        const tracked = yield* Effect.mapError((yield* ControlView).repositories, told)
        const served = tracked.find((repository) => repository.root === index.served.root)
        const members = tracked.filter(
          (repository) =>
            repository !== served && served !== undefined && workspaceOf(repository) === workspaceOf(served)
        )
        const wanted = path.replace(/\/+$/, "")
        const found = members.find((repository) => repository.name === wanted || repository.root === wanted)
        if (found === undefined)
          return yield* failure("repo_not_tracked", `no repository ${path} is tracked in this workspace`, {
            field: "arguments.path",
            failure_stage: "resolve",
            reason_code: "not_found",
            data: { tracked: members.map((repository) => repository.name) },
            recovery: draft("fallback_recovery", "workspace", { operation: "repos" })
          })
        yield* Effect.mapError(control.untrack(found.name), told)
        if (members.length === 1 && served !== undefined)
          yield* Effect.mapError(control.untrack(served.name), told)
        const removed = yield* index.unload(found.root)
        return {
          status: "untracked",
          prefix: found.name,
          // Counted only where it was open.
          ...(removed === undefined
            ? {}
            : { nodes_removed: removed.node_count, edges_removed: removed.edge_count })
        }
      })
  })
