import { Effect } from "effect"
import { page } from "../../registry/Answer.ts"
import { invalidArgument, type OperationFailure, fromService } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph, type GraphView, type SymbolInfo } from "../../services/CodeGraph.ts"
import { TextIndex } from "../../services/TextIndex.ts"
import * as Shared from "../fields.ts"
import { detectorNames, detectors } from "./Detectors.ts"
import { search } from "./facade.ts"

const callables: ReadonlySet<string> = new Set([
  "function",
  "method",
  "constructor",
  "operator",
  "test",
  "macro",
  "procedure"
])
/** Matches looked for, whatever part of them is shown. */
const most = 5000
const deadline = 5000

/** The innermost definition around a line, and the innermost of these that can be called. */
const around = (
  view: GraphView,
  path: string,
  line: number
): { readonly symbol: SymbolInfo | undefined; readonly callable: SymbolInfo | undefined } => {
  const ref = view.at(path, line)
  if (ref === undefined || view.isFile(ref)) return { symbol: undefined, callable: undefined }
  const symbol = view.symbol(ref)
  for (let at: number | undefined = ref; at !== undefined && !view.isFile(at); at = view.parent(at)) {
    const info = view.symbol(at)
    if (callables.has(info.kind)) return { symbol, callable: info }
  }
  return { symbol, callable: undefined }
}

const needs = [TextIndex, CodeGraph] as const

export const ast: Member<typeof search, "ast", typeof needs> = search.operation("ast", {
  narrows: true,
  tool: "search_ast",
  flat: { query: "pattern" },
  summary: "Structural matches: a syntax-tree query, a code pattern, or a named detector.",
  page: { default: 50, max: 500 },
  input: F.input(
    {
      query: F.optional(
        F.aliased(F.described(F.text, "tree-sitter query or code pattern; needs options.language"), "pattern")
      ),
      options: F.group({
        detector: F.optional(
          F.described(F.choiceAs("valid_detectors", ...detectorNames), "bundled rule, in place of a query")
        ),
        language: F.optional(F.text),
        path_prefix: Shared.pathPrefix,
        exclude_tests: F.optional(F.described(F.flag, "on by default with a detector only")),
        min_fan_in_of_enclosing_func: F.optional(
          F.described(F.count, "keep hits in functions used this often")
        )
      })
    },
    { exactlyOne: [["query", "options.detector"]] }
  ),
  needs,
  handler: (input) =>
    Effect.gen(function* () {
      const { options } = input
      const view = yield* Effect.mapError((yield* CodeGraph).view, fromService)
      const text = yield* TextIndex
      const detector = detectors.find((d) => d.name === options.detector)
      const runs: Array<{ readonly language: string; readonly pattern: string }> = []
      if (detector === undefined) {
        if (options.language === undefined)
          return yield* Effect.fail(
            invalidArgument("options.language", "options.language is required with a query")
          )
        runs.push({ language: options.language, pattern: input.query! })
      } else {
        const languages = Object.keys(detector.queries)
        if (options.language !== undefined && !languages.includes(options.language)) {
          return yield* Effect.fail(
            invalidArgument("options.language", `${detector.name} has no rule for ${options.language}`, {
              data: { valid_values: languages }
            })
          )
        }
        const present = new Set(view.files().map((f) => f.language))
        for (const language of options.language === undefined
          ? languages.filter((l) => present.has(l))
          : [options.language]) {
          runs.push({ language, pattern: detector.queries[language]! })
        }
      }
      const withoutTests = options.exclude_tests ?? detector !== undefined
      const minimum = options.min_fan_in_of_enclosing_func ?? 0
      const rows: Array<{ readonly file: string; readonly line: number; readonly [key: string]: unknown }> =
        []
      const errors: Array<string> = []
      let complete = true
      let walked = 0
      for (const { language, pattern } of runs) {
        const found = yield* text
          .structural({
            pattern,
            language,
            limit: most,
            deadline_ms: deadline,
            ...(options.path_prefix === undefined ? {} : { paths: [options.path_prefix] })
          })
          .pipe(
            Effect.mapError(
              (cause): OperationFailure =>
                fromService(
                  cause,
                  cause.reason === "invalid_pattern" ? { field: "query", failure_stage: "resolve" } : {}
                )
            )
          )
        walked += found.files_walked
        errors.push(...found.errors)
        if (!found.complete) complete = false
        for (const match of found.matches) {
          if (withoutTests && view.file(match.path)?.test === true) continue
          const { callable, symbol } = around(view, match.path, match.line)
          if (withoutTests && symbol?.test === true) continue
          if (minimum > 0 && (callable === undefined || view.incomingCount(callable.ref) < minimum)) continue
          const { match: _, ...captures } = match.captures
          rows.push({
            file: match.path,
            line: match.line,
            ...(match.end_line === match.line ? {} : { end_line: match.end_line }),
            column: match.column,
            language,
            ...(symbol === undefined ? {} : { symbol_id: symbol.id }),
            text: match.text,
            ...(detector !== undefined || Object.keys(captures).length === 0 ? {} : { captures })
          })
        }
      }
      rows.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line))
      return page(
        "matches",
        {
          matches: rows,
          total: rows.length,
          ...(detector === undefined ? {} : { detector: detector.name, severity: detector.severity }),
          files_walked: walked,
          ...(complete ? {} : { complete: false, causes: ["limit or deadline"] }),
          ...(errors.length === 0 ? {} : { errors: errors.slice(0, 20) })
        },
        { total: rows.length, snapshot: view.generation }
      )
    })
})
