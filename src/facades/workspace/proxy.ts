import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { SessionView } from "../../services/SessionView.ts"
import { WorkspaceView } from "../../services/WorkspaceView.ts"
import { workspace } from "./facade.ts"

const needs = [WorkspaceView, SessionView] as const

export const proxy: Member<typeof workspace, "proxy", typeof needs> = workspace.declared("proxy", {
  tool: "proxy_status",
  summary: "Remote servers and whether each is enabled.",
  tier: 2,
  input: F.input({}),
  needs,
  because: "other servers are settings of the user, and every answer that asked them says what became of each"
})
