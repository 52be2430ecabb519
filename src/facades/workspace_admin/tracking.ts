/** What the server tracks: repositories, the active project, saved scopes. */
import * as F from "../../registry/Fields.ts"
import { ControlStore } from "../../services/ControlStore.ts"
import { IndexControl } from "../../services/IndexControl.ts"
import { workspaceAdmin } from "./facade.ts"

const because = "this build serves the one workspace it was started in"

export const track = workspaceAdmin.declared("track", {
  tool: "track_repository",
  summary: "Track a repository and build its index.",
  input: F.input({
    arguments: F.group({
      path: F.described(F.text, "absolute path of its root"),
      name: F.optional(F.described(F.text, "prefix to use for it")),
      as_worktree: F.withDefault(F.described(F.flag, "track a linked work tree by itself"), false),
      force: F.withDefault(F.described(F.flag, "for operators only"), false)
    })
  }),
  needs: [ControlStore, IndexControl],
  because
})

export const untrack = workspaceAdmin.declared("untrack", {
  tool: "untrack_repository",
  summary: "Stop tracking a repository and forget its index.",
  input: F.input({ arguments: F.group({ path: F.described(F.text, "path or prefix") }) }),
  needs: [ControlStore, IndexControl],
  because
})

export const setActiveProject = workspaceAdmin.declared("set_active_project", {
  tool: "set_active_project",
  summary: "Switch the active project, for later sessions too.",
  input: F.input({ arguments: F.group({ project: F.repository(F.text) }) }),
  needs: [ControlStore],
  because
})

export const saveScope = workspaceAdmin.declared("save_scope", {
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
  needs: [ControlStore],
  because
})

export const deleteScope = workspaceAdmin.declared("delete_scope", {
  tool: "delete_scope",
  summary: "Delete a saved scope.",
  tier: 2,
  input: F.input({ arguments: F.group({ name: F.text }) }),
  needs: [ControlStore],
  because
})
