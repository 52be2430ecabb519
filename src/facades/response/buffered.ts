/** Earlier answers of the session, as lines. */
import { Effect } from "effect"
import { CallInfo } from "../../registry/CallInfo.ts"
import { failure, type OperationFailure, fromService } from "../../registry/Failure.ts"
import * as F from "../../registry/Fields.ts"
import { type BufferedResponse, SessionView } from "../../services/SessionView.ts"

export const responseId = F.optional(F.described(F.text, "id of the answer; the latest when absent"))

/** All answers kept for the session of the call, oldest first. A call without a session has none. */
export const all: Effect.Effect<ReadonlyArray<BufferedResponse>, OperationFailure, SessionView> = Effect.gen(
  function* () {
    const { session } = yield* CallInfo
    if (session === undefined) return []
    const view = yield* SessionView
    return yield* Effect.mapError(view.responses(session), (cause) => fromService(cause))
  }
)

/** The answer with an id, or the latest. Fails with `not_found`, naming the ids there are. */
export const one = (id: string | undefined): Effect.Effect<BufferedResponse, OperationFailure, SessionView> =>
  Effect.flatMap(all, (kept) => {
    const found = id === undefined ? kept.at(-1) : kept.find((answer) => answer.id === id)
    if (found !== undefined) return Effect.succeed(found)
    const ids = kept.map((answer) => answer.id)
    return Effect.fail(
      failure(
        "not_found",
        id === undefined
          ? "no answer of this session is kept"
          : `no answer ${id} is kept${ids.length === 0 ? "" : `; kept: ${ids.join(", ")}`}`,
        { field: "arguments.response_id", failure_stage: "resolve", data: { response_ids: ids } }
      )
    )
  })

/** Lines of a text. A line end at its end starts no further line. */
export const linesOf = (text: string): ReadonlyArray<string> => {
  const lines = text.split(/\r?\n/)
  if (lines.length > 1 && lines.at(-1) === "") lines.pop()
  return lines
}
