import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { WorkspaceView } from "../../services/WorkspaceView.ts"
import { explore } from "./facade.ts"

export const outline = explore.declared("outline", {
  tool: "get_repo_outline",
  summary: "First look at a codebase: languages, clusters, hotspots, entry points.",
  input: F.input({}),
  needs: [CodeGraph, WorkspaceView],
  because: "its handler is not installed"
})
