/** Where values and control go. */
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { OverlayView } from "../../services/OverlayView.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import * as Shared from "../fields.ts"
import { trace } from "./facade.ts"

const because = "this build records no flow of values or control"

const flowNeeds = [CodeGraph] as const

export const flow: Member<typeof trace, "flow", typeof flowNeeds> = trace.declared("flow", {
  tool: "flow_between",
  flat: { "target.symbol": "source_id", "to.symbol": "sink_id" },
  summary: "Data-flow paths from one symbol to another, ranked.",
  input: F.input({
    target: F.target({ symbol: F.aliased(Shared.symbol, "source_id") }),
    to: F.target({ symbol: F.aliased(F.text, "id", "sink_id") }),
    options: F.group({
      max_depth: Shared.depth(8, 64),
      max_paths: F.clamped({ min: 1, max: 200, default: 10 }),
      min_tier: Shared.minTier
    })
  }),
  needs: flowNeeds,
  because
})

const pattern = "words, exact:, path: and kind: clauses"

const taintNeeds = [CodeGraph] as const

export const taint: Member<typeof trace, "taint", typeof taintNeeds> = trace.declared("taint", {
  tool: "taint_paths",
  flat: { "target.query": "source_pattern", "to.query": "sink_pattern" },
  summary: "Data flow between all sources and sinks that fit two patterns.",
  page: { default: 20, max: 500 },
  input: F.input({
    target: F.target({ query: F.aliased(F.described(F.text, pattern), "source_pattern") }),
    to: F.target({ query: F.aliased(F.described(F.text, pattern), "sink_pattern") }),
    options: F.group({ max_depth: Shared.depth(8, 64), min_tier: Shared.minTier })
  }),
  needs: taintNeeds,
  because
})

const cfgNeeds = [CodeGraph, ReadFs, OverlayView] as const

export const cfg: Member<typeof trace, "cfg", typeof cfgNeeds> = trace.declared("cfg", {
  tool: "get_cfg",
  summary: "Control-flow graph of one function, with definitions and uses.",
  input: F.input({
    target: F.target({ symbol: Shared.symbol }),
    options: F.group({ mermaid: F.withDefault(F.described(F.flag, "add a Mermaid flowchart"), false) })
  }),
  needs: cfgNeeds,
  because
})
