import * as Envelope from "../../registry/Envelope.ts"
import * as Facade from "../../registry/Facade.ts"

export const capabilities = Facade.make("capabilities", {
  effect: "read",
  purpose:
    "What each tool can do: without arguments all tools, with domain its operations, with operation its schema.",
  envelope: {
    properties: {
      domain: Envelope.text("name of a tool"),
      operation: Envelope.text("one of its operations"),
      output: Envelope.object()
    }
  },
  discriminator: "detail",
  default: "summary"
})
