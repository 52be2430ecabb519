import * as Envelope from "../../registry/Envelope.ts"
import * as Facade from "../../registry/Facade.ts"

export const workspaceAdmin = Facade.make("workspace_admin", {
  effect: "control_write",
  purpose: "Change what is tracked, indexed, scoped or enriched, durably.",
  envelope: {
    properties: { arguments: Envelope.object(), output: Envelope.object() },
    required: ["operation"]
  }
})
