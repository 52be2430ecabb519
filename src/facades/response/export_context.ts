import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { TextIndex } from "../../services/TextIndex.ts"
import * as Shared from "../fields.ts"
import { response } from "./facade.ts"

const needs = [CodeGraph, TextIndex, ReadFs] as const

export const exportContext: Member<typeof response, "export_context", typeof needs> = response.declared(
  "export_context",
  {
    tool: "export_context",
    summary: "A briefing on a task, to hand on to someone without a connection.",
    tier: 2,
    input: F.input({
      arguments: F.group({
        task: Shared.task,
        entry_point: F.optional(F.described(F.text, "symbol or file to start from")),
        max_symbols: F.clamped({ min: 1, max: 100, default: 5 }),
        format: F.withDefault(F.choice("markdown", "json"), "markdown"),
        token_budget: F.clamped({ min: 100, max: 8000, default: 2000 })
      })
    }),
    needs,
    because: "this build writes no briefings"
  }
)
