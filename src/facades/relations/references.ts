import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { TextIndex } from "../../services/TextIndex.ts"
import * as Shared from "../fields.ts"
import { relations } from "./facade.ts"
import { bySymbol } from "./fields.ts"

export const references = relations.declared("references", {
  tool: "check_references",
  summary: "One verdict: is a symbol still used anywhere, with evidence.",
  input: F.input(
    {
      target: F.optional(bySymbol),
      options: F.group({
        name: F.optional(F.described(F.text, "name to look for when the symbol is gone")),
        exclude_tests: Shared.excludeTests,
        evidence_limit: F.clamped({ min: 1, max: 1000, default: 50 }),
        min_tier: Shared.minTier
      })
    },
    { atLeastOne: [["target", "options.name"]] }
  ),
  needs: [CodeGraph, TextIndex],
  because: "its handler is not installed"
})
