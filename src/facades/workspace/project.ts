import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { WorkspaceView } from "../../services/WorkspaceView.ts"
import { workspace } from "./facade.ts"

const needs = [CodeGraph, WorkspaceView] as const

export const project: Member<typeof workspace, "project", typeof needs> = workspace.declared("project", {
  tool: "query_project",
  summary: "Look a symbol up in another project, the active one left as it is.",
  tier: 2,
  page: { default: 20, max: 200 },
  input: F.input({
    arguments: F.group({
      project: F.repository(F.described(F.text, "project name, tag or repository prefix")),
      query: F.text
    })
  }),
  needs,
  because: "this build serves one project"
})
