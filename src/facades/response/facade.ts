import * as Envelope from "../../registry/Envelope.ts"
import * as Facade from "../../registry/Facade.ts"

export const response = Facade.make("response", {
  effect: "read",
  purpose: "Cut earlier answers of this session again, without asking anew: grep, slice, peek.",
  envelope: { properties: { arguments: Envelope.object(), output: Envelope.object() } },
  default: "stats"
})
