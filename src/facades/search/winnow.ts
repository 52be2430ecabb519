import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import * as Shared from "../fields.ts"
import { search } from "./facade.ts"

export const winnow = search.declared("winnow", {
  tool: "winnow_symbols",
  summary: "Symbols narrowed by kind, language, degree, churn or tests, and by text if wanted.",
  page: { default: 20, max: 200 },
  input: F.input({
    query: F.optional(F.aliased(F.described(F.text, "ranked text; without it structure alone ranks"), "text_match")),
    options: F.group({
      kind: Shared.kinds,
      language: F.optional(F.text),
      path_prefix: F.optional(F.described(F.csv, "any of these prefixes")),
      community: F.optional(F.described(F.text, "id or label of a community")),
      min_fan_in: F.withDefault(F.count, 0),
      min_fan_out: F.withDefault(F.count, 0),
      min_churn: F.withDefault(F.described(F.count, "changes in this session"), 0),
      is_test: F.optional(F.described(F.flag, "true: tests only; false: no tests")),
      test_role: F.optional(F.list(F.choice("test", "benchmark", "fuzz", "example")))
    })
  }),
  needs: [CodeGraph],
  because: "its handler is not installed"
})
