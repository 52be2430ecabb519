import * as Envelope from "../../registry/Envelope.ts"
import * as Facade from "../../registry/Facade.ts"

export const explore = Facade.make("explore", {
  effect: "read",
  purpose: "Start here: turn a task into the code that matters, with source, relations and files to edit.",
  envelope: {
    properties: {
      task: Envelope.text("what you want to do or know"),
      path: Envelope.text("repository, as prefix or path in it"),
      options: Envelope.object(),
      output: Envelope.object()
    }
  },
  default: "task"
})
