import { Effect } from "effect"
import { failure, fromService } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { draft } from "../../registry/FollowUp.ts"
import { nearest } from "../../registry/Names.ts"
import { ControlStore } from "../../services/ControlStore.ts"
import type { ServiceFailure } from "../../services/ServiceFailure.ts"
import { WorkspaceView } from "../../services/WorkspaceView.ts"
import { workspaceAdmin } from "./facade.ts"

const needs = [ControlStore, WorkspaceView] as const

const told = (cause: ServiceFailure) => fromService(cause)

export const setActiveProject: Member<typeof workspaceAdmin, "set_active_project", typeof needs> =
  workspaceAdmin.operation("set_active_project", {
    tool: "set_active_project",
    summary: "Switch the active project, for later sessions too.",
    input: F.input({
      arguments: F.group({
        project: F.repository(F.described(F.text, "a project, or the workspace for all of them"))
      })
    }),
    needs,
    handler: ({ arguments: { project } }) =>
      Effect.gen(function* () {
        const { projects, workspace } = yield* Effect.mapError((yield* WorkspaceView).projects, told)
        const found = projects.find(({ name }) => name === project)
        if (found === undefined && project !== workspace) {
          const known = [workspace, ...projects.map(({ name }) => name)]
          const suggested = nearest(project, known)
          return yield* failure(
            "project_unknown",
            `no project ${JSON.stringify(project)} in this workspace`,
            {
              field: "arguments.project",
              failure_stage: "resolve",
              data: {
                available_projects: known,
                ...(suggested === undefined ? {} : { suggested_project: suggested })
              },
              recovery: draft("fallback_recovery", "workspace", { operation: "active_project" })
            }
          )
        }
        yield* Effect.mapError((yield* ControlStore).setActiveProject(workspace, project), told)
        const all = projects.flatMap(({ roots }) => roots)
        return { status: "active", project, repos: [".", ...(found === undefined ? all : found.roots)] }
      })
  })
