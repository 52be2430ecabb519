import type { SymbolMatches, SymbolQuery } from "../../services/CodeGraph.ts"
import type { Snapshot } from "../graph/Snapshot.ts"

/** Finds definitions by words. Built once per snapshot, on first use. */
export class SymbolSearch {
  constructor(readonly snapshot: Snapshot) {}
  search(_query: SymbolQuery): SymbolMatches {
    return { matches: [], total: 0, query_class: "symbol" }
  }
}
