import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import * as Shared from "../fields.ts"
import { relations } from "./facade.ts"
import { bySymbolOrFile, page, trust } from "./fields.ts"

export const dependents = relations.declared("dependents", {
  tool: "get_dependents",
  summary: "All that depends on a symbol or file, to a depth.",
  page,
  input: F.input({
    target: bySymbolOrFile,
    options: F.group({ ...trust, depth: Shared.depth(3) })
  }),
  needs: [CodeGraph],
  because: "its handler is not installed"
})
