import { Effect } from "effect"
import { failure } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { draft } from "../../registry/FollowUp.ts"
import { editsAllowed, phases, type Workflow, workflowName, workflowOf } from "../../registry/SessionModes.ts"
import { SessionStore } from "../../services/SessionStore.ts"
import { SessionView } from "../../services/SessionView.ts"
import { session } from "./facade.ts"
import { keep, kept } from "./Kept.ts"

const stateOf = (workflow: Workflow | undefined) =>
  workflow === undefined
    ? { active: false }
    : {
        active: true,
        mode: workflow.mode,
        current_phase: workflow.phase,
        phases,
        edits_allowed: editsAllowed(workflow.phase)
      }

const needs = [SessionStore, SessionView] as const

export const workflow: Member<typeof session, "workflow", typeof needs> = session.operation("workflow", {
  tool: "workflow",
  summary: "Go through explore, implement, verify, one phase after the other.",
  input: F.input({
    arguments: F.group({
      action: F.choice("start", "advance", "status", "stop"),
      mode: F.withDefault(F.described(F.choice("block", "warn"), "warn moves on at the first edit"), "block")
    })
  }),
  needs,
  handler: ({ arguments: { action, mode } }) =>
    Effect.gen(function* () {
      const now = workflowOf(yield* kept(workflowName))
      let next = now
      if (action === "start") next = { mode, phase: phases[0] }
      else if (action === "stop") next = undefined
      else if (action === "advance") {
        if (now === undefined) {
          return yield* failure("invalid_argument", "no workflow is under way", {
            field: "arguments.action",
            failure_stage: "resolve",
            recovery: draft("fallback_recovery", "session", {
              operation: "workflow",
              arguments: { action: "start" }
            })
          })
        }
        next = { ...now, phase: phases[Math.min(phases.indexOf(now.phase) + 1, phases.length - 1)]! }
      }
      if (next !== now) yield* keep(workflowName, next)
      return stateOf(next)
    })
})
