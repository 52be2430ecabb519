import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import * as Shared from "../fields.ts"
import { relations } from "./facade.ts"
import { bySymbol, page } from "./fields.ts"

export const cluster = relations.declared("cluster", {
  tool: "get_cluster",
  summary: "Neighbourhood of a symbol in both directions.",
  tier: 2,
  page,
  input: F.input({
    target: bySymbol,
    options: F.group({ radius: F.aliased(Shared.depth(2), "depth") })
  }),
  needs: [CodeGraph],
  because: "its handler is not installed"
})
