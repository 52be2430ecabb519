import { Clock, Effect } from "effect"
import * as Answer from "../../registry/Answer.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { bytesPerToken } from "../tokens.ts"
import { SessionView } from "../../services/SessionView.ts"
import { all, linesOf, one, responseId } from "./buffered.ts"
import { response } from "./facade.ts"

const needs = [SessionView] as const

export const stats: Member<typeof response, "stats", typeof needs> = response.operation("stats", {
  tool: "ctx_stats",
  summary: "Answers of this session that are kept, or one of them.",
  input: F.input({ arguments: F.group({ response_id: responseId }) }),
  needs,
  handler: ({ arguments: { response_id } }) =>
    Effect.gen(function* () {
      const kept = response_id === undefined ? yield* all : [yield* one(response_id)]
      const now = yield* Clock.currentTimeMillis
      const buffered = kept.map((answer) => ({
        response_id: answer.id,
        tool: answer.tool,
        lines: linesOf(answer.text).length,
        bytes: answer.bytes,
        approx_tokens: Math.ceil(answer.bytes / bytesPerToken),
        captured_at: answer.captured_at,
        age_seconds: Math.max(0, Math.round((now - Date.parse(answer.captured_at)) / 1000))
      }))
      return Answer.page("buffered", { buffered, count: buffered.length })
    })
})
