import * as Envelope from "../../registry/Envelope.ts"
import * as Facade from "../../registry/Facade.ts"

export const ask = Facade.make("ask", {
  effect: "read",
  purpose: "Let a configured language model research an open question about the code.",
  envelope: {
    properties: { question: Envelope.text(), options: Envelope.object(), output: Envelope.object() },
    required: ["question"]
  },
  default: "research"
})
