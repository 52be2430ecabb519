import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import * as Shared from "../fields.ts"
import { explore } from "./facade.ts"
import { repository } from "./fields.ts"

export const closure = explore.declared("closure", {
  tool: "context_closure",
  summary: "What seed files or symbols depend on, nearest first, within a token budget.",
  input: F.input(
    {
      path: repository,
      options: F.group({
        files: F.optional(F.described(F.csv, "seed files; every symbol in them is a seed")),
        symbols: F.optional(F.described(F.csv, "seed symbol ids; in an array each item stays whole")),
        edge_kinds: F.optional(F.described(F.csv, "kinds of edge to follow")),
        token_budget: F.clamped({ min: 100, max: 100_000 }),
        max_depth: Shared.depth(6, 64),
        max_nodes: F.described(F.clamped({ min: 1, max: 5000, default: 400 }), "members, nearest first"),
        rank: F.withDefault(F.choice("distance", "proximity"), "distance")
      })
    },
    { atLeastOne: [["options.files", "options.symbols"]] }
  ),
  needs: [CodeGraph],
  because: "its handler is not installed"
})
