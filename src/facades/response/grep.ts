import { Effect } from "effect"
import * as Answer from "../../registry/Answer.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { SessionView } from "../../services/SessionView.ts"
import { linesOf, one, responseId } from "./buffered.ts"
import { response } from "./facade.ts"
import { compile } from "./Pattern.ts"

/** Characters of a line that are searched and shown. An answer can be one line of megabytes. */
const widest = 10_000
const shown = 1000

/** A line, or the part of it around a match. */
const excerpt = (line: string, at: number) => {
  if (line.length <= shown) return { text: line }
  const start = Math.max(0, Math.min(at - 200, line.length - shown))
  return { text: line.slice(start, start + shown), clipped: true }
}

const needs = [SessionView] as const

export const grep: Member<typeof response, "grep", typeof needs> = response.operation("grep", {
  tool: "ctx_grep",
  summary: "Lines of an earlier answer that match.",
  input: F.input({
    arguments: F.group({
      response_id: responseId,
      pattern: F.described(F.text, "regular expression"),
      literal: F.withDefault(F.described(F.flag, "take the pattern as text"), false),
      ignore_case: F.withDefault(F.flag, false),
      context: F.described(F.clamped({ min: 0, max: 100, default: 0 }), "lines around each match"),
      before: F.clamped({ min: 0, max: 100 }),
      after: F.clamped({ min: 0, max: 100 }),
      max_matches: F.clamped({ min: 1, max: 10_000, default: 100 })
    })
  }),
  needs,
  handler: ({
    arguments: { after, before, context, ignore_case, literal, max_matches, pattern, response_id }
  }) =>
    Effect.gen(function* () {
      const find = yield* compile(pattern, { literal, ignoreCase: ignore_case })
      const answer = yield* one(response_id)
      const lines = linesOf(answer.text)
      const above = before ?? context
      const below = after ?? context
      const hits: Array<{ readonly line: number; readonly at: number }> = []
      for (const [index, line] of lines.entries()) {
        const at = find(line.length > widest ? line.slice(0, widest) : line)
        if (at >= 0) hits.push({ line: index, at })
      }
      const cut = lines.filter((line) => line.length > widest).length
      const matches = hits.slice(0, max_matches).map(({ at, line }) => ({
        line: line + 1,
        ...excerpt(lines[line] as string, at),
        ...(above + below === 0
          ? {}
          : {
              block: lines
                .slice(Math.max(0, line - above), line + below + 1)
                .map((text) => (text.length > shown ? text.slice(0, shown) : text))
                .join("\n")
            })
      }))
      return Answer.page(
        "matches",
        {
          response_id: answer.id,
          tool: answer.tool,
          pattern,
          match_count: hits.length,
          returned: matches.length,
          truncated: matches.length < hits.length,
          total_lines: lines.length,
          ...(cut === 0 ? {} : { partly_searched_lines: cut, searched_characters_of_a_line: widest }),
          matches
        },
        { snapshot: answer.id }
      )
    })
})
