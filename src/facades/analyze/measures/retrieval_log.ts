import { Clock, Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import { CallInfo } from "../../../registry/CallInfo.ts"
import type { Member } from "../../../registry/Facade.ts"
import { fromService, invalidArgument, type OperationFailure } from "../../../registry/Failure.ts"
import * as F from "../../../registry/Fields.ts"
import { type LoggedCall, SessionView } from "../../../services/SessionView.ts"
import { momentOf, spanExamples } from "../../shared/past/Days.ts"
import { type analyze, kind } from "../facade.ts"

const mostQuestions = 50
const mostRecent = 50

/** The time a text names, in milliseconds since the epoch. */
const since = (text: string | undefined, now: number): Effect.Effect<number, OperationFailure> => {
  const at = text === undefined ? 0 : momentOf(text, now / 1000)
  return at === undefined
    ? Effect.fail(
        invalidArgument(
          "options.since",
          `options.since: ${JSON.stringify(text)} is neither an ISO 8601 time nor a span such as ${spanExamples}`
        )
      )
    : Effect.succeed(at * 1000)
}

const percentile = (sorted: ReadonlyArray<number>, share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)]!

const toolRow = (tool: string, calls: ReadonlyArray<LoggedCall>) => {
  const times = calls.map(({ duration_ms }) => duration_ms).sort((a, b) => a - b)
  const lists = calls.filter(({ rows }) => rows !== undefined)
  const zero = lists.filter(({ rows }) => rows === 0).length
  return {
    tool,
    count: calls.length,
    failed: calls.filter(({ outcome }) => outcome !== "ok").length,
    zero_rate: lists.length === 0 ? null : Number((zero / lists.length).toFixed(4)),
    avg_nodes:
      lists.length === 0
        ? null
        : Number((lists.reduce((sum, { rows }) => sum + rows!, 0) / lists.length).toFixed(1)),
    p50_ms: percentile(times, 0.5),
    p95_ms: percentile(times, 0.95)
  }
}

const needs = [SessionView] as const

export const retrievalLog: Member<typeof analyze, "retrieval_log", typeof needs> = kind("retrieval_log", {
  summary: "Queries without results, and latency by tool.",
  page: { default: 50, max: 1000 },
  input: F.input({
    options: F.group({
      since: F.optional(F.described(F.text, "ISO 8601 time or a span as 168h")),
      tool: F.optional(F.described(F.text, "a canonical tool, or facade.operation")),
      zero_only: F.withDefault(F.described(F.flag, "only calls that found nothing"), false),
      include_recent: F.withDefault(F.described(F.flag, "add the last calls"), false)
    })
  }),
  needs,
  handler: ({ options }) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const from = yield* since(options.since, now)
      const { session } = yield* CallInfo
      const head = {
        kept: "the last 1000 calls of this session, in memory, gone with it",
        ...(options.since === undefined ? {} : { since: new Date(from).toISOString() })
      }
      if (session === undefined)
        return {
          enabled: false,
          total: 0,
          scanned: 0,
          by_tool: [],
          reason: "this call belongs to no session",
          ...head
        }
      const view = yield* SessionView
      const all = yield* Effect.mapError(view.calls(session), (cause) => fromService(cause))
      const known = new Set(all.flatMap(({ operation, tool }) => [tool, operation]))
      if (options.tool !== undefined && all.length > 0 && !known.has(options.tool))
        return yield* invalidArgument(
          "options.tool",
          `options.tool: the session has not called ${JSON.stringify(options.tool)}`,
          { data: { valid_values: [...known].sort() } }
        )
      const calls = all.filter(
        ({ at, operation, rows, tool }) =>
          Date.parse(at) >= from &&
          (options.tool === undefined || tool === options.tool || operation === options.tool) &&
          (!options.zero_only || rows === 0)
      )
      const tools = new Map<string, Array<LoggedCall>>()
      for (const call of calls) {
        const own = tools.get(call.operation)
        if (own === undefined) tools.set(call.operation, [call])
        else own.push(call)
      }
      const lists = calls.filter(({ rows }) => rows !== undefined)
      const zero = lists.filter(({ rows }) => rows === 0)
      return page("by_tool", {
        enabled: true,
        total: calls.length,
        scanned: all.length,
        zero_results: zero.length,
        zero_rate: lists.length === 0 ? null : Number((zero.length / lists.length).toFixed(4)),
        by_tool: [...tools]
          .map(([tool, own]) => toolRow(tool, own))
          .sort((a, b) => b.count - a.count || (a.tool < b.tool ? -1 : 1)),
        zero_result_questions: zero
          .slice(-mostQuestions)
          .map(({ at, operation, question }) => ({ at, operation, question: question ?? null })),
        ...(options.include_recent ? { recent: calls.slice(-mostRecent) } : {}),
        ...head
      })
    })
})
