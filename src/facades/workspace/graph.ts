import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { WorkspaceView } from "../../services/WorkspaceView.ts"
import { workspace } from "./facade.ts"

export const graph = workspace.declared("graph", {
  tool: "graph_stats",
  summary: "Graph size by kind and language.",
  input: F.input({}),
  needs: [CodeGraph, WorkspaceView],
  because: "its handler is not installed"
})
