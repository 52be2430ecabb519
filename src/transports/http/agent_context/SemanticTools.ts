/**
 * The operations of the server as tools of the agent context: those the grants cover and a call here could run. Nothing
 * of them is listed or run while the context is disabled.
 */
import { randomUUID } from "node:crypto"
import type { CallResult } from "../../../pipeline/CallResult.ts"
import { type CatalogRow, of as catalogOf } from "../../../pipeline/Catalog.ts"
import type { Engine } from "../../../pipeline/Engine.ts"
import type { Refusal } from "../../../pipeline/Pipeline.ts"
import { project } from "../../../pipeline/Providers.ts"
import type { Principal } from "../../../policy/Principal.ts"
import type { ToolDefinition } from "./ContextTools.ts"
import { redact, redactValue } from "./Redaction.ts"
import type { Settings } from "./Settings.ts"

type Fields = { readonly [key: string]: unknown }

/** What a semantic call comes to, on the wire. */
export interface ToolResult {
  readonly type: "portos_tool_result"
  readonly requestId: string
  readonly name: string
  readonly version: 1
  readonly state: "completed" | "failed"
  readonly duplicate: boolean
  readonly result?: Fields
  /** At most 500 characters; only of a failure. */
  readonly error?: string
  readonly errorCode?: string
}

const outputSchema: Fields = {
  type: "object",
  properties: {
    type: { const: "portos_tool_result" },
    requestId: { type: "string" },
    name: { type: "string" },
    version: { const: 1 },
    state: { type: "string", enum: ["completed", "failed"] },
    duplicate: { type: "boolean" },
    result: { type: "object" },
    error: { type: "string", maxLength: 500 },
    errorCode: { type: "string" }
  },
  required: ["type", "requestId", "name", "version", "state", "duplicate"],
  additionalProperties: false
}

/** Prefix of the request ids of calls from here. */
const prefix = "agent-mcp:"
/** Characters a request id may have in all. */
const mostId = 200

/** What is wrong with an idempotency key; undefined for a good one. */
export const keyFault = (key: string): string | undefined => {
  const most = mostId - prefix.length
  if (key.length === 0 || key.length > most) return `Idempotency-Key must have 1 to ${most} characters`
  return /^[A-Za-z0-9._:-]+$/.test(key)
    ? undefined
    : "Idempotency-Key may have letters, digits and the characters . _ : -"
}

export const requestIdOf = (key: string | undefined): string => `${prefix}${key ?? randomUUID()}`

/** Whether the grants cover an operation. A session's operations have none to work on here, and others have no grant. */
const covered = ({ policy }: CatalogRow, { actions }: Settings, { authenticated }: Principal): boolean =>
  policy.effect === "read"
    ? actions.readPortos
    : policy.effect === "local_write" && actions.writePortos && authenticated

/** The operations that a caller could run here if the context were enabled. */
const grantedRows = (
  { policy, registry }: Engine,
  settings: Settings,
  principal: Principal
): ReadonlyArray<CatalogRow> =>
  catalogOf(registry)
    .rows(policy(), "agent")
    .filter((row) => row.available && row.granted !== false && covered(row, settings, principal))

/** Names the grants cover, for a manifest of a context that is not enabled. */
export const grantedNames = (
  engine: Engine,
  settings: Settings,
  principal: Principal
): ReadonlyArray<string> => grantedRows(engine, settings, principal).map(({ name }) => name)

/** The tools as they are listed. */
export const definitions = (
  engine: Engine,
  settings: Settings,
  principal: Principal
): ReadonlyArray<ToolDefinition> =>
  settings.enabled
    ? grantedRows(engine, settings, principal).map((row) => ({
        ...(project("mcp", row) as unknown as ToolDefinition),
        outputSchema
      }))
    : []

const message = (value: Fields): string => {
  const said = value["message"] ?? value["error"] ?? value["summary"]
  return redact(typeof said === "string" ? said : "the call failed").slice(0, 500)
}

const resultOf = (
  requestId: string,
  name: string,
  { isError, structuredContent, _meta }: CallResult
): ToolResult => {
  const { error_code: code } = structuredContent
  const result = redactValue(structuredContent) as Fields
  return {
    type: "portos_tool_result",
    requestId,
    name,
    version: 1,
    state: isError === true ? "failed" : "completed",
    duplicate: _meta.portico?.duplicate === true,
    result,
    ...(isError === true
      ? { error: message(structuredContent), errorCode: typeof code === "string" ? code : "internal" }
      : {})
  }
}

export interface SemanticCall {
  readonly engine: Engine
  readonly settings: Settings
  readonly principal: Principal
  readonly client: string | undefined
  readonly requestId: string
  readonly signal: AbortSignal
}

/** Runs a tool; undefined when there is none of that name, granted or not. What is turned away here is written down, too. */
export const run = async (
  name: string,
  args: Fields,
  given: SemanticCall
): Promise<ToolResult | undefined> => {
  const { client, engine, principal, requestId, settings, signal } = given
  const catalog = catalogOf(engine.registry)
  const request = { principal, door: "agent_context", ...(client === undefined ? {} : { client }) } as const
  const entry = catalog.resolve(name)
  if (entry === undefined) {
    const failure = catalog.unknown(name)
    await engine.refuse({ ...request, tool: name, args: {} }, { failure, stage: "admission" })
    return undefined
  }
  const refuse = (refusal: Omit<Refusal, "operation">) =>
    engine.refuse({ ...request, tool: entry.name, args }, { ...refusal, operation: entry.name })
  const failed = (errorCode: string, error: string): ToolResult => ({
    type: "portos_tool_result",
    requestId,
    name: entry.name,
    version: 1,
    state: "failed",
    duplicate: false,
    error: error.slice(0, 500),
    errorCode
  })
  if (!settings.enabled || !grantedNames(engine, settings, principal).includes(entry.name)) {
    const failure = catalog.withheld(entry, "the agent context")
    await refuse({ failure, stage: "authority" })
    return failed("TOOL_CAPABILITY_DENIED", failure.message)
  }
  const call = catalog.callOf(entry, args)
  if (call._tag === "Left") {
    await refuse({ failure: call.left, stage: "decode" })
    return failed(call.left.code, call.left.message)
  }
  const result = await engine.call({ ...call.right, ...request, requestId }, { signal })
  return resultOf(requestId, entry.name, result)
}
