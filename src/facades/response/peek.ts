import { Effect } from "effect"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { SessionView } from "../../services/SessionView.ts"
import { linesOf, one, responseId } from "./buffered.ts"
import { response } from "./facade.ts"

const needs = [SessionView] as const

export const peek: Member<typeof response, "peek", typeof needs> = response.operation("peek", {
  tool: "ctx_peek",
  summary: "First and last lines of an earlier answer.",
  input: F.input({
    arguments: F.group({
      response_id: responseId,
      lines: F.described(F.clamped({ min: 1, max: 1000, default: 20 }), "lines from each end")
    })
  }),
  needs,
  handler: ({ arguments: { lines: count, response_id } }) =>
    Effect.map(one(response_id), (answer) => {
      const lines = linesOf(answer.text)
      const tailFrom = Math.max(count, lines.length - count)
      return {
        response_id: answer.id,
        tool: answer.tool,
        total_lines: lines.length,
        bytes: answer.bytes,
        head: lines.slice(0, count).join("\n"),
        elided_lines: Math.max(0, lines.length - 2 * count),
        // An answer short enough is its head alone.
        ...(lines.length <= count
          ? {}
          : { tail: lines.slice(tailFrom).join("\n"), tail_from_line: tailFrom + 1 })
      }
    })
})
