import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { TextIndex } from "../../services/TextIndex.ts"
import * as Shared from "../fields.ts"
import { relations } from "./facade.ts"

export const declaration = relations.declared("declaration", {
  tool: "find_declaration",
  summary: "From text at a use site, the declaration it means.",
  input: F.input({
    target: F.target({ query: F.aliased(F.described(F.text, "text at the use site"), "use_site") }),
    options: F.group({
      regex: F.aliased(F.withDefault(F.flag, false), "regexp"),
      path_prefix: Shared.pathPrefix,
      kind: Shared.kinds,
      limit: F.described(F.clamped({ min: 1, max: 1000, default: 20 }), "use sites to look at")
    })
  }),
  needs: [CodeGraph, TextIndex],
  because: "its handler is not installed"
})
