import { Clock, Effect, Random } from "effect"
import { fromService, invalidArgument } from "../../../registry/Failure.ts"
import type { Member } from "../../../registry/Facade.ts"
import * as F from "../../../registry/Fields.ts"
import { ControlStore } from "../../../services/ControlStore.ts"
import type { FeedbackRecord } from "../../../services/ControlTables.ts"
import { ControlView } from "../../../services/ControlView.ts"
import { workspaceAdmin } from "../facade.ts"

/** Ids with how often they were named, most first. */
const tally = (
  records: ReadonlyArray<FeedbackRecord>,
  of: (record: FeedbackRecord) => ReadonlyArray<string>,
  most: number
) => {
  const counts = new Map<string, number>()
  for (const record of records)
    for (const id of new Set(of(record))) counts.set(id, (counts.get(id) ?? 0) + 1)
  return [...counts]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, most)
    .map(([id, count]) => ({ id, count }))
}

const needs = [ControlStore, ControlView] as const

export const feedback: Member<typeof workspaceAdmin, "feedback", typeof needs> = workspaceAdmin.operation(
  "feedback",
  {
    tool: "feedback",
    summary: "Record which symbols of an answer helped, or read the tally.",
    tier: 2,
    input: F.input({
      arguments: F.group({
        action: F.choice("record", "query"),
        task: F.optional(F.text),
        useful: F.optional(F.described(F.csv, "symbol ids that helped")),
        not_needed: F.optional(F.described(F.csv, "symbol ids that did not")),
        missing: F.optional(F.described(F.csv, "symbol ids that were absent")),
        tool_source: F.withDefault(F.choice("smart_context", "prefetch_context", "all"), "smart_context"),
        top_n: F.clamped({ min: 1, max: 100, default: 10 })
      })
    }),
    needs,
    handler: ({
      arguments: { action, missing = [], not_needed = [], task, tool_source, top_n, useful = [] }
    }) =>
      Effect.gen(function* () {
        if (action === "record") {
          if (useful.length + not_needed.length + missing.length === 0)
            return yield* invalidArgument(
              "arguments.useful",
              "there is nothing to record: name symbols in useful, not_needed or missing",
              { reason_code: "nothing_to_record" }
            )
          if (tool_source === "all")
            return yield* invalidArgument(
              "arguments.tool_source",
              "an answer is of one tool: all is for queries",
              {
                reason_code: "source_of_record",
                data: { valid_values: ["smart_context", "prefetch_context"] }
              }
            )
          const both = useful.find((id) => not_needed.includes(id))
          if (both !== undefined)
            return yield* invalidArgument("arguments.not_needed", `${both} is called useful and not needed`, {
              reason_code: "contradiction",
              data: { id: both }
            })
          const now = yield* Clock.currentTimeMillis
          const random = yield* Random.nextIntBetween(0, 2 ** 32)
          yield* Effect.mapError(
            (yield* ControlStore).put(
              "feedback",
              `${new Date(now).toISOString()}-${random.toString(16).padStart(8, "0")}`,
              { source: tool_source, task, useful, not_needed, missing }
            ),
            (cause) => fromService(cause)
          )
          return {
            recorded: true,
            useful_count: useful.length,
            not_needed_count: not_needed.length,
            missing_count: missing.length
          }
        }
        const given = [
          ["useful", useful],
          ["not_needed", not_needed],
          ["missing", missing]
        ] as const
        const extra = given.find(([, ids]) => ids.length > 0)
        if (extra !== undefined)
          return yield* invalidArgument(
            `arguments.${extra[0]}`,
            `a query records nothing, so ${extra[0]} has no use`,
            {
              reason_code: "not_for_queries"
            }
          )
        const stored = yield* Effect.mapError((yield* ControlView).list("feedback"), (cause) =>
          fromService(cause)
        )
        const records = stored
          .map(({ value }) => value)
          .filter(
            (record) =>
              (tool_source === "all" || record.source === tool_source) &&
              (task === undefined || (record.task ?? "").toLowerCase().includes(task.toLowerCase()))
          )
        const helped = records.reduce((sum, record) => sum + record.useful.length, 0)
        const idle = records.reduce((sum, record) => sum + record.not_needed.length, 0)
        return {
          total_entries: records.length,
          tool_source,
          // Without a verdict there is no share of good ones.
          ...(helped + idle === 0 ? {} : { accuracy: Math.round((1000 * helped) / (helped + idle)) / 1000 }),
          most_useful: tally(records, (record) => record.useful, top_n),
          most_missed: tally(records, (record) => record.missing, top_n),
          most_demoted: tally(records, (record) => record.not_needed, top_n)
        }
      })
  }
)
