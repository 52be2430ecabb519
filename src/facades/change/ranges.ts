import { Effect } from "effect"
import { invalidArgument } from "../../registry/Failure.ts"
import type { Member } from "../../registry/Facade.ts"
import * as F from "../../registry/Fields.ts"
import { CodeGraph, type SymbolRef } from "../../services/CodeGraph.ts"
import { ReadFs } from "../../services/ReadFs.ts"
import { lineRange } from "../diff.ts"
import { freshnessOf, graph, oneFile, rowOf } from "../shared/symbols.ts"
import { change } from "./facade.ts"
import { lines } from "./fields.ts"
import { ownersOf } from "./Owners.ts"

const needs = [CodeGraph, ReadFs] as const

export const ranges: Member<typeof change, "ranges", typeof needs> = change.operation("ranges", {
  tool: "symbols_for_ranges",
  summary: "Symbols that enclose the given lines.",
  tier: 2,
  input: F.input(
    {
      source: F.group({
        ranges: F.optional(F.list(lineRange, { min: 1 })),
        file: F.optional(F.aliased(F.path, "path")),
        range: lines
      })
    },
    { exactlyOne: [["source.ranges", "source.file"]] }
  ),
  needs,
  handler: ({ source }) =>
    Effect.gen(function* () {
      const view = yield* graph
      if (source.file !== undefined && source.range === undefined)
        return yield* invalidArgument(
          "source.range.start_line",
          "source.range.start_line is required beside source.file",
          { reason_code: "missing_field", failure_stage: "decode" }
        )
      const asked = source.ranges ?? [{ file: source.file!, ...source.range! }]
      const all = new Map<SymbolRef, object>()
      const rows = yield* Effect.forEach(asked, ({ end_line, file, start_line }, place) =>
        Effect.gen(function* () {
          const field = source.ranges === undefined ? "source" : `source.ranges[${place}]`
          const last = end_line ?? start_line
          if (last < start_line)
            return yield* invalidArgument(
              `${field}.end_line`,
              `${field}.end_line is ${last}, before its start_line ${start_line}`,
              { reason_code: "reversed_range" }
            )
          const ref = yield* oneFile(view, file)
          const path = view.pathOf(ref)
          const info = view.file(path)!
          if (info.skipped !== undefined)
            return { file_path: path, start_line, end_line: last, symbols: [], not_indexed: info.skipped }
          const owners = ownersOf(view, path)
          const found = new Map<SymbolRef, string>()
          let outside = 0
          for (let line = start_line; line <= Math.min(last, info.lines); line++) {
            const owner = owners.at(line)
            if (owner === undefined) outside++
            else {
              found.set(owner.ref, owner.id)
              if (!all.has(owner.ref))
                all.set(owner.ref, {
                  ...rowOf(owner),
                  start_line: owner.start_line,
                  end_line: owner.end_line
                })
            }
          }
          return {
            file_path: path,
            start_line,
            end_line: last,
            symbols: [...found.values()],
            ...(outside === 0 ? {} : { lines_outside_symbols: outside }),
            ...(last > info.lines ? { file_lines: info.lines } : {})
          }
        })
      )
      return {
        symbols: [...all.values()],
        ranges: rows,
        ...(view.freshness.state === "fresh" ? {} : { freshness: freshnessOf(view.freshness) })
      }
    })
})
