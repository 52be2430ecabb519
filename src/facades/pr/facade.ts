import * as Envelope from "../../registry/Envelope.ts"
import * as Facade from "../../registry/Facade.ts"

export const pr = Facade.make("pr", {
  effect: "read",
  purpose: "Read a forge's pull requests: list, impact, risk, triage, conflicts.",
  envelope: { properties: { arguments: Envelope.object(), output: Envelope.object() } },
  default: "list"
})
