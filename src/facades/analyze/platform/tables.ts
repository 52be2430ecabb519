import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import * as F from "../../../registry/Fields.ts"
import { FrameworkFacts } from "../../../services/FrameworkFacts.ts"
import { kind } from "../facade.ts"
import { completenessOf, facts, grouped, holds, none, notesOf, text } from "./Facts.ts"
import { tablesOf } from "./Storage.ts"

export const sqlCallSites = kind("sql_call_sites", {
  fixed: { materialize: false },
  summary: "Tables each caller's SQL reads and writes.",
  page: { default: 100, max: 1000 },
  input: F.input({ options: F.group({ name: F.optional(F.text) }) }),
  needs: [FrameworkFacts],
  handler: ({ options }) =>
    Effect.gen(function* () {
      const reading = yield* facts("sql")
      const fits = holds(options.name)
      const rows = grouped(
        notesOf(reading, "query").filter(
          (note) => !note.test && text(note, "source") !== "sql" && text(note, "access") !== "drop"
        ),
        ({ within }) => within
      )
        .map(([symbol, notes]) => {
          const of = (access: string) =>
            [
              ...new Set(notes.filter((note) => text(note, "access") === access).map(({ name }) => name))
            ].sort()
          const reads = of("read")
          const writes = of("write")
          return {
            id: symbol,
            symbol,
            name: symbol.slice(symbol.lastIndexOf("::") < 0 ? 0 : symbol.lastIndexOf("::") + 2),
            file_path: notes[0]!.file,
            line: Math.min(...notes.map(({ line }) => line)),
            tables: [...new Set([...reads, ...writes])].sort(),
            queries: new Set(notes.map(({ line }) => line)).size,
            reads,
            writes
          }
        })
        .filter(({ symbol, tables }) => fits(symbol) || tables.some(fits))
        .sort((a, b) => b.queries - a.queries || (a.id < b.id ? -1 : 1))
      return page(
        "call_sites",
        {
          call_sites: rows,
          total: rows.length,
          ...(rows.length === 0 ? none(reading, "statement in code") : {}),
          ...completenessOf(reading)
        },
        { snapshot: reading.generation }
      )
    })
})

const edges = (tables: ReturnType<typeof tablesOf>): number =>
  tables.reduce((sum, { queried }) => sum + queried.length, 0)

export const orphanTables = kind("orphan_tables", {
  summary: "Tables queried but never created.",
  input: F.input({}),
  needs: [FrameworkFacts],
  handler: () =>
    Effect.gen(function* () {
      const reading = yield* facts("sql", "models")
      const tables = tablesOf(reading)
      const orphans = tables
        .map((table) => ({
          ...table,
          queried: table.queried.filter(({ test, what }) => !test && what === "query")
        }))
        .filter(({ created, queried }) => created.length === 0 && queried.length > 0)
        .map(({ dialect, id, queried, schema, table }) => ({
          id,
          table,
          schema,
          dialect,
          query_count: queried.length,
          file_path: queried[0]!.file,
          line: queried[0]!.line
        }))
        .sort((a, b) => b.query_count - a.query_count || (a.id < b.id ? -1 : 1))
      const created = tables.filter((table) => table.created.length > 0).length
      return page(
        "orphans",
        {
          orphans,
          total: orphans.length,
          tables: tables.length,
          created_tables: created,
          query_edges: edges(tables),
          note:
            created === 0
              ? "nothing in this workspace creates a table, so every queried one is listed; their schema may live elsewhere"
              : "tables that a database brings, or that another repository creates, are listed too",
          ...completenessOf(reading)
        },
        { snapshot: reading.generation }
      )
    })
})

export const unreferencedTables = kind("unreferenced_tables", {
  summary: "Tables created but never queried.",
  input: F.input({}),
  needs: [FrameworkFacts],
  handler: () =>
    Effect.gen(function* () {
      const reading = yield* facts("sql", "models")
      const tables = tablesOf(reading)
      const unreferenced = tables
        .filter(({ created, queried }) => created.some(({ test }) => !test) && queried.length === 0)
        .map(({ created, dialect, id, schema, table }) => ({
          id,
          table,
          schema,
          dialect,
          provider_count: created.length,
          file_path: created[0]!.file,
          line: created[0]!.line
        }))
      return page(
        "unreferenced",
        {
          unreferenced,
          total: unreferenced.length,
          tables: tables.length,
          query_edges: edges(tables),
          note: "uses that are seen are statements in strings and SQL files, query builders with the table's name, and models mapped to it; names that are computed are not seen",
          ...completenessOf(reading)
        },
        { snapshot: reading.generation }
      )
    })
})
