import * as Envelope from "../../registry/Envelope.ts"
import * as Facade from "../../registry/Facade.ts"

export const session = Facade.make("session", {
  effect: "session_write",
  purpose: "State of this connection: planning mode, workflow, cursor, notifications.",
  envelope: {
    properties: {
      channel: Envelope.text("to subscribe to"),
      arguments: Envelope.object(),
      output: Envelope.object()
    },
    required: ["operation"]
  }
})
