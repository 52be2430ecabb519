import * as Envelope from "../../registry/Envelope.ts"
import * as Facade from "../../registry/Facade.ts"
import { selector } from "../selectors.ts"

const byTarget = {
  file: "file",
  symbol: "source",
  symbols: "symbols",
  artifact: "artifact",
  query: undefined
} as const

export const read = Facade.make("read", {
  effect: "read",
  purpose: "Read a file, one symbol's source or several symbols; what the target names decides.",
  envelope: {
    properties: {
      target: Envelope.target("file", "symbol", "symbols", "artifact"),
      context: Envelope.object("context_lines, compress_bodies"),
      options: Envelope.object("offset and limit give a window of lines"),
      output: Envelope.object()
    }
  },
  default: "source",
  // Views of code are told apart by what is named, so a stated one gives way to the target; any other view stands.
  infer: (args, stated) => {
    const named = selector(args)
    if (named === undefined) return stated
    if (stated === undefined) return byTarget[named]
    return (stated === "source" || stated === "symbols") && named !== "artifact"
      ? (byTarget[named] ?? stated)
      : stated
  }
})
