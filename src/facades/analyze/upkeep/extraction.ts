import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import type { Member } from "../../../registry/Facade.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph } from "../../../services/CodeGraph.ts"
import * as Shared from "../../fields.ts"
import { freshnessOf, graph } from "../../shared/symbols.ts"
import { analyze } from "../facade.ts"
import { under, window } from "./Narrowing.ts"
import { callables, usesOf } from "./Uses.ts"

const bodies = ["function", "method", "constructor"]
const ratio = (value: number, least: number): number => value / Math.max(1, least)

const needs = [CodeGraph] as const

export const extraction: Member<typeof analyze, "extraction", typeof needs> = analyze.operation(
  "extraction",
  {
    tool: "get_extraction_candidates",
    summary: "Functions worth splitting.",
    tier: 2,
    page: { default: 25, max: 1000 },
    input: F.input({
      options: F.group({
        min_lines: F.withDefault(F.count, 20),
        min_callers: F.withDefault(F.count, 2),
        min_fan_out: F.withDefault(F.count, 5),
        path_prefix: Shared.pathPrefix
      })
    }),
    needs,
    handler: ({ options }, call) =>
      Effect.gen(function* () {
        const view = yield* graph
        const { columns } = view
        const fits = yield* under(view, options.path_prefix)
        const { fanIn, fanOut } = usesOf(columns)
        const looked = callables(
          columns,
          columns.kindNames.map((kind) => bodies.includes(kind))
        )
        const rows = looked
          .filter(
            (n) =>
              fanIn[n]! >= options.min_callers &&
              fanOut[n]! >= options.min_fan_out &&
              fits(view.pathOf(columns.refOf(n)))
          )
          .flatMap((node) => {
            const symbol = view.symbol(columns.refOf(node))
            const lines = symbol.end_line - symbol.start_line + 1
            return lines < options.min_lines
              ? []
              : [
                  {
                    node,
                    symbol,
                    lines,
                    // Each measure in multiples of its threshold, and all of them count.
                    score:
                      Math.round(
                        100 *
                          Math.cbrt(
                            ratio(lines, options.min_lines) *
                              ratio(fanIn[node]!, options.min_callers) *
                              ratio(fanOut[node]!, options.min_fan_out)
                          )
                      ) / 100
                  }
                ]
          })
          .sort((a, b) => b.score - a.score || a.node - b.node)
        return page(
          "candidates",
          {
            candidates: window(rows, call).map(({ lines, node, score, symbol }) => ({
              id: symbol.id,
              symbol_id: symbol.id,
              name: symbol.name,
              kind: symbol.kind,
              file_path: symbol.path,
              line: symbol.line,
              start_line: symbol.start_line,
              end_line: symbol.end_line,
              line_count: lines,
              caller_count: fanIn[node]!,
              fan_out: fanOut[node]!,
              complexity: symbol.complexity,
              score,
              rationale: `${lines} lines that use ${fanOut[node]!} definitions, used by ${fanIn[node]!}`
            })),
            total: rows.length,
            looked_at: looked.length,
            thresholds: {
              min_lines: options.min_lines,
              min_callers: options.min_callers,
              min_fan_out: options.min_fan_out
            },
            note: "score is the geometric mean of lines, callers and fan-out, each in multiples of its threshold; tests do not count as callers",
            ...(view.freshness.state === "fresh" ? {} : { freshness: freshnessOf(view.freshness) })
          },
          { from: call.offset, total: rows.length, snapshot: view.generation }
        )
      })
  }
)
