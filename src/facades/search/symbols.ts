import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { TextIndex } from "../../services/TextIndex.ts"
import * as Shared from "../fields.ts"
import { search } from "./facade.ts"
import { flavor, languages } from "./fields.ts"

export const symbols = search.declared("symbols", {
  tool: "search_symbols",
  summary: "Symbols by name, concept or keywords, ranked; filters may stand in the query.",
  fixed: { assist: "off" },
  page: { default: 20, max: 200 },
  input: F.input({
    query: F.described(F.text, "name, concept or keywords; may carry kind:, lang:, path: and flavor: filters"),
    options: F.group({
      kind: Shared.kinds,
      flavor,
      language: languages,
      exclude_tests: Shared.excludeTests,
      path: Shared.subPaths,
      corpus: F.withDefault(F.choice("code", "docs", "content", "all"), "code"),
      query_class: F.withDefault(F.choice("auto", "symbol", "concept", "path", "signature", "keyword_soup"), "auto"),
      expand: F.withDefault(F.choice("both", "equivalence", "llm", "off"), "both"),
      max_per_file: F.described(F.clamped({ min: 0, max: 100, default: 3 }), "rows of one file among the first; 0 for any number")
    })
  }),
  needs: [CodeGraph, TextIndex],
  because: "its handler is not installed"
})
