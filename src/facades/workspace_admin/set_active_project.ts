import { Effect } from "effect"
import { fromService } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { ControlStore } from "../../services/ControlStore.ts"
import type { ServiceFailure } from "../../services/ServiceFailure.ts"
import { WorkspaceView } from "../../services/WorkspaceView.ts"
import { projectUnknown } from "../shared/projects.ts"
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
        const here = yield* Effect.mapError((yield* WorkspaceView).projects, told)
        const { projects, workspace } = here
        const found = projects.find(({ name }) => name === project)
        if (found === undefined && project !== workspace) return yield* projectUnknown(here, project)
        yield* Effect.mapError((yield* ControlStore).setActiveProject(workspace, project), told)
        const all = projects.flatMap(({ roots }) => roots)
        return { status: "active", project, repos: [".", ...(found === undefined ? all : found.roots)] }
      })
  })
