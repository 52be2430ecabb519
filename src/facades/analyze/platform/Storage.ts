/** The tables of the databases: who creates them, who reads and writes them. */
import type { FactReading, Note } from "../../../services/FrameworkFacts.ts"
import { notesOf, text } from "./Facts.ts"

export interface Table {
  readonly id: string
  readonly table: string
  readonly schema: string
  readonly dialect: string
  readonly created: ReadonlyArray<Note>
  readonly queried: ReadonlyArray<Note>
}

/** Tables by name. One without a schema is the same as one of that name with the only schema there is. */
export const tablesOf = (reading: FactReading): ReadonlyArray<Table> => {
  const groups = new Map<string, { created: Array<Note>; queried: Array<Note> }>()
  const own = (name: string) => {
    const known = groups.get(name) ?? { created: [], queried: [] }
    groups.set(name, known)
    return known
  }
  for (const note of notesOf(reading, "table", "query")) {
    if (text(note, "access") === "drop") continue
    if (note.what === "table") own(note.name).created.push(note)
    else own(note.name).queried.push(note)
  }
  // A mapper queries the tables of its models.
  for (const note of notesOf(reading, "model")) {
    const table = text(note, "table").toLowerCase()
    if (groups.has(table)) own(table).queried.push(note)
  }
  return [...groups]
    .sort((a, b) => (a[0] < b[0] ? -1 : 1))
    .map(([table, { created, queried }]) => {
      const all = [...created, ...queried]
      const schemas = new Set(all.map((note) => text(note, "schema")).filter((schema) => schema !== ""))
      const dialects = new Set(
        all.map((note) => text(note, "dialect")).filter((dialect) => dialect !== "" && dialect !== "ansi")
      )
      return {
        id: `table::${table}`,
        table,
        schema: schemas.size === 1 ? [...schemas][0]! : "",
        dialect: dialects.size === 1 ? [...dialects][0]! : dialects.size === 0 ? "ansi" : "mixed",
        created,
        queried
      }
    })
}
