/** Results of the tool contract, made from what the pipeline knows of a call. */
import type { CallResult } from "../../../pipeline/CallResult.ts"
import type { Job, PendingCall } from "../../../pipeline/Engine.ts"

export type State = "completed" | "accepted" | "running" | "failed" | "cancelled" | "confirmation_required"

export interface ToolResult {
  readonly type: "portos_tool_result"
  readonly requestId: string
  readonly name: string
  readonly version: 1
  readonly state: State
  /** Whether this is the outcome of an earlier call. */
  readonly duplicate: boolean
  readonly result?: { readonly [key: string]: unknown }
  /** At most 500 characters. */
  readonly error?: string
  readonly errorCode?: string
  readonly summary?: string
  readonly job?: JobNote
  readonly confirmation?: {
    readonly reference: string
    readonly expiresAt: string
    readonly digest: string
    readonly summary: string
  }
  readonly cancellation?: "stopped" | "withdrawn" | "requested" | "already_terminal"
}

export interface JobNote {
  readonly id: string
  readonly status: Job["state"]
  readonly eventsUrl: string
  readonly cancelable: boolean
}

const longestError = 500

/** Cuts a text between two characters. */
const cut = (text: string): string => {
  if (text.length <= longestError) return text
  const end = longestError - 1
  const code = text.charCodeAt(end - 1)
  return `${text.slice(0, code >= 0xd800 && code < 0xdc00 ? end - 1 : end)}…`
}

export const jobNote = ({ elsewhere, id, state }: Job): JobNote => ({
  id,
  status: state,
  eventsUrl: `/api/cos/tools/jobs/${id}/events`,
  cancelable: !elsewhere && (state === "queued" || state === "running")
})

const base = (requestId: string, name: string, state: State, duplicate: boolean) =>
  ({ type: "portos_tool_result", requestId, name, version: 1, state, duplicate }) as const

/** The outcome of a call that ran. */
export const outcomeOf = (
  requestId: string,
  name: string,
  { _meta, isError, structuredContent }: CallResult,
  duplicate = _meta.portico?.duplicate === true
): ToolResult => {
  if (isError !== true) return { ...base(requestId, name, "completed", duplicate), result: structuredContent }
  const code = String(structuredContent["error_code"])
  return {
    ...base(requestId, name, code === "cancelled" ? "cancelled" : "failed", duplicate),
    result: structuredContent,
    error: cut(String(structuredContent["message"])),
    errorCode: code
  }
}

/** A call that goes on as a job. */
export const accepted = (
  requestId: string,
  job: Job,
  duplicate: boolean,
  state: State = "accepted"
): ToolResult => ({
  ...base(requestId, job.operation, state, duplicate),
  summary: `${job.operation} is ${job.state}`,
  job: jobNote(job)
})

/** A call that waits for a person. */
export const waiting = (
  requestId: string,
  name: string,
  { digest, expiresAt, reference }: { readonly [K in "reference" | "expiresAt" | "digest"]: string }
): ToolResult => ({
  ...base(requestId, name, "confirmation_required", false),
  confirmation: { reference, expiresAt, digest, summary: `${name} waits for a person to agree` }
})

/** The same, for a call that is looked up. */
export const waitingCall = ({ expiresAt, fingerprint, operation, reference, requestId }: PendingCall) =>
  waiting(requestId, operation, { reference, expiresAt, digest: fingerprint })

/** HTTP status of a result. */
export const statusOf = ({ state }: ToolResult): 200 | 202 | 422 =>
  state === "failed" ? 422 : state === "accepted" ? 202 : 200
