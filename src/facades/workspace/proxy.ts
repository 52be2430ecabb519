import * as F from "../../registry/Fields.ts"
import { SessionView } from "../../services/SessionView.ts"
import { WorkspaceView } from "../../services/WorkspaceView.ts"
import { workspace } from "./facade.ts"

export const proxy = workspace.declared("proxy", {
  tool: "proxy_status",
  summary: "Remote servers and whether each is enabled.",
  tier: 2,
  input: F.input({}),
  needs: [WorkspaceView, SessionView],
  because: "this build talks to no remote servers"
})
