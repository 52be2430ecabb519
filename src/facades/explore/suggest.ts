import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { explore } from "./facade.ts"

const needs = [CodeGraph] as const

export const suggest: Member<typeof explore, "suggest", typeof needs> = explore.declared("suggest", {
  tool: "suggest_queries",
  summary: "First questions worth asking about a codebase you do not know.",
  tier: 2,
  page: { default: 8, max: 20 },
  input: F.input({}),
  needs,
  because: "this build does not suggest questions"
})
