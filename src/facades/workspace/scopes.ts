import * as F from "../../registry/Fields.ts"
import { WorkspaceView } from "../../services/WorkspaceView.ts"
import { workspace } from "./facade.ts"

export const scopes = workspace.declared("scopes", {
  tool: "list_scopes",
  summary: "Saved scopes.",
  tier: 2,
  input: F.input({}),
  needs: [WorkspaceView],
  because: "this build saves no scopes"
})
