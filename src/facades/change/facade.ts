import * as Envelope from "../../registry/Envelope.ts"
import * as Facade from "../../registry/Facade.ts"

export const change = Facade.make("change", {
  effect: "read",
  purpose: "Judge a change before or after making it: what it touches, breaks, and which tests to run.",
  envelope: {
    properties: {
      target: Envelope.target("symbol", "symbols", "file"),
      source: Envelope.object("the change: scope, base, file, ranges, changes …"),
      options: Envelope.object(),
      output: Envelope.object()
    }
  },
  default: "contract"
})
