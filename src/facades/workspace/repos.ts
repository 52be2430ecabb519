import * as F from "../../registry/Fields.ts"
import { WorkspaceView } from "../../services/WorkspaceView.ts"
import { workspace } from "./facade.ts"

export const repos = workspace.declared("repos", {
  tool: "list_repos",
  summary: "Repositories of the workspace.",
  input: F.input({}),
  needs: [WorkspaceView],
  because: "its handler is not installed"
})
