/** What a language server says of a file. */
import * as F from "../../registry/Fields.ts"
import { LanguageReader } from "../../services/LanguageReader.ts"
import { change } from "./facade.ts"
import { inRange } from "./fields.ts"

const because = "this build talks to no language server"
const file = F.aliased(F.text, "path")

export const diagnostics = change.declared("diagnostics", {
  tool: "get_diagnostics",
  summary: "A language server's diagnostics of a file.",
  input: F.input({
    source: F.group({ file }),
    options: F.group({
      wait: F.withDefault(F.described(F.flag, "wait for the next batch"), false),
      timeout_ms: F.clamped({ min: 0, max: 60_000, default: 5000 })
    })
  }),
  needs: [LanguageReader],
  because
})

export const codeActions = change.declared("code_actions", {
  tool: "get_code_actions",
  summary: "Code actions a language server offers for lines of a file.",
  input: F.input({
    source: F.group({
      file,
      range: F.group({
        start_line: F.withDefault(inRange("start_line", F.described(F.count, "0-based")), 0),
        start_char: F.withDefault(inRange("start_char", F.count), 0),
        end_line: F.optional(
          inRange("end_line", F.described(F.count, "0-based; the line after the first when absent"))
        ),
        end_char: F.withDefault(inRange("end_char", F.count), 0)
      })
    }),
    options: F.group({ only: F.optional(F.described(F.csv, "kinds of action to keep")) })
  }),
  needs: [LanguageReader],
  because
})
