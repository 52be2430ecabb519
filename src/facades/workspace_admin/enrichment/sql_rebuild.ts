import { Effect } from "effect"
import { fromService } from "../../../registry/Failure.ts"
import type { Member } from "../../../registry/Facade.ts"
import * as F from "../../../registry/Fields.ts"
import { ControlStore } from "../../../services/ControlStore.ts"
import type { SqlTableRecord } from "../../../services/ControlTables.ts"
import { FrameworkFacts, type Note } from "../../../services/FrameworkFacts.ts"
import { workspaceAdmin } from "../facade.ts"

const textsOf = (value: unknown): ReadonlyArray<string> =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === "string") : []
const access = (note: Note): string =>
  note.what === "table"
    ? "create"
    : note.data["access"] === "write" || note.data["access"] === "read"
      ? note.data["access"]
      : "unknown"

const needs = [ControlStore, FrameworkFacts] as const

export const sqlRebuild: Member<typeof workspaceAdmin, "sql_rebuild", typeof needs> =
  workspaceAdmin.operation("sql_rebuild", {
    tool: "analyze",
    fixed: { kind: "sql_rebuild" },
    summary: "Rebuild the layer of SQL tables from the strings in code.",
    long: true,
    tier: 2,
    input: F.input({}),
    needs,
    handler: () =>
      Effect.gen(function* () {
        const store = yield* ControlStore
        const reading = yield* Effect.mapError((yield* FrameworkFacts).read(["sql"]), (cause) =>
          fromService(cause)
        )
        const notes = reading.notes.filter(
          (note) => (note.what === "table" || note.what === "query") && note.data["access"] !== "drop"
        )
        const byTable = new Map<string, Array<Note>>()
        for (const note of notes) byTable.set(note.name, [...(byTable.get(note.name) ?? []), note])
        let columns = 0
        let reads = 0
        let writes = 0
        const records = [...byTable]
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, own]): readonly [string, SqlTableRecord] => {
            const declared = [
              ...new Set(own.flatMap((note) => (note.what === "table" ? textsOf(note.data["columns"]) : [])))
            ].sort()
            const known = new Set(declared)
            columns += declared.length
            for (const note of own) {
              if (note.what === "table") continue
              const used = textsOf(note.data["columns"]).filter((column) => known.has(column)).length
              if (access(note) === "write") writes += used
              else reads += used
            }
            return [
              name,
              {
                name,
                columns: declared,
                sites: own
                  .map((note) => ({
                    access: access(note),
                    file_path: note.file,
                    line: note.line,
                    within: note.within
                  }))
                  .sort((a, b) =>
                    a.file_path < b.file_path ? -1 : a.file_path > b.file_path ? 1 : a.line - b.line
                  )
              }
            ]
          })
        const queries = notes.filter(({ what }) => what === "query")
        const run = yield* Effect.mapError(
          store.replace("sql_tables", records, {
            tables: records.length,
            files: reading.coverage.read_files
          }),
          (cause) => fromService(cause)
        )
        const { unread } = reading.coverage
        return {
          strings_visited: new Set(
            notes.filter(({ data }) => data["source"] === "string").map(({ file, line }) => `${file}:${line}`)
          ).size,
          tables_created: records.length,
          columns_created: columns,
          query_edges_created: queries.length,
          reads_col_edges: reads,
          writes_col_edges: writes,
          emitters_linked: new Set(queries.map(({ within }) => within)).size,
          skipped: unread.length,
          ...(unread.length === 0
            ? {}
            : {
                skipped_files: unread.slice(0, 20).map(({ path, reason }) => ({ file_path: path, reason }))
              }),
          stored_at: new Date(run.at).toISOString(),
          ...(records.length === 0
            ? { note: `no statement in ${reading.coverage.read_files} files that show a sign of SQL` }
            : {})
        }
      })
  })
