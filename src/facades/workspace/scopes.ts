import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { WorkspaceView } from "../../services/WorkspaceView.ts"
import { workspace } from "./facade.ts"

const needs = [WorkspaceView] as const

export const scopes: Member<typeof workspace, "scopes", typeof needs> = workspace.declared("scopes", {
  tool: "list_scopes",
  summary: "Saved scopes.",
  tier: 2,
  input: F.input({}),
  needs,
  because: "this build saves no scopes"
})
