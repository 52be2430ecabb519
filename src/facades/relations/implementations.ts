import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { relations } from "./facade.ts"
import { bySymbol, page, trust } from "./fields.ts"

export const implementations = relations.declared("implementations", {
  tool: "find_implementations",
  summary: "Concrete types that satisfy an interface.",
  page,
  input: F.input({
    target: bySymbol,
    options: F.group(trust)
  }),
  needs: [CodeGraph],
  because: "its handler is not installed"
})
