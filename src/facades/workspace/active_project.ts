import * as F from "../../registry/Fields.ts"
import { WorkspaceView } from "../../services/WorkspaceView.ts"
import { workspace } from "./facade.ts"

export const activeProject = workspace.declared("active_project", {
  tool: "get_active_project",
  summary: "The active project and its repositories.",
  input: F.input({}),
  needs: [WorkspaceView],
  because: "its handler is not installed"
})
