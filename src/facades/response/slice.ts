import { Effect } from "effect"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { invalidArgument } from "../../registry/Failure.ts"
import { SessionView } from "../../services/SessionView.ts"
import { linesOf, one, responseId } from "./buffered.ts"
import { response } from "./facade.ts"

const needs = [SessionView] as const

export const slice: Member<typeof response, "slice", typeof needs> = response.operation("slice", {
  tool: "ctx_slice",
  summary: "Lines out of an earlier answer.",
  input: F.input({
    arguments: F.group({
      response_id: responseId,
      from: F.withDefault(F.described(F.integer({ min: 1 }), "first line"), 1),
      to: F.optional(F.described(F.integer({ min: 1 }), "last line"))
    })
  }),
  needs,
  handler: ({ arguments: { from, response_id, to } }) =>
    Effect.gen(function* () {
      const answer = yield* one(response_id)
      const lines = linesOf(answer.text)
      if (to !== undefined && to < from) {
        return yield* invalidArgument(
          "arguments.to",
          `arguments.to is ${to}, before arguments.from, which is ${from}`
        )
      }
      if (from > lines.length) {
        return yield* invalidArgument(
          "arguments.from",
          `arguments.from is ${from}, and the answer has ${lines.length} lines`,
          {
            data: { total_lines: lines.length }
          }
        )
      }
      const last = Math.min(to ?? lines.length, lines.length)
      return {
        response_id: answer.id,
        tool: answer.tool,
        from_line: from,
        to_line: last,
        total_lines: lines.length,
        content: lines.slice(from - 1, last).join("\n")
      }
    })
})
