/** What a session remembers of its own calls. It stays in its memory, so what was looked for may be part of it. */
import type { Answer } from "../registry/Answer.ts"
import { isRecord, type UnknownRecord } from "../registry/Json.ts"
import type { LoggedCall } from "../services/SessionView.ts"
import type { CallResult } from "./CallResult.ts"
import type { Trail } from "./Trail.ts"

/** Rows of an answer that is a list, before any page is cut from it; undefined for one that is none. */
export const rowsOf = ({ shape, value }: Answer<UnknownRecord>): number | undefined => {
  if (shape.list === undefined) return undefined
  const rows = value[shape.list]
  return shape.total ?? (Array.isArray(rows) ? rows.length : undefined)
}

/** Places at which an argument says what is looked for, the most telling first. */
const asked = ["query", "pattern", "task", "symbol", "name", "file", "path"] as const
const mostAsked = 200

/** What decoded arguments look for, as far as one of them says it. */
export const questionOf = (args: UnknownRecord): string | undefined => {
  for (const name of asked)
    for (const holder of [args, args["target"], args["options"], args["arguments"]]) {
      const value = isRecord(holder) ? holder[name] : undefined
      if (typeof value === "string") return value.slice(0, mostAsked)
    }
  return undefined
}

/** What a session remembers of a call that is over at a time. */
export const loggedOf = (trail: Trail, result: CallResult, now: number): LoggedCall => {
  const { facade, operation } = result._meta.gortex_facade
  const code = result.isError === true ? String(result.structuredContent["error_code"]) : undefined
  return {
    at: new Date(now).toISOString(),
    tool: trail.routing.canonical_tool,
    operation: `${facade}.${operation}`,
    duration_ms: now - trail.started,
    rows: code === undefined ? trail.rows : undefined,
    outcome: code ?? "ok",
    question: trail.question
  }
}
