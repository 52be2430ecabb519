import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { OverlayView } from "../../services/OverlayView.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import * as Shared from "../fields.ts"
import { read } from "./facade.ts"
import { allowSecrets, compressBodies, contextLines, maxLines } from "./fields.ts"

export const source = read.declared("source", {
  tool: "get_symbol_source",
  aliases: ["symbol", "symbol_source", "get_symbol_source"],
  summary: "One symbol's source with its location and signature.",
  input: F.input({
    target: F.target({ symbol: Shared.symbol }),
    context: F.group({ context_lines: contextLines, compress_bodies: compressBodies, max_lines: maxLines }),
    options: F.group({ allow_secrets: allowSecrets, if_none_match: Shared.ifNoneMatch })
  }),
  needs: [ReadFs, CodeGraph, OverlayView],
  because: "its handler is not installed"
})
