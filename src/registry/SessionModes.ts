/** Modes a session can be in, and the names under which a session keeps them. */

/** Set to true while a session plans. */
export const planningName = "planning"

/** Phases of a workflow, in order. Files may be changed from `implement` on. */
export const phases = ["explore", "implement", "verify"] as const
export type Phase = (typeof phases)[number]

export interface Workflow {
  /** `block` refuses edits before their phase; `warn` moves on to it at the first one. */
  readonly mode: "block" | "warn"
  readonly phase: Phase
}
export const workflowName = "workflow"

/** Whether files may be changed in a phase. */
export const editsAllowed = (phase: Phase): boolean => phases.indexOf(phase) >= phases.indexOf("implement")

/** A workflow out of a session's value; undefined when none is under way. */
export const workflowOf = (value: unknown): Workflow | undefined => value as Workflow | undefined

/** The name under which a session keeps whether it asks a server: true, false, or nothing when settings decide. */
export const peerName = (server: string): string => `peer ${server}`

/** Whether another server is asked, by what a session says of it and else by the settings. */
export const isAsked = (said: unknown, enabled: boolean): boolean =>
  typeof said === "boolean" ? said : enabled
