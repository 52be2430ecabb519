import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { OverlayView } from "../../services/OverlayView.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import * as Shared from "../fields.ts"
import { read } from "./facade.ts"
import { contextLines } from "./fields.ts"

export const symbols = read.declared("symbols", {
  tool: "batch_symbols",
  summary: "Several symbols at once: source, signature, callers, callees.",
  input: F.input({
    target: F.target({ symbols: Shared.symbols }),
    context: F.group({ context_lines: contextLines }),
    options: F.group({ include_source: F.withDefault(F.flag, true), if_none_match: Shared.ifNoneMatch })
  }),
  needs: [ReadFs, CodeGraph, OverlayView],
  because: "its handler is not installed"
})
