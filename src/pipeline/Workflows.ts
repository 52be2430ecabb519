/** The gate of a session that goes through phases: what changes files waits for its phase, or begins it. */
import type { EffectClass } from "../registry/EffectClass.ts"
import { failure, type OperationFailure } from "../registry/Failure.ts"
import { draft } from "../registry/FollowUp.ts"
import { editsAllowed, phases, type Workflow } from "../registry/SessionModes.ts"

export interface Workflows {
  /** Undefined for a session in no workflow. */
  readonly of: (session: string) => Workflow | undefined
  readonly set: (session: string, workflow: Workflow) => void
}

/** Classes whose effects a workflow holds back. */
const held: ReadonlySet<EffectClass> = new Set(["local_write", "external_write"])

/** Why a call comes too early; undefined when it does not. In mode `warn` it begins the phase of edits instead. */
export const outOfPhase = (
  workflows: Workflows,
  session: string,
  effect: EffectClass,
  holder: string
): OperationFailure | undefined => {
  const workflow = held.has(effect) ? workflows.of(session) : undefined
  if (workflow === undefined || editsAllowed(workflow.phase)) return undefined
  const first = phases.find(editsAllowed)!
  if (workflow.mode === "warn") {
    workflows.set(session, { ...workflow, phase: first })
    return undefined
  }
  return failure(
    "tool_out_of_phase",
    `${holder} changes files, which begins with the phase ${first}; this session is in ${workflow.phase}`,
    {
      failure_stage: "admission",
      data: { current_phase: workflow.phase, phases, mode: workflow.mode },
      recovery: draft("fallback_recovery", "session", {
        operation: "workflow",
        arguments: { action: "advance" }
      })
    }
  )
}
