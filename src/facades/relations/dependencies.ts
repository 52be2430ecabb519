import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import * as Shared from "../fields.ts"
import { relations } from "./facade.ts"
import { bySymbolOrFile, page, trust } from "./fields.ts"

export const dependencies = relations.declared("dependencies", {
  tool: "get_dependencies",
  summary: "What a symbol or file depends on, to a depth.",
  page,
  input: F.input({
    target: bySymbolOrFile,
    options: F.group({ ...trust, depth: Shared.depth(2) })
  }),
  needs: [CodeGraph],
  because: "its handler is not installed"
})
