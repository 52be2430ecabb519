import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { explore } from "./facade.ts"

const top = (standard: number) => F.clamped({ min: 0, max: 50, default: standard })

const needs = [CodeGraph] as const

export const wakeup: Member<typeof explore, "wakeup", typeof needs> = explore.declared("wakeup", {
  tool: "gortex_wakeup",
  summary: "Short digest of the codebase, to paste where there is no connection.",
  tier: 2,
  input: F.input({
    options: F.group({ top_communities: top(4), top_hotspots: top(5), top_entry_points: top(5) }),
    output: F.group({
      format: F.withDefault(F.choice("markdown", "json"), "markdown"),
      max_tokens: F.clamped({ min: 50, max: 20_000, default: 500 })
    })
  }),
  needs,
  because: "this build writes no digests"
})
