/** What the server tracks: repositories, the active project, saved scopes. */
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { ControlStore } from "../../services/ControlStore.ts"
import { workspaceAdmin } from "./facade.ts"

const because = "this build serves the one workspace it was started in"

const saveScopeNeeds = [ControlStore] as const

export const saveScope: Member<typeof workspaceAdmin, "save_scope", typeof saveScopeNeeds> =
  workspaceAdmin.declared("save_scope", {
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
    because
  })

const deleteScopeNeeds = [ControlStore] as const

export const deleteScope: Member<typeof workspaceAdmin, "delete_scope", typeof deleteScopeNeeds> =
  workspaceAdmin.declared("delete_scope", {
    tool: "delete_scope",
    summary: "Delete a saved scope.",
    tier: 2,
    input: F.input({ arguments: F.group({ name: F.text }) }),
    needs: deleteScopeNeeds,
    because
  })
