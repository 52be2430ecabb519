import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { search } from "./facade.ts"

export const completion = search.declared("completion", {
  tool: "graph_completion_search",
  summary: "Name matches and their neighbours in the graph, ranked together.",
  page: { default: 25, max: 200 },
  input: F.input({
    query: F.described(F.text, "symbol name or a part of one"),
    options: F.group({
      seed_limit: F.clamped({ min: 1, max: 100, default: 5 }),
      max_seed_expansion: F.described(F.clamped({ min: 0, max: 100, default: 8 }), "neighbours added for each seed"),
      edge_kinds: F.withDefault(F.described(F.csv, "kinds of edge to expand on; all for every kind"), ["calls", "references"])
    })
  }),
  needs: [CodeGraph],
  because: "its handler is not installed"
})
