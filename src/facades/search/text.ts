import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { TextIndex } from "../../services/TextIndex.ts"
import * as Shared from "../fields.ts"
import { search } from "./facade.ts"
import { languages } from "./fields.ts"

export const text = search.declared("text", {
  tool: "search_text",
  summary: "Literal text or a regular expression in files, with the symbol around each hit.",
  page: { default: 100, max: 1000 },
  input: F.input({
    query: F.described(F.text, "literal and case-sensitive unless options say otherwise"),
    options: F.group({
      regexp: F.aliased(F.withDefault(F.flag, false), "regex"),
      ignore_case: F.withDefault(F.flag, false),
      word: F.withDefault(F.described(F.flag, "whole words only"), false),
      multiline: F.withDefault(F.described(F.flag, "let a pattern cross lines"), false),
      path: Shared.subPaths,
      glob: F.optional(F.described(F.csv, "path globs; * stays in a segment, ** crosses")),
      language: languages,
      before: F.clamped({ min: 0, max: 50, default: 0 }),
      after: F.clamped({ min: 0, max: 50, default: 0 }),
      max_per_file: F.clamped({ min: 1, max: 1000 }),
      mode: F.withDefault(F.described(F.choice("matches", "files", "count"), "lines, files, or lines counted by file"), "matches")
    })
  }),
  needs: [TextIndex, CodeGraph],
  because: "its handler is not installed"
})
