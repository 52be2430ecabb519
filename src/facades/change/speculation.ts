/** Changes tried without being made: simulated edits, and overlays compared. */
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { LanguageReader } from "../../services/LanguageReader.ts"
import { OverlayView } from "../../services/OverlayView.ts"
import * as Shared from "../fields.ts"
import { simulation, steps, workspaceEdit } from "../simulation.ts"
import { change } from "./facade.ts"

const because = "this build simulates no edits"

export const preview = change.declared("preview", {
  tool: "preview_edit",
  summary: "What one edit would break, tried on a view that is thrown away.",
  input: F.input({ source: F.group({ workspace_edit: workspaceEdit }), options: F.group(simulation) }),
  needs: [CodeGraph, OverlayView, LanguageReader],
  because
})

export const simulate = change.declared("simulate", {
  tool: "simulate_chain",
  fixed: { keep: false },
  summary: "What several edits would break, step by step; nothing is kept.",
  input: F.input({
    source: F.group({ steps }),
    options: F.group({ ...simulation, stop_on_error: F.withDefault(F.flag, true) })
  }),
  needs: [CodeGraph, OverlayView, LanguageReader],
  because
})

const comparison = {
  kind: F.choice("find_usages", "get_callers", "get_call_chain", "get_dependencies", "get_dependents"),
  depth: Shared.depth(2),
  limit: F.described(F.clamped({ min: 1, max: 1000, default: 50 }), "rows of each side")
}
const bySymbol = F.target({ symbol: Shared.symbol })

export const compareOverlay = change.declared("compare_overlay", {
  tool: "compare_with_overlay",
  summary: "One graph question on disk and on the overlay, with the difference.",
  tier: 2,
  input: F.input({ target: bySymbol, options: F.group(comparison) }),
  needs: [CodeGraph, OverlayView],
  because
})

export const compareBranches = change.declared("compare_branches", {
  tool: "compare_branches",
  summary: "One graph question on two overlay branches, with the difference.",
  tier: 2,
  input: F.input({
    target: bySymbol,
    options: F.group({
      a: F.described(F.text, "first branch"),
      b: F.described(F.text, "second branch"),
      ...comparison
    })
  }),
  needs: [CodeGraph, OverlayView],
  because
})

export const overlayState = change.declared("overlay_state", {
  tool: "overlay_list",
  summary: "Files of the session's overlay and how long it lives.",
  tier: 2,
  input: F.input({}),
  needs: [OverlayView],
  because: "this build keeps no overlays"
})

export const overlayBranches = change.declared("overlay_branches", {
  tool: "overlay_branches",
  summary: "Branches of the session's overlay.",
  tier: 2,
  input: F.input({}),
  needs: [OverlayView],
  because: "this build keeps no overlays"
})
