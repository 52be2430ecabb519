import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import * as Shared from "../fields.ts"
import { relations } from "./facade.ts"
import { bySymbol, page, resultUses, roles, trust } from "./fields.ts"

export const usages = relations.declared("usages", {
  tool: "find_usages",
  summary: "Every place that uses a symbol, with the role it plays there.",
  page,
  input: F.input({
    target: bySymbol,
    options: F.group({
      ...trust,
      exclude_tests: Shared.excludeTests,
      group_by: F.optional(F.choice("file")),
      context: F.optional(F.described(roles, "keep one role")),
      return_usage: F.optional(F.described(resultUses, "keep calls whose result is used so")),
      flavor: F.optional(F.described(F.csv, "keep uses inside types of these flavours"))
    })
  }),
  needs: [CodeGraph],
  because: "its handler is not installed"
})
