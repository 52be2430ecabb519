import { Effect } from "effect"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { planningName } from "../../registry/SessionModes.ts"
import { SessionStore } from "../../services/SessionStore.ts"
import { session } from "./facade.ts"
import { keep } from "./Kept.ts"

const planningWords: ReadonlySet<string> = new Set(["planning", "plan", "readonly"])

const needs = [SessionStore] as const

export const planningMode: Member<typeof session, "planning_mode", typeof needs> = session.operation(
  "planning_mode",
  {
    tool: "set_planning_mode",
    summary: "Switch between planning, which writes nothing durable, and editing.",
    input: F.input({
      arguments: F.group({ mode: F.choice("planning", "editing", "plan", "readonly", "edit", "write") })
    }),
    needs,
    handler: ({ arguments: { mode } }) =>
      Effect.gen(function* () {
        const planning = planningWords.has(mode)
        yield* keep(planningName, planning ? true : undefined)
        return planning
          ? {
              mode: "planning",
              editing_enabled: false,
              note: "tools that write to disk, to control state or outside are refused; reads, session and overlay go on"
            }
          : { mode: "editing", editing_enabled: true }
      })
  }
)
