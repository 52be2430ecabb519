import * as Envelope from "../../registry/Envelope.ts"
import * as Facade from "../../registry/Facade.ts"

export const search = Facade.make("search", {
  effect: "read",
  purpose: "Find symbols by name or concept, text in files, files by name, and structural matches.",
  envelope: {
    properties: {
      query: Envelope.text(),
      options: Envelope.object("filters, such as path or kind"),
      output: Envelope.object()
    }
  },
  default: "symbols"
})
