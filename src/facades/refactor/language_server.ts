/** Edits a language server proposes. */
import * as F from "../../registry/Fields.ts"
import { LanguageReader } from "../../services/LanguageReader.ts"
import { LocalWriter } from "../../services/LocalWriter.ts"
import * as Shared from "../fields.ts"
import { refactor } from "./facade.ts"

const because = "this build talks to no language server"
const target = F.target({ file: Shared.file })

export const applyCodeAction = refactor.declared("apply_code_action", {
  tool: "apply_code_action",
  summary: "Apply one code action of a language server.",
  tier: 2,
  input: F.input({
    target,
    options: F.group({
      index: F.described(F.count, "its index in the list change gave for the same lines and kinds"),
      start_line: F.withDefault(F.described(F.count, "0-based"), 0),
      start_char: F.withDefault(F.count, 0),
      end_line: F.optional(F.count),
      end_char: F.withDefault(F.count, 0),
      only: F.optional(F.described(F.csv, "kinds of action"))
    })
  }),
  needs: [LocalWriter, LanguageReader],
  because
})

export const fixAll = refactor.declared("fix_all", {
  tool: "fix_all_in_file",
  summary: "Apply a file's quick fixes until none is left.",
  tier: 2,
  input: F.input({
    target,
    options: F.group({
      kinds: F.withDefault(F.csv, ["quickfix", "source.organizeImports"]),
      max_iterations: F.clamped({ min: 1, max: 50, default: 5 }),
      max_actions_per_iter: F.clamped({ min: 1, max: 500, default: 50 }),
      diagnostic_timeout_ms: F.clamped({ min: 0, max: 60_000, default: 5000 })
    })
  }),
  needs: [LocalWriter, LanguageReader],
  because
})
