/** What is counted of a call: names of the registry, codes and outcomes. Nothing a caller wrote gets through here. */
import type { Answer } from "../registry/Answer.ts"
import { byteLength, hash, isRecord, type UnknownRecord } from "../registry/Json.ts"
import * as JsonSchema from "../registry/JsonSchema.ts"
import type { Operation } from "../registry/Operation.ts"
import { surfaceNames } from "../surface/Selection.ts"
import * as Buckets from "../telemetry/Buckets.ts"
import { familyOf } from "../telemetry/Clients.ts"
import { type Ended, misspelt } from "../telemetry/Ergonomics.ts"
import { type Discovery, discoveryFacade, type Outcome, type SentKey, unknown } from "../telemetry/Keys.ts"
import type { CallResult } from "./CallResult.ts"
import type { Counted } from "./Counters.ts"
import type { Greeting } from "./Engine.ts"
import type { Trail } from "./Trail.ts"

/** Whether an answer is a list without rows, before any page is cut from it. */
export const isEmpty = ({ shape, value }: Answer<UnknownRecord>): boolean => {
  if (shape.list === undefined) return false
  const rows = value[shape.list]
  return Array.isArray(rows) && rows.length === 0 && (shape.total ?? 0) === 0
}

/** Reasons of arguments that are refused because of the operation they name. */
const aboutOperation: ReadonlySet<unknown> = new Set(["missing_operation", "unknown_operation"])
/** Codes of calls that a mode, a policy or a person did not let through. */
const blocked: ReadonlySet<string> = new Set([
  "tool_blocked_by_mode",
  "tool_out_of_phase",
  "permission_denied",
  "approval_required",
  "approval_denied",
  "remote_disabled",
  "remote_read_only",
  "overloaded"
])
const unavailable: ReadonlySet<string> = new Set([
  "operation_unavailable",
  "capability_unavailable",
  "index_incomplete"
])
/** Codes of a server that did not do its part. */
const ours: ReadonlySet<string> = new Set(["internal", "io_error", "timeout", "cancelled"])

/** How a call came out. `code` is the failure's, or undefined for an answer; `empty` says that it has no rows. */
export const outcomeOf = (code: string | undefined, reason: unknown, empty: boolean): Outcome => {
  if (code === undefined) return empty ? "empty_result" : "success"
  if (code === "unknown_tool" || (code === "invalid_argument" && aboutOperation.has(reason)))
    return "invalid_operation"
  if (misspelt.has(code)) return "invalid_argument"
  if (blocked.has(code)) return "blocked"
  if (unavailable.has(code)) return "unavailable"
  return ours.has(code) ? "handler_error" : "tool_error"
}

/** How much the tool that describes the others is asked about. */
export const discoveryOf = (facade: string, value: UnknownRecord): Discovery | undefined => {
  if (facade !== discoveryFacade) return undefined
  return value["operation"] !== undefined ? "operation" : value["domain"] !== undefined ? "domain" : "list"
}

const presets: ReadonlyArray<string> = surfaceNames

const codeOf = ({ isError, structuredContent }: CallResult): string | undefined =>
  isError === true ? String(structuredContent["error_code"]) : undefined

/** What the counters take of a call. */
export const countedOf = (trail: Trail, result: CallResult, milliseconds: number): Counted => {
  const { facade, operation } = result._meta.gortex_facade
  const code = codeOf(result)
  return {
    operation: `${facade}.${operation}`,
    code: code ?? "ok",
    milliseconds,
    // A name that led nowhere is the caller's own word.
    tool: facade === unknown ? unknown : trail.called,
    outcome: outcomeOf(code, result.structuredContent["reason_code"], trail.empty),
    reported:
      facade === discoveryFacade && !trail.hidden
        ? `${facade}.${code === undefined ? (trail.discovery ?? unknown) : unknown}`
        : undefined
  }
}

const contracts = new WeakMap<Operation.Any, number>()

/** Bytes of the schema of an operation's input. */
const contractOf = (operation: Operation.Any): number => {
  const known = contracts.get(operation) ?? byteLength(JsonSchema.ofInput(operation.input))
  contracts.set(operation, known)
  return known
}

/** Whether an answer says something beside its result. */
export const isNoted = ({
  completeness,
  effective,
  freshness,
  input_normalization
}: UnknownRecord): boolean =>
  effective !== undefined ||
  input_normalization !== undefined ||
  (isRecord(freshness) && freshness["state"] !== "fresh") ||
  (isRecord(completeness) && completeness["complete"] === false)

/** What is known of a call once it is over. */
export const endedOf = (trail: Trail, result: CallResult): Ended => {
  const { facade, operation } = result._meta.gortex_facade
  const { failure_stage, state_changed } = result.structuredContent
  return {
    // A command is a session of its own, and no habit.
    session: trail.door === "cli" ? undefined : trail.session,
    facade,
    operation,
    effect: trail.effect,
    code: codeOf(result),
    stage: typeof failure_stage === "string" ? failure_stage : undefined,
    empty: trail.empty,
    changed: typeof state_changed === "boolean" ? state_changed : undefined,
    digest: () => trail.digest,
    bytes: () => byteLength(result.structuredContent),
    contract: () => (trail.operation === undefined ? undefined : contractOf(trail.operation)),
    noted: isNoted(result.structuredContent)
  }
}

/**
 * What is counted when a session was shown its tools. A list that somebody put together, or that has tools `isOurs` does
 * not know, could be the only one of its kind, so its hash is left out.
 */
export const countsOf = (
  { client, door, surface, tools }: Greeting,
  isOurs: (tool: string) => boolean
): ReadonlyArray<readonly [SentKey, string]> => [
  ["daemon_session", door],
  ["client", familyOf(client)],
  ["surface", surface],
  ["surface_tools", Buckets.bucket(Buckets.tools, tools.length)],
  ["surface_bytes", Buckets.bucket(Buckets.bytes, byteLength(tools))],
  ...(presets.includes(surface) && tools.every(({ name }) => isOurs(name))
    ? [["surface_schema", hash(tools).slice(0, 8)] as const]
    : [])
]
