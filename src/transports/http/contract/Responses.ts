/** Responses of the tool contract: what a call came to, and what its engine rejected with. */
import type { CallResult } from "../../../pipeline/CallResult.ts"
import type { Found, Started } from "../../../pipeline/Engine.ts"
import { textOf } from "../../../pipeline/ResultText.ts"
import { jsonText, type Plain } from "../Plain.ts"
import { accepted, outcomeOf, statusOf, type ToolResult, waiting, waitingCall } from "./Envelope.ts"
import { fail, refusalOf, responseTo } from "./Failures.ts"

/** A result whose value may be as long as all the rest together many times over, and whose text may be known. */
const textOfResult = ({ result, ...rest }: ToolResult): string =>
  result === undefined
    ? JSON.stringify(rest)
    : `${JSON.stringify(rest).slice(0, -1)},"result":${textOf(result)}}`

export const send = (
  result: ToolResult,
  status: number = statusOf(result),
  headers?: { readonly [name: string]: string }
): Plain => jsonText(status, textOfResult(result), headers)

const isRecord = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null

/** What the engine rejected with, as a response. `log` takes what only the operator should see. */
export const thrown = (
  log: (text: string) => void,
  cause: unknown,
  context: { readonly [key: string]: unknown }
): Plain => {
  const failure = isRecord(cause) ? cause : {}
  const known = responseTo(
    {
      failure_stage: failure["failure_stage"],
      code: failure["code"],
      message: failure["message"],
      reason_code: failure["reason_code"],
      field: failure["field"],
      data: failure["data"],
      state_changed: failure["state_changed"]
    },
    context
  )
  if (known !== undefined) return known
  if (failure["_tag"] === "InterruptedException")
    return fail("SERVICE_UNAVAILABLE", "the server is ending", context, 1000)
  switch (failure["reason"]) {
    case "conflict":
      return fail("CONFIRMATION_INVALID", String(failure["detail"]), context)
    case "not_found":
      return fail("APPROVAL_NOT_FOUND", String(failure["detail"]), context)
    case "io_error":
      return fail("SERVICE_UNAVAILABLE", "the records cannot be used", context, 1000)
    default:
      log(`http: ${cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)}`)
      return fail("INTERNAL_ERROR", "the server failed; its log says more", context)
  }
}

const approvalOf = ({ structuredContent }: CallResult) => {
  const data = structuredContent["data"]
  const approval = isRecord(data) ? data["approval"] : undefined
  return isRecord(approval)
    ? {
        reference: String(approval["reference"]),
        expiresAt: String(approval["expires_at"]),
        digest: String(approval["digest"])
      }
    : undefined
}

/** The response to a result: refused, waiting for a person, or run. */
export const responded = (requestId: string, name: string, result: CallResult): Plain => {
  if (result.isError === true && result.structuredContent["error_code"] === "approval_required") {
    const approval = approvalOf(result)
    if (approval !== undefined) return send(waiting(requestId, name, approval))
  }
  return refusalOf(result, { requestId, name }) ?? send(outcomeOf(requestId, name, result))
}

/** The response to a call that was begun: to its job, or to its result where it is none. */
export const begun = (
  requestId: string,
  name: string,
  started: Started,
  headers?: { readonly [name: string]: string }
): Plain =>
  started.tag === "job"
    ? send(accepted(requestId, started.job, started.duplicate), 202, {
        location: `/api/cos/tools/calls/${requestId}`,
        ...headers
      })
    : responded(requestId, name, started.result)

/** The response to a question after a call. */
export const looked = (requestId: string, found: Found): Plain => {
  switch (found.tag) {
    case "job":
      return send(
        accepted(requestId, found.job, false, found.job.state === "queued" ? "accepted" : "running"),
        200
      )
    case "waiting":
      return send(waitingCall(found.call))
    case "done":
      return send(outcomeOf(requestId, found.record.operation, found.result, false), 200)
  }
}

/** The response where there is no such call of the caller's. */
export const noCall = (requestId: string): Plain =>
  fail("TOOL_CALL_NOT_FOUND", `no call of yours is known as ${requestId}`, { requestId })
