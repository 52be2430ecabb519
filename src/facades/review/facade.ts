import * as Envelope from "../../registry/Envelope.ts"
import * as Facade from "../../registry/Facade.ts"

export const review = Facade.make("review", {
  effect: "read",
  purpose: "Review a changeset, or gather what a reviewer needs to know. Publishes nothing.",
  envelope: {
    properties: {
      source: Envelope.object("scope, base or diff"),
      options: Envelope.object(),
      output: Envelope.object()
    }
  },
  default: "run"
})
