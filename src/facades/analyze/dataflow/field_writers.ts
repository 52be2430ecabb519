import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import type { Member } from "../../../registry/Facade.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph } from "../../../services/CodeGraph.ts"
import { freshnessOf, graph } from "../../shared/symbols.ts"
import { type analyze, kind } from "../facade.ts"
import { window } from "../upkeep/Narrowing.ts"
import { oneField, tally, writtenFields } from "./Fields.ts"

const mostWriters = 20
const mostSites = 200

const needs = [CodeGraph] as const

export const fieldWriters: Member<typeof analyze, "field_writers", typeof needs> = kind("field_writers", {
  summary: "Fields by how many places write them.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      id: F.optional(F.described(F.text, "one field, with every place"))
    })
  }),
  needs,
  handler: ({ options }, call) =>
    Effect.gen(function* () {
      const view = yield* graph
      const only = options.id === undefined ? undefined : yield* oneField(view, options.id, "field_writers")
      const { byName, fields, written } = yield* writtenFields(view)
      const kept = only === undefined ? written : written.filter(({ ref }) => ref === only)
      const rows = window(kept, call).map(({ ref, writes }) => {
        const { id, line, name, path } = view.symbol(ref)
        const writers = tally(
          view,
          writes.map(({ from }) => from)
        )
        return {
          id,
          field: name,
          file_path: path,
          line,
          writes: writes.length,
          writer_count: writers.length,
          writers: writers
            .slice(0, only === undefined ? mostWriters : writers.length)
            .map(({ count, id: writer }) => ({ id: writer, writes: count })),
          ...(only === undefined
            ? {}
            : {
                sites: writes
                  .slice(0, mostSites)
                  .map((w) => ({ in: view.idOf(w.from), file_path: w.path, line: w.line, tier: w.tier }))
              })
        }
      })
      return page(
        "fields",
        {
          fields: rows,
          total: kept.length,
          fields_looked_at: only === undefined ? fields : 1,
          ...(only === undefined || kept.length > 0 ? {} : { never_written: view.idOf(only) }),
          ...(byName === 0 ? {} : { text_matched_suppressed: byName }),
          notes: [
            "a write is an assignment to the field or its place in a literal; initial values of declarations and writes through pointers are not counted"
          ],
          freshness: freshnessOf(view.freshness)
        },
        { snapshot: view.generation, from: call.offset, total: kept.length }
      )
    })
})
