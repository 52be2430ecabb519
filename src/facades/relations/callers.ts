import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import * as Shared from "../fields.ts"
import { relations } from "./facade.ts"
import { bySymbol, page, trust } from "./fields.ts"

export const callers = relations.declared("callers", {
  tool: "get_callers",
  summary: "Who calls a function, to a depth.",
  page,
  input: F.input({
    target: bySymbol,
    options: F.group({ ...trust, depth: Shared.depth(2), exclude_tests: Shared.excludeTests })
  }),
  needs: [CodeGraph],
  because: "its handler is not installed"
})
