import * as Envelope from "../../registry/Envelope.ts"
import * as Facade from "../../registry/Facade.ts"

export const overlay = Facade.make("overlay", {
  effect: "session_write",
  purpose: "Try edits in memory, on branches, without touching the disk.",
  envelope: {
    properties: { arguments: Envelope.object(), output: Envelope.object() },
    required: ["operation"]
  }
})
