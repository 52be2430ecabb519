import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { TextIndex } from "../../services/TextIndex.ts"
import * as Shared from "../fields.ts"
import { explore } from "./facade.ts"
import { repository } from "./fields.ts"

export const task = explore.declared("task", {
  tool: "explore",
  summary: "Ranked symbols and files for a task, with source, callers and files to change.",
  input: F.input({
    task: Shared.task,
    path: repository,
    options: F.group({
      path: Shared.subPaths,
      max_symbols: F.described(F.clamped({ min: 1, max: 100, default: 10 }), "ranked candidates to list"),
      token_budget: F.described(Shared.tokenBudget(1600), "tokens of source to pack")
    })
  }),
  needs: [CodeGraph, TextIndex, ReadFs],
  because: "its handler is not installed"
})
