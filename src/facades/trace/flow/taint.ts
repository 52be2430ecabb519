import { Effect, Either } from "effect"
import { page } from "../../../registry/Answer.ts"
import type { Member } from "../../../registry/Facade.ts"
import { invalidArgument, type OperationFailure } from "../../../registry/Failure.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph, type GraphView } from "../../../services/CodeGraph.ts"
import { type FlowEnd, type FlowPattern, ProgramFlow } from "../../../services/ProgramFlow.ts"
import * as Shared from "../../fields.ts"
import { freshnessOf, graph } from "../../shared/symbols.ts"
import { trace } from "../facade.ts"
import { approximations, completenessOf, refusedAt, stepRow } from "./Words.ts"

const clauses = ["exact:", "path:", "kind:", "arg:"] as const
/** What a clause `kind:` may name, and what it means. */
const kinds: { readonly [word: string]: string } = {
  call: "call",
  load: "load",
  read: "load",
  store: "store",
  write: "store",
  parameter: "parameter",
  param: "parameter",
  variable: "variable",
  function: "function",
  method: "method",
  constructor: "constructor",
  class: "class",
  field: "field",
  property: "property",
  constant: "constant"
}

/** Reads `words exact:name path:part kind:word arg:0`; words joined by `|` are alternatives. */
export const patternOf = (text: string, field: string): Either.Either<FlowPattern, OperationFailure> => {
  const words: Array<FlowPattern["words"][number]> = []
  const paths: Array<string> = []
  const kept: Array<string> = []
  const args: Array<number> = []
  for (const part of text.split(/\s+/)) {
    if (part === "") continue
    const clause = clauses.find((c) => part.startsWith(c))
    const rest = clause === undefined ? part : part.slice(clause.length)
    const alternatives = rest.split("|").filter((word) => word !== "")
    if (alternatives.length === 0)
      return Either.left(
        invalidArgument(field, `${JSON.stringify(part)} says nothing`, { reason_code: "empty_clause" })
      )
    if (clause === "path:") paths.push(...alternatives)
    else if (clause === "arg:") {
      for (const word of alternatives) {
        if (!/^\d+$/.test(word))
          return Either.left(
            invalidArgument(
              field,
              `arg: takes the number of an argument from 0, not ${JSON.stringify(word)}`,
              { reason_code: "invalid_clause" }
            )
          )
        args.push(Number(word))
      }
    } else if (clause === "kind:") {
      for (const word of alternatives) {
        const kind = kinds[word]
        if (kind === undefined)
          return Either.left(
            invalidArgument(field, `${JSON.stringify(word)} is no kind that a pattern can name`, {
              reason_code: "unknown_kind",
              data: { valid_values: Object.keys(kinds) }
            })
          )
        kept.push(kind)
      }
    } else words.push({ alternatives, exact: clause === "exact:" })
  }
  return words.length === 0
    ? Either.left(
        invalidArgument(field, "a pattern needs a word or an exact: clause to look for", {
          reason_code: "no_words"
        })
      )
    : Either.right({ text, words, paths, kinds: kept, args })
}

const pattern = "words, exact:, path: and kind: clauses; a|b for either"

const endRow = (view: GraphView, { line, name, path, text }: FlowEnd) => {
  const within = view.at(path, line)
  return {
    id: `${path}:${line}`,
    name,
    file_path: path,
    line,
    text,
    ...(within === undefined || view.isFile(within) ? {} : { in: view.idOf(within) })
  }
}

const needs = [CodeGraph, ProgramFlow] as const

export const taint: Member<typeof trace, "taint", typeof needs> = trace.operation("taint", {
  tool: "taint_paths",
  flat: { "target.query": "source_pattern", "to.query": "sink_pattern" },
  summary: "Data flow between all sources and sinks that fit two patterns.",
  page: { default: 20, max: 500 },
  input: F.input({
    target: F.target({ query: F.aliased(F.described(F.text, pattern), "source_pattern") }),
    to: F.target({
      query: F.aliased(F.described(F.text, `${pattern}; arg:N for one argument`), "sink_pattern")
    }),
    options: F.group({
      max_depth: Shared.depth(8, 64),
      min_tier: Shared.minTier,
      sanitizers: F.optional(
        F.described(F.csv, "words in names of calls that make a value safe; an empty list for none")
      )
    })
  }),
  needs,
  handler: ({ options, target, to }) =>
    Effect.gen(function* () {
      const source = yield* patternOf(target.query, "target.query")
      const sink = yield* patternOf(to.query, "to.query")
      if (source.args.length > 0)
        return yield* invalidArgument(
          "target.query",
          "arg: tells arguments of sinks apart; a source has none",
          {
            reason_code: "invalid_clause"
          }
        )
      const view = yield* graph
      const found = yield* Effect.mapError(
        (yield* ProgramFlow).taint(
          view,
          source,
          sink,
          { hops: options.max_depth, most: 500, tier: options.min_tier },
          options.sanitizers
        ),
        refusedAt("target.query")
      )
      const languages = yield* (yield* ProgramFlow).languages
      return page(
        "findings",
        {
          source_pattern: target.query,
          sink_pattern: to.query,
          total: found.findings.length,
          sources: found.sources,
          sinks: found.sinks,
          findings: found.findings.map(({ paths, sink: end, source: start }) => ({
            id: `${start.path}:${start.line}:${start.column}>${end.path}:${end.line}:${end.column}`,
            file_path: end.path,
            line: end.line,
            source: endRow(view, start),
            sink: endRow(view, end),
            confidence: paths[0]!.confidence,
            tier: paths[0]!.tier,
            paths: paths.map((path) => ({
              confidence: path.confidence,
              steps: path.steps.map((step) => stepRow(view, step))
            }))
          })),
          ...(found.findings.length > 0
            ? {}
            : {
                none_because:
                  found.sinks === 0
                    ? "no call or assignment fits the sink pattern"
                    : found.sources === 0
                      ? "no expression fits the source pattern"
                      : "no value of a source was seen to reach a sink"
              }),
          ...(found.sanitized_total === 0
            ? {}
            : {
                stopped_by_sanitizers: found.sanitized_total,
                sanitizers_met: found.sanitized.map(({ line, name, path }) => ({
                  name,
                  file_path: path,
                  line
                }))
              }),
          ...completenessOf(view, found),
          sanitizers:
            options.sanitizers ?? "calls whose names speak of escaping, quoting, encoding or sanitizing",
          languages,
          approximations,
          freshness: freshnessOf(view.freshness)
        },
        { snapshot: view.generation }
      )
    })
})
