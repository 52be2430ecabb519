import * as Envelope from "../../registry/Envelope.ts"
import * as Facade from "../../registry/Facade.ts"

export const remember = Facade.make("remember", {
  effect: "local_write",
  purpose: "Keep knowledge for later sessions: memories, notes, notebook entries, acknowledged risks.",
  envelope: {
    properties: { arguments: Envelope.object(), output: Envelope.object() }
  },
  default: "memory"
})
