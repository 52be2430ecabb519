import { Effect } from "effect"
import { fromService } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { WorkspaceView } from "../../services/WorkspaceView.ts"
import { workspace } from "./facade.ts"
import { bound } from "./View.ts"

const needs = [WorkspaceView] as const

export const activeProject: Member<typeof workspace, "active_project", typeof needs> = workspace.operation(
  "active_project",
  {
    tool: "get_active_project",
    summary: "The active project and its repositories.",
    input: F.input({}),
    needs,
    handler: () =>
      Effect.gen(function* () {
        const here = yield* bound
        if (here === undefined) return { bound: false, repos: [] as ReadonlyArray<string> }
        const {
          active,
          projects,
          workspace: name
        } = yield* Effect.mapError((yield* WorkspaceView).projects, (cause) => fromService(cause))
        const roots = active === undefined ? undefined : projects.find((one) => one.name === active)?.roots
        return {
          bound: true,
          workspace: name,
          // Without a choice the whole workspace is the project; its name stands for both.
          project: active ?? name,
          // What is served belongs to every project.
          repos: here.repositories
            .filter(({ kind, root }) => kind !== "tracked" || roots === undefined || roots.includes(root))
            .map((repository) => repository.name),
          ...(projects.length === 0 ? {} : { projects: projects.map((one) => one.name) })
        }
      })
  }
)
