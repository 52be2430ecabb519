import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { search } from "./facade.ts"

const needs = [CodeGraph] as const

export const artifacts: Member<typeof search, "artifacts", typeof needs> = search.declared("artifacts", {
  tool: "search_artifacts",
  summary: "Schemas, API specs, infrastructure files and decision records.",
  tier: 2,
  page: { default: 50, max: 500 },
  input: F.input({
    query: F.optional(F.described(F.text, "part of a name or path; absent for all")),
    options: F.group({ kind: F.optional(F.choice("schema", "api", "infra", "doc")) })
  }),
  needs,
  because: "this build has no index of artifacts"
})
