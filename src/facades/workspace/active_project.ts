import { Effect } from "effect"
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
      Effect.map(bound, (here) =>
        here === undefined
          ? { bound: false, repos: [] as ReadonlyArray<string> }
          : {
              bound: true,
              workspace: here.name,
              // One workspace is one project here; its name stands for both.
              project: here.name,
              repos: here.repositories.map(({ name }) => name)
            }
      )
  }
)
