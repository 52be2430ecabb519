import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { TextIndex } from "../../services/TextIndex.ts"
import * as Shared from "../fields.ts"
import { explore } from "./facade.ts"
import { repository } from "./fields.ts"

export const context = explore.declared("context", {
  tool: "smart_context",
  summary: "Smallest working set for a task: key source, relations, tests, files to edit.",
  input: F.input({
    task: Shared.task,
    path: repository,
    options: F.group({
      path: Shared.subPaths,
      entry_point: F.optional(F.described(F.text, "symbol id or file to start from")),
      max_symbols: F.described(F.clamped({ min: 1, max: 100, default: 5 }), "symbols that get full source"),
      fidelity: F.withDefault(F.choice("flat", "graded"), "flat"),
      token_budget: F.described(Shared.tokenBudget(8000), "budget of the graded manifest"),
      estimate: F.withDefault(F.described(F.flag, "only say what it would cost"), false),
      if_none_match: Shared.ifNoneMatch,
      delta_from: F.optional(F.described(F.text, "etag of a held pack; answers only what differs from it")),
      include_call_paths: F.withDefault(F.flag, false),
      include_flows: F.withDefault(F.flag, false),
      include_confidence: F.withDefault(F.flag, false)
    })
  }),
  needs: [CodeGraph, TextIndex, ReadFs],
  because: "its handler is not installed"
})
