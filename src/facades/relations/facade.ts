import * as Envelope from "../../registry/Envelope.ts"
import * as Facade from "../../registry/Facade.ts"

export const relations = Facade.make("relations", {
  effect: "read",
  purpose: "How a symbol is connected: who uses or calls it, what it needs, what implements it.",
  envelope: {
    properties: {
      target: Envelope.target("symbol", "file", "query"),
      options: Envelope.object("such as depth, min_tier, exclude_tests"),
      output: Envelope.object()
    }
  },
  default: "usages"
})
