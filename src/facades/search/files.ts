import * as F from "../../registry/Fields.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { TextIndex } from "../../services/TextIndex.ts"
import * as Shared from "../fields.ts"
import { search } from "./facade.ts"
import { languages } from "./fields.ts"

export const files = search.declared("files", {
  tool: "find_files",
  summary: "Files by name, path fragment or glob.",
  page: { default: 50, max: 500 },
  input: F.input(
    {
      query: F.optional(F.described(F.text, "name or path fragment; exact names first")),
      options: F.group({
        glob: F.optional(F.described(F.text, "* stays in a segment, ** crosses; a bare pattern matches names")),
        fuzzy: F.withDefault(F.described(F.flag, "also names that hold the letters in order"), false),
        path: Shared.subPaths,
        language: languages
      })
    },
    { atLeastOne: [["query", "options.glob"]] }
  ),
  needs: [CodeGraph, TextIndex],
  because: "its handler is not installed"
})
