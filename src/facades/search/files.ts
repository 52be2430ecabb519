import { Effect } from "effect"
import { page } from "../../registry/Answer.ts"
import { failure, fromService } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { isUnder } from "../../registry/Place.ts"
import { CodeGraph } from "../../services/CodeGraph.ts"
import { TextIndex } from "../../services/TextIndex.ts"
import * as Shared from "../fields.ts"
import { search } from "./facade.ts"
import { languages } from "./fields.ts"
import { fitOf } from "./FileNames.ts"

const needs = [CodeGraph, TextIndex] as const

export const files: Member<typeof search, "files", typeof needs> = search.operation("files", {
  narrows: "path",
  tool: "find_files",
  presets: ["core", "edit", "nav", "hybrid"],
  summary: "Files by name, path fragment or glob.",
  page: { default: 50, max: 500 },
  input: F.input(
    {
      query: F.optional(F.described(F.text, "name or path fragment; exact names first")),
      options: F.group({
        glob: F.optional(
          F.described(F.text, "* stays in a segment, ** crosses; a bare pattern matches names")
        ),
        fuzzy: F.withDefault(F.described(F.flag, "also names that hold the letters in order"), false),
        path: Shared.subPaths,
        language: languages
      })
    },
    { atLeastOne: [["query", "options.glob"]] }
  ),
  needs,
  handler: (input) =>
    Effect.gen(function* () {
      const { options, query } = input
      const view = yield* Effect.mapError((yield* CodeGraph).view, fromService)
      const text = yield* TextIndex
      const glob = options.glob
      const matches =
        glob === undefined
          ? () => true
          : yield* Effect.try({
              try: () => text.glob(glob),
              catch: (e) =>
                failure("invalid_glob", `options.glob: ${e instanceof Error ? e.message : String(e)}`, {
                  field: "options.glob",
                  failure_stage: "resolve"
                })
            })
      const found: Array<{
        readonly path: string
        readonly language: string | undefined
        readonly rank: number
        readonly test: boolean
      }> = []
      const places = (options.path ?? [""]).map(isUnder)
      for (const file of view.files()) {
        if (!places.some((fits) => fits(file.path)) || !matches(file.path)) continue
        if (options.language !== undefined && !options.language.includes(file.language ?? "")) continue
        const fit = query === undefined ? { rank: 0 } : fitOf(file.path, query, options.fuzzy)
        if (fit !== undefined)
          found.push({ path: file.path, language: file.language, rank: fit.rank, test: file.test })
      }
      const depth = (path: string) => path.split("/").length
      found.sort((a, b) =>
        query === undefined
          ? a.path < b.path
            ? -1
            : 1
          : a.rank - b.rank ||
            Number(a.test) - Number(b.test) ||
            depth(a.path) - depth(b.path) ||
            a.path.length - b.path.length ||
            (a.path < b.path ? -1 : 1)
      )
      return page(
        "files",
        {
          files: found.map(({ language, path }) => ({
            path,
            ...(language === undefined ? {} : { language })
          })),
          total: found.length
        },
        { total: found.length, snapshot: view.generation }
      )
    })
})
