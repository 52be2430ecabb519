import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { relations } from "./facade.ts"
import { bySymbol, page, trust } from "./fields.ts"

export const overrides = relations.declared("overrides", {
  tool: "find_overrides",
  summary: "Methods that override a method, or those it overrides.",
  page,
  input: F.input({
    target: bySymbol,
    options: F.group({ ...trust, direction: F.withDefault(F.choice("children", "parents"), "children") })
  }),
  needs: [CodeGraph],
  because: "its handler is not installed"
})
