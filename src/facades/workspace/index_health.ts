import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { WorkspaceView } from "../../services/WorkspaceView.ts"
import { workspace } from "./facade.ts"

export const indexHealth = workspace.declared("index", {
  tool: "index_health",
  summary: "Index health: what is covered, stale, skipped or failed, and why.",
  input: F.input({}),
  needs: [WorkspaceView, CodeGraph],
  because: "its handler is not installed"
})
