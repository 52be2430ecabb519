import * as Envelope from "../../registry/Envelope.ts"
import * as Facade from "../../registry/Facade.ts"

export const workspace = Facade.make("workspace", {
  effect: "read",
  purpose: "Look at the workspace: repositories, projects, index health, graph size.",
  envelope: { properties: { arguments: Envelope.object(), output: Envelope.object() } },
  default: "info"
})
