import * as Envelope from "../../registry/Envelope.ts"
import * as Facade from "../../registry/Facade.ts"

export const recall = Facade.make("recall", {
  effect: "read",
  purpose: "Read what earlier sessions kept: memories, notes, notebooks.",
  envelope: { properties: { arguments: Envelope.object(), output: Envelope.object() } },
  default: "surface"
})
