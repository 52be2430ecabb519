import { Effect } from "effect"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { WorkspaceView } from "../../services/WorkspaceView.ts"
import { workspace } from "./facade.ts"
import { bound, modeOf, unbound } from "./View.ts"

const needs = [WorkspaceView] as const

export const repos: Member<typeof workspace, "repos", typeof needs> = workspace.operation("repos", {
  tool: "list_repos",
  summary: "Repositories of the workspace.",
  input: F.input({}),
  needs,
  handler: () =>
    Effect.map(bound, (here) =>
      here === undefined
        ? unbound
        : {
            mode: modeOf(here),
            workspace: here.name,
            repos: here.repositories.map(({ name, root }) => ({ name, root }))
          }
    )
})
