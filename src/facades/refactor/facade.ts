import * as Envelope from "../../registry/Envelope.ts"
import * as Facade from "../../registry/Facade.ts"

export const refactor = Facade.make("refactor", {
  effect: "local_write",
  purpose: "Change code by meaning: rename, move, inline or delete a symbol, apply code actions.",
  envelope: {
    properties: {
      target: Envelope.target("symbol", "file"),
      new_name: Envelope.text(),
      destination: Envelope.text("file to move to"),
      guard: Envelope.object("base_sha by path, or snapshot of a dry run"),
      dry_run: Envelope.flag(),
      options: Envelope.object(),
      output: Envelope.object()
    },
    required: ["target"]
  },
  default: "rename"
})
