import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import * as F from "../../../registry/Fields.ts"
import { FrameworkFacts } from "../../../services/FrameworkFacts.ts"
import { kind } from "../facade.ts"
import { completenessOf, facts, holds, none, notesOf, oneWord, text, texts } from "./Facts.ts"

const types = ["model", "seed", "snapshot", "source", "test", "analysis"]

export const dbtModels = kind("dbt_models", {
  summary: "Data models with their lineage.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      framework: F.optional(F.choice("dbt", "sqlmesh")),
      materialized: F.optional(F.text),
      name: F.optional(F.text),
      type: F.optional(F.text)
    })
  }),
  needs: [FrameworkFacts],
  handler: ({ options }) =>
    Effect.gen(function* () {
      const type = yield* oneWord("options.type", options.type, types, "type of resource")
      const reading = yield* facts("lineage")
      const properties = new Map(notesOf(reading, "dbt_properties").map((note) => [note.name, note]))
      const all = notesOf(reading, "dbt")
      const known = new Map(all.map((note) => [note.name, note]))
      const downstream = new Map<string, Set<string>>()
      for (const note of all)
        for (const above of texts(note, "upstream")) {
          const own = known.has(above) ? above : [...known.keys()].find((name) => name.endsWith(`.${above}`))
          if (own !== undefined) downstream.set(own, (downstream.get(own) ?? new Set()).add(note.name))
        }
      const materialized = holds(options.materialized)
      const named = holds(options.name)
      const rows = all
        .map((note) => {
          const extra = properties.get(note.name)
          const written =
            text(note, "materialized") || (extra === undefined ? "" : text(extra, "materialized"))
          const own = texts(note, "columns")
          return {
            id: `${text(note, "framework")}::${text(note, "resource_type")}::${note.name}`,
            name: note.name,
            framework: text(note, "framework"),
            resource_type: text(note, "resource_type"),
            materialized: written === "" && text(note, "resource_type") === "model" ? "(default)" : written,
            schema: text(note, "schema") || (extra === undefined ? "" : text(extra, "schema")),
            columns: own.length > 0 ? own : extra === undefined ? [] : texts(extra, "columns"),
            upstream: texts(note, "upstream"),
            downstream: [...(downstream.get(note.name) ?? [])].sort(),
            missing_upstream: texts(note, "upstream").filter(
              (above) => text(note, "framework") === "dbt" && !known.has(above)
            ),
            file_path: note.file,
            line: note.line
          }
        })
        .filter(
          (row) =>
            (options.framework === undefined || row.framework === options.framework) &&
            (type === undefined || row.resource_type === type) &&
            materialized(row.materialized) &&
            named(row.name)
        )
        .map(({ missing_upstream, ...row }) =>
          missing_upstream.length === 0 ? row : { ...row, missing_upstream }
        )
        .sort((a, b) => (a.id < b.id ? -1 : 1))
      return page(
        "dbt_models",
        {
          dbt_models: rows,
          total: rows.length,
          ...(rows.length === 0 ? none(reading, "data model") : {}),
          ...completenessOf(reading)
        },
        { snapshot: reading.generation }
      )
    })
})
