/** Saved scopes: named sets of repositories, or of paths in them. */
import { Effect } from "effect"
import { failure, fromService, invalidArgument } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { nearest } from "../../registry/Names.ts"
import { prefixOf } from "../../registry/Place.ts"
import { ControlStore } from "../../services/ControlStore.ts"
import { ControlView } from "../../services/ControlView.ts"
import { WorkspaceView } from "../../services/WorkspaceView.ts"
import { workspaceAdmin } from "./facade.ts"

/** Words that mean something else where a scope is named. */
const reserved: ReadonlySet<string> = new Set([
  "unstaged",
  "staged",
  "all",
  "compare",
  "workspace",
  "global",
  "*"
])

const saveScopeNeeds = [ControlStore, ControlView, WorkspaceView] as const

export const saveScope: Member<typeof workspaceAdmin, "save_scope", typeof saveScopeNeeds> =
  workspaceAdmin.operation("save_scope", {
    tool: "save_scope",
    summary: "Save a named set of repositories, or of paths in them.",
    tier: 2,
    input: F.input({
      arguments: F.group({
        name: F.text,
        repos: F.described(F.csv, "repository prefixes"),
        description: F.optional(F.text),
        paths: F.optional(F.csv)
      })
    }),
    needs: saveScopeNeeds,
    handler: ({ arguments: { description, name: given, paths: asked = [], repos } }) =>
      Effect.gen(function* () {
        const name = given.trim()
        if (reserved.has(name.toLowerCase()) || !/^[\p{L}\p{N}][\p{L}\p{N} ._/-]{0,99}$/u.test(name))
          return yield* invalidArgument(
            "arguments.name",
            reserved.has(name.toLowerCase())
              ? `${JSON.stringify(name)} means something else where a scope is named`
              : "a name begins with a letter or digit and has at most 100 letters, digits, blanks or . _ / -",
            { reason_code: "invalid_name" }
          )
        const view = yield* ControlView
        const tracked = yield* Effect.mapError(view.repositories, (cause) => fromService(cause))
        const here = yield* (yield* WorkspaceView).repositories.pipe(
          Effect.catchIf(
            ({ reason }) => reason === "workspace_unknown",
            () => Effect.succeed([])
          ),
          Effect.mapError((cause) => fromService(cause))
        )
        const known = [...new Set([...here, ...tracked].map((repository) => repository.name))].sort()
        const wanted = [...new Set(repos.map((repo) => repo.trim()).filter((repo) => repo !== ""))]
        if (wanted.length === 0)
          return yield* invalidArgument("arguments.repos", "a scope names at least one repository", {
            reason_code: "empty_scope",
            data: { valid_values: known }
          })
        const unknown = wanted.find((repo) => !known.includes(repo))
        if (unknown !== undefined)
          return yield* invalidArgument(
            "arguments.repos",
            `no repository ${JSON.stringify(unknown)} is known`,
            {
              reason_code: "unknown_repository",
              data: { repository: unknown, valid_values: known }
            }
          )
        const paths = [...new Set(asked.map(prefixOf))].filter((path) => path !== "")
        const outside = paths.find((path) => path.startsWith("/") || path.split("/").includes(".."))
        if (outside !== undefined)
          return yield* invalidArgument(
            "arguments.paths",
            `${JSON.stringify(outside)} does not lie in a repository: paths are relative to its root`,
            { reason_code: "path_outside_root" }
          )
        const scope = {
          name,
          ...(description === undefined ? {} : { description }),
          repos: wanted,
          paths
        }
        const replaced = yield* Effect.mapError((yield* ControlStore).saveScope(scope), (cause) =>
          fromService(cause)
        )
        return { status: replaced ? "replaced" : "saved", scope }
      })
  })

const deleteScopeNeeds = [ControlStore, ControlView] as const

export const deleteScope: Member<typeof workspaceAdmin, "delete_scope", typeof deleteScopeNeeds> =
  workspaceAdmin.operation("delete_scope", {
    tool: "delete_scope",
    summary: "Delete a saved scope.",
    tier: 2,
    input: F.input({ arguments: F.group({ name: F.text }) }),
    needs: deleteScopeNeeds,
    handler: ({ arguments: { name: given } }) =>
      Effect.gen(function* () {
        const name = given.trim()
        const deleted = yield* Effect.mapError((yield* ControlStore).deleteScope(name), (cause) =>
          fromService(cause)
        )
        if (deleted) return { status: "deleted", name }
        const saved = yield* Effect.mapError((yield* ControlView).scopes, (cause) => fromService(cause))
        const names = saved.map((scope) => scope.name)
        const close = nearest(name, names)
        return yield* failure("not_found", `no scope is named ${JSON.stringify(name)}`, {
          field: "arguments.name",
          reason_code: "unknown_scope",
          failure_stage: "resolve",
          data: { name, ...(close === undefined ? {} : { suggestion: close }), saved: names }
        })
      })
  })
