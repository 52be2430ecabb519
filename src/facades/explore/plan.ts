import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { TextIndex } from "../../services/TextIndex.ts"
import * as Shared from "../fields.ts"
import { explore } from "./facade.ts"

const needs = [CodeGraph, TextIndex] as const

export const plan: Member<typeof explore, "plan", typeof needs> = explore.declared("plan", {
  tool: "plan_turn",
  summary: "Which calls to make first for a task, arguments filled in.",
  tier: 2,
  input: F.input({
    task: Shared.task,
    options: F.group({ max_calls: F.clamped({ min: 1, max: 20, default: 4 }) })
  }),
  needs,
  because: "this build does not plan calls"
})
