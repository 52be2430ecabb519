import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import * as Shared from "../fields.ts"
import { relations } from "./facade.ts"
import { bySymbol, page, trust } from "./fields.ts"

export const hierarchy = relations.declared("hierarchy", {
  tool: "get_class_hierarchy",
  summary: "Ancestors and descendants of a type or method.",
  page,
  input: F.input({
    target: bySymbol,
    options: F.group({
      ...trust,
      direction: F.withDefault(F.choice("up", "down", "both"), "both"),
      depth: Shared.depth(5, 64),
      include_methods: F.withDefault(F.described(F.flag, "add members and their override chains"), false)
    })
  }),
  needs: [CodeGraph],
  because: "its handler is not installed"
})
