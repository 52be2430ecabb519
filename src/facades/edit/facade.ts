import * as Envelope from "../../registry/Envelope.ts"
import * as Facade from "../../registry/Facade.ts"
import { isRecord } from "../../registry/Json.ts"
import { selector, sent } from "../selectors.ts"

export const edit = Facade.make("edit", {
  effect: "local_write",
  purpose: "Change files: replace exact text, write whole files, apply a batch, generate output.",
  envelope: {
    properties: {
      target: Envelope.target("file", "symbol"),
      match: Envelope.text("exact text to replace"),
      replacement: Envelope.text(),
      content: Envelope.text("whole new text of the file"),
      changes: Envelope.objects("batch items, each with an op"),
      guard: Envelope.object("base_sha or read_revision as last read"),
      dry_run: Envelope.flag(),
      options: Envelope.object(),
      output: Envelope.object()
    }
  },
  default: "file",
  infer: (args, stated) => {
    if (stated !== undefined) return stated
    if (args["changes"] !== undefined) return "batch"
    const named = isRecord(args["target"]) ? selector(args) : undefined
    if (named === "symbol") return "symbol"
    return named === "file" && args["content"] !== undefined && !sent(args["match"]) ? "write" : undefined
  }
})
