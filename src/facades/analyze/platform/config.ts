import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import * as F from "../../../registry/Fields.ts"
import { FrameworkFacts } from "../../../services/FrameworkFacts.ts"
import { kind } from "../facade.ts"
import { completenessOf, facts, grouped, holders, holds, none, notesOf, placesOf, text } from "./Facts.ts"

const most = 20
const byReads = (
  a: { readonly reads: number; readonly id: string },
  b: { readonly reads: number; readonly id: string }
): number => b.reads - a.reads || (a.id < b.id ? -1 : 1)

export const configReaders = kind("config_readers", {
  summary: "Configuration keys and their readers.",
  page: { default: 100, max: 1000 },
  input: F.input({ options: F.group({ name: F.optional(F.text) }) }),
  needs: [FrameworkFacts],
  handler: ({ options }) =>
    Effect.gen(function* () {
      const reading = yield* facts("config")
      const named = holds(options.name)
      const rows = grouped(
        notesOf(reading, "config", "env").filter(
          (note) => !note.test && named(note.name) && note.data["write"] !== true
        ),
        (note) => `${text(note, "source")}::${note.name}`
      )
        .map(([id, notes]) => ({
          id: `config::${id}`,
          name: notes[0]!.name,
          source: text(notes[0]!, "source"),
          readers: holders(notes),
          reads: notes.length,
          sites: placesOf(notes, most).places,
          ...(notes.length > most ? { sites_omitted: notes.length - most } : {})
        }))
        .sort(byReads)
      return page(
        "config_keys",
        {
          config_keys: rows,
          total: rows.length,
          ...(rows.length === 0 ? none(reading, "key that is read by a written name") : {}),
          ...completenessOf(reading)
        },
        { snapshot: reading.generation }
      )
    })
})

export const envVarUsers = kind("env_var_users", {
  summary: "Environment variables and their readers.",
  page: { default: 100, max: 1000 },
  input: F.input({ options: F.group({ name: F.optional(F.text) }) }),
  needs: [FrameworkFacts],
  handler: ({ options }) =>
    Effect.gen(function* () {
      const reading = yield* facts("config")
      const named = holds(options.name)
      const set = new Map(grouped(notesOf(reading, "env_set"), ({ name }) => name))
      const rows = grouped(
        notesOf(reading, "env").filter(
          (note) => !note.test && named(note.name) && note.data["write"] !== true
        ),
        ({ name }) => name
      )
        .map(([name, notes]) => ({
          id: `env::${name}`,
          name,
          readers: holders(notes),
          reads: notes.length,
          sites: placesOf(notes, most).places,
          ...(notes.length > most ? { sites_omitted: notes.length - most } : {}),
          ...(set.has(name) ? { set_in: [...new Set(set.get(name)!.map(({ file }) => file))].sort() } : {})
        }))
        .sort(byReads)
      return page(
        "env_vars",
        {
          env_vars: rows,
          total: rows.length,
          ...(rows.length === 0 ? none(reading, "variable that is read by a written name") : {}),
          ...completenessOf(reading)
        },
        { snapshot: reading.generation }
      )
    })
})
