import type { Language } from "../Language.ts"

/** SQL scripts: tables with their columns, views, procedures and functions. */
export const sql: Language = {
  id: "sql",
  label: "SQL",
  extensions: [".sql", ".ddl", ".pgsql"],
  depth: "outline",
  family: "none",
  reads: "bytes",
  hoisting: false,
  load: () => import("./extract.ts").then((m) => m.extract)
}
