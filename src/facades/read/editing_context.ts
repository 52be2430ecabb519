import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { OverlayView } from "../../services/OverlayView.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import * as Shared from "../fields.ts"
import { read } from "./facade.ts"
import { compressBodies, fidelityGlobs, keep } from "./fields.ts"

export const editingContext = read.declared("editing_context", {
  tool: "get_editing_context",
  summary: "Before editing a file: its symbols, imports, direct callers and callees.",
  input: F.input({
    target: F.target({ file: Shared.file, symbol: F.described(Shared.symbol, "the file that defines it is meant") }),
    context: F.group({ compress_bodies: compressBodies }),
    options: F.group({
      detail: F.withDefault(F.choice("brief", "full"), "brief"),
      keep,
      fidelity_globs: fidelityGlobs,
      if_none_match: Shared.ifNoneMatch
    })
  }),
  needs: [ReadFs, CodeGraph, OverlayView],
  because: "its handler is not installed"
})
