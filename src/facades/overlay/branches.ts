/** Branches of an overlay, and edits simulated onto it. */
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { LanguageReader } from "../../services/LanguageReader.ts"
import { OverlayStore } from "../../services/OverlayStore.ts"
import { OverlayView } from "../../services/OverlayView.ts"
import { simulation, steps } from "../simulation.ts"
import { overlay } from "./facade.ts"

const because = "this build keeps no overlays"
const name = F.described(F.text, "name of the branch")

export const fork = overlay.declared("fork", {
  tool: "overlay_fork",
  summary: "Copy a branch into a new one.",
  input: F.input({
    arguments: F.group({
      name: F.described(F.text, "letters, digits, dash, underscore; at most 64"),
      from: F.optional(F.described(F.text, "the active branch when absent")),
      activate: F.withDefault(F.flag, false)
    })
  }),
  needs: [OverlayStore],
  because
})

export const switchTo = overlay.declared("switch", {
  tool: "overlay_switch",
  summary: "Make a branch the active one.",
  input: F.input({ arguments: F.group({ name }) }),
  needs: [OverlayStore],
  because
})

export const dropBranch = overlay.declared("drop_branch", {
  tool: "overlay_drop_branch",
  summary: "Delete a branch that is neither main nor active.",
  tier: 2,
  input: F.input({ arguments: F.group({ name }) }),
  needs: [OverlayStore],
  because
})

export const merge = overlay.declared("merge", {
  tool: "overlay_merge",
  fixed: { to_disk: false },
  summary: "Fold one branch into another, in memory.",
  input: F.input({
    arguments: F.group({
      from: F.text,
      into: F.withDefault(F.text, "main"),
      force: F.withDefault(F.described(F.flag, "let the source win where they differ"), false)
    })
  }),
  needs: [OverlayStore, OverlayView],
  because
})

export const simulate = overlay.declared("simulate", {
  tool: "simulate_chain",
  fixed: { keep: true },
  summary: "Try edits step by step and keep the outcome as an overlay.",
  input: F.input({
    arguments: F.group({ steps, ...simulation, stop_on_error: F.withDefault(F.flag, true) })
  }),
  needs: [OverlayStore, OverlayView, CodeGraph, LanguageReader],
  because
})
