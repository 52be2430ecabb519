/** What a call gives back, whatever carried it. The shape is that of a tool result of the protocol. */
import { surfaceVersion } from "../registry/Capabilities.ts"
import { type OperationFailure, wire } from "../registry/Failure.ts"
import type { UnknownRecord } from "../registry/Json.ts"
import { keepText } from "./ResultText.ts"

/** Which operation answered. `operation` and `canonical_tool` are `unknown` when none was found. */
export interface Routing {
  readonly facade: string
  readonly operation: string
  readonly canonical_tool: string
}

export interface CallResult {
  readonly content: ReadonlyArray<{ readonly type: "text"; readonly text: string }>
  readonly structuredContent: UnknownRecord
  /** Present, and true, for a failure. */
  readonly isError?: true
  readonly _meta: {
    readonly gortex_facade: Routing & { readonly surface_version: string }
    /** Present when this is the outcome of an earlier call. */
    readonly portico?: { readonly duplicate: true }
  }
}

const meta = (routing: Routing): CallResult["_meta"] => ({
  gortex_facade: {
    surface_version: surfaceVersion,
    facade: routing.facade,
    operation: routing.operation,
    canonical_tool: routing.canonical_tool
  }
})

/**
 * The result of a call that worked. Without a text form of its own the text is the value's compact JSON; `json` is that
 * where it is known already.
 */
export const succeeded = (
  routing: Routing,
  value: UnknownRecord,
  text?: string,
  json = text === undefined ? JSON.stringify(value) : undefined
): CallResult => {
  if (json !== undefined) keepText(value, json)
  return {
    content: [{ type: "text", text: text ?? json! }],
    structuredContent: value,
    _meta: meta(routing)
  }
}

/** The result of a call that failed. */
export const failed = (routing: Routing, failure: OperationFailure): CallResult =>
  failedWith(routing, wire(failure))

/** The same, of a failure as it is sent. */
export const failedWith = (routing: Routing, value: UnknownRecord): CallResult => {
  const json = JSON.stringify(value)
  keepText(value, json)
  return {
    content: [{ type: "text", text: json }],
    structuredContent: value,
    isError: true,
    _meta: meta(routing)
  }
}

/** The result of an earlier call, given again. */
export const replayed = (result: CallResult): CallResult => ({
  ...result,
  _meta: { ...result._meta, portico: { duplicate: true } }
})
