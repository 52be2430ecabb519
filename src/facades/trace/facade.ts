import * as Envelope from "../../registry/Envelope.ts"
import * as Facade from "../../registry/Facade.ts"

export const trace = Facade.make("trace", {
  effect: "read",
  purpose: "Follow calls, paths, control flow and data flow through the graph.",
  envelope: {
    properties: {
      target: Envelope.target("symbol", "query"),
      to: Envelope.target("symbol", "query"),
      options: Envelope.object(),
      output: Envelope.object()
    }
  },
  default: "call_chain"
})
