import { Effect } from "effect"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { LanguageReader } from "../../services/LanguageReader.ts"
import { OverlayStore } from "../../services/OverlayStore.ts"
import { OverlayView } from "../../services/OverlayView.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { chained } from "../change/Simulated.ts"
import { sessionId } from "../shared/session.ts"
import { simulation, steps } from "../simulation.ts"
import { overlay } from "./facade.ts"

const needs = [OverlayStore, OverlayView, CodeGraph, LanguageReader, ReadFs] as const

/**
 * Keeps the texts after the last step that was applied, the one that stopped the chain included. They take the place of
 * the active branch where the steps started from it, and are put onto it otherwise.
 */
export const simulate: Member<typeof overlay, "simulate", typeof needs> = overlay.operation("simulate", {
  tool: "simulate_chain",
  fixed: { keep: true },
  summary: "Try edits step by step and keep the outcome as an overlay.",
  long: true,
  input: F.input({
    arguments: F.group({ steps, ...simulation, stop_on_error: F.withDefault(F.flag, true) })
  }),
  needs,
  handler: ({ arguments: { steps: edits, ...options } }, call) =>
    Effect.gen(function* () {
      const session = yield* sessionId
      const { answer, files } = yield* chained(edits, options, "arguments.steps", call.budget)
      const overlays = yield* OverlayStore
      const own = [...files.values()]
      const kept = yield* Effect.either(
        options.inherit_overlay ? overlays.replace(session, own) : overlays.push(session, own)
      )
      return {
        ...answer,
        ...(kept._tag === "Right"
          ? { kept: true, overlay_session_id: session }
          : { kept: false, keep_error: { reason_code: kept.left.reason, message: kept.left.detail } })
      }
    })
})
