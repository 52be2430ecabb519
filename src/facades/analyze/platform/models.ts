import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import * as F from "../../../registry/Fields.ts"
import { FrameworkFacts } from "../../../services/FrameworkFacts.ts"
import { kind } from "../facade.ts"
import { completenessOf, facts, holds, none, notesOf, oneWord, text } from "./Facts.ts"

export const models = kind("models", {
  summary: "Object models and their tables.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({ orm: F.optional(F.text), table: F.optional(F.text), model: F.optional(F.text) })
  }),
  needs: [FrameworkFacts],
  handler: ({ options }) =>
    Effect.gen(function* () {
      const reading = yield* facts("models")
      const orm = yield* oneWord(
        "options.orm",
        options.orm,
        [...reading.passes.map(({ name }) => name), "sqlmodel"],
        "mapper that is read"
      )
      const table = holds(options.table)
      const model = holds(options.model)
      const rows = notesOf(reading, "model")
        .filter(
          (note) =>
            !note.test &&
            (orm === undefined || text(note, "orm") === orm) &&
            table(text(note, "table")) &&
            model(note.name)
        )
        .map((note) => ({
          id: note.targets["model"]?.id ?? `${note.file}::${note.name}`,
          model: note.name,
          table: text(note, "table"),
          orm: text(note, "orm"),
          derivation: text(note, "derivation"),
          file_path: note.file,
          line: note.line
        }))
        .sort((a, b) => (a.model < b.model ? -1 : a.model > b.model ? 1 : a.id < b.id ? -1 : 1))
      return page(
        "models",
        {
          models: rows,
          total: rows.length,
          ...(rows.length === 0 ? none(reading, "model") : {}),
          ...completenessOf(reading)
        },
        { snapshot: reading.generation }
      )
    })
})
