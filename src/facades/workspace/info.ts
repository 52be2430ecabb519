import * as F from "../../registry/Fields.ts"
import { WorkspaceView } from "../../services/WorkspaceView.ts"
import { workspace } from "./facade.ts"

export const info = workspace.declared("info", {
  tool: "workspace_info",
  summary: "Identity of the bound workspace and its members.",
  input: F.input({}),
  needs: [WorkspaceView],
  because: "its handler is not installed"
})
