/** Changes tried without being made. */
import { Effect } from "effect"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { LanguageReader } from "../../services/LanguageReader.ts"
import { OverlayView } from "../../services/OverlayView.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { simulation, steps, workspaceEdit } from "../simulation.ts"
import { change } from "./facade.ts"
import { chained, previewed } from "./Simulated.ts"

const previewNeeds = [CodeGraph, OverlayView, LanguageReader, ReadFs] as const

export const preview: Member<typeof change, "preview", typeof previewNeeds> = change.operation("preview", {
  tool: "preview_edit",
  summary: "What one edit would break, tried on a view that is thrown away.",
  input: F.input({ source: F.group({ workspace_edit: workspaceEdit }), options: F.group(simulation) }),
  needs: previewNeeds,
  handler: ({ options, source }, call) =>
    previewed(source.workspace_edit, options, "source.workspace_edit", call.budget)
})

const simulateNeeds = [CodeGraph, OverlayView, LanguageReader, ReadFs] as const

export const simulate: Member<typeof change, "simulate", typeof simulateNeeds> = change.operation(
  "simulate",
  {
    tool: "simulate_chain",
    fixed: { keep: false },
    summary: "What several edits would break, step by step; nothing is kept.",
    long: true,
    input: F.input({
      source: F.group({ steps }),
      options: F.group({ ...simulation, stop_on_error: F.withDefault(F.flag, true) })
    }),
    needs: simulateNeeds,
    handler: ({ options, source }, call) =>
      Effect.map(chained(source.steps, options, "source.steps", call.budget), ({ answer }) => ({
        ...answer,
        kept: false
      }))
  }
)
