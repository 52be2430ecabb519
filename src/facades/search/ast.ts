import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { TextIndex } from "../../services/TextIndex.ts"
import * as Shared from "../fields.ts"
import { search } from "./facade.ts"

export const ast = search.declared("ast", {
  tool: "search_ast",
  summary: "Structural matches: a syntax-tree query, a code pattern, or a named detector.",
  page: { default: 50, max: 500 },
  input: F.input(
    {
      query: F.optional(F.aliased(F.described(F.text, "tree-sitter query or code pattern; needs options.language"), "pattern")),
      options: F.group({
        detector: F.optional(F.described(F.text, "bundled rule, in place of a query")),
        language: F.optional(F.text),
        path_prefix: Shared.pathPrefix,
        exclude_tests: F.optional(F.described(F.flag, "on by default with a detector only")),
        min_fan_in_of_enclosing_func: F.optional(F.described(F.count, "keep hits in functions used this often"))
      })
    },
    { exactlyOne: [["query", "options.detector"]] }
  ),
  needs: [TextIndex, CodeGraph],
  because: "its handler is not installed"
})
