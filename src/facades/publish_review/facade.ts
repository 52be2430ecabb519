import * as Envelope from "../../registry/Envelope.ts"
import * as Facade from "../../registry/Facade.ts"

export const publishReview = Facade.make("publish_review", {
  effect: "external_write",
  purpose: "Post review findings to a pull request. Others will see them.",
  envelope: {
    properties: { arguments: Envelope.object(), output: Envelope.object() },
    required: ["arguments"]
  },
  default: "post"
})
