import { Effect } from "effect"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { WorkspaceView } from "../../services/WorkspaceView.ts"
import { workspace } from "./facade.ts"
import { bound, compact, health, modeOf, unbound } from "./View.ts"

const needs = [WorkspaceView] as const

export const info: Member<typeof workspace, "info", typeof needs> = workspace.operation("info", {
  tool: "workspace_info",
  summary: "Identity of the bound workspace and its members.",
  input: F.input({ arguments: F.group({ compact }) }),
  needs,
  handler: ({ arguments: { compact: brief } }) =>
    Effect.gen(function* () {
      const here = yield* bound
      if (here === undefined) return unbound
      const members = here.repositories.map(({ branch, files, head, kind, name, root }) => ({
        name,
        root,
        kind,
        ...(branch === undefined ? {} : { branch }),
        ...(head === undefined || brief ? {} : { head }),
        ...(brief ? {} : { files })
      }))
      const identity = { mode: modeOf(here), workspace: here.name, members }
      if (brief) return identity
      const { indexed_at, listed_files, indexed_files, state, watching } = yield* health
      return {
        ...identity,
        index: {
          state,
          listed_files,
          indexed_files,
          ...(indexed_at === undefined ? {} : { indexed_at }),
          watching
        }
      }
    })
})
