/** Tables that are created and those that statements read and write: in SQL files, migrations and strings of code. */
import type { LocalFact } from "../Local.ts"
import { ecmascript, type Pass, type Source } from "../Pass.ts"
import { T } from "../Lexer.ts"
import { at } from "../Routers.ts"
import { textOf, textsOf } from "../Script.ts"

export interface Access {
  /** Lower-case name without its schema. */
  readonly table: string
  readonly schema: string | undefined
  readonly access: "create" | "drop" | "read" | "write"
  readonly columns: ReadonlyArray<string>
  /** Offset in the statement. */
  readonly offset: number
}

const name = String.raw`((?:[\x60"\[]?[A-Za-z_][\w$]*[\x60"\]]?\.){0,2}[\x60"\[]?[A-Za-z_][\w$]*[\x60"\]]?)`
const patterns: ReadonlyArray<readonly [Access["access"], RegExp]> = [
  [
    "create",
    new RegExp(
      String.raw`\bcreate\s+(?:or\s+replace\s+)?(?:(?:global|local)\s+)?(?:temp(?:orary)?\s+|unlogged\s+|external\s+)?(?:table|(?:materialized\s+)?view)\s+(?:if\s+not\s+exists\s+)?${name}`,
      "gi"
    )
  ],
  ["drop", new RegExp(String.raw`\bdrop\s+(?:table|view)\s+(?:if\s+exists\s+)?${name}`, "gi")],
  ["write", new RegExp(String.raw`\binsert\s+(?:or\s+\w+\s+|ignore\s+)?into\s+(?:table\s+)?${name}`, "gi")],
  ["write", new RegExp(String.raw`\breplace\s+into\s+${name}`, "gi")],
  ["write", new RegExp(String.raw`\bmerge\s+into\s+${name}`, "gi")],
  [
    "write",
    new RegExp(
      String.raw`(?<!\bfor\s)(?<!\bkey\s)(?<!\bon\s)\bupdate\s+(?:only\s+)?${name}\s+(?:as\s+\w+\s+|\w+\s+)?set\b`,
      "gi"
    )
  ],
  ["write", new RegExp(String.raw`\bdelete\s+from\s+(?:only\s+)?${name}`, "gi")],
  ["write", new RegExp(String.raw`\btruncate\s+(?:table\s+)?${name}`, "gi")],
  ["write", new RegExp(String.raw`\bcopy\s+${name}\s*(?:\([^)]*\)\s*)?from\b`, "gi")],
  [
    "read",
    new RegExp(
      String.raw`(?<!\bdelete\s)(?<!\bdistinct\s)\bfrom\s+(?:only\s+|lateral\s+)?${name}(?![\w$])(?!\s*\()`,
      "gi"
    )
  ],
  ["read", new RegExp(String.raw`\bjoin\s+(?:only\s+|lateral\s+)?${name}(?![\w$])(?!\s*\()`, "gi")]
]
const noTable = new Set([
  "select",
  "values",
  "set",
  "where",
  "dual",
  "unnest",
  "generate_series",
  "lateral",
  "only",
  "if",
  "table",
  "the",
  "a",
  "an",
  "this",
  "that",
  "into",
  "now",
  "json_each",
  "jsonb_array_elements",
  "information_schema",
  "excluded",
  "deleted",
  "inserted",
  "join",
  "left",
  "right",
  "inner",
  "outer",
  "cross",
  "full",
  "natural",
  "using",
  "on",
  "order",
  "group",
  "union",
  "limit",
  "having",
  "with",
  "returning",
  "as"
])

/** The names of common table expressions, which are no tables. */
const withNames = (sql: string): ReadonlySet<string> => {
  const found = new Set<string>()
  if (!/\bwith\b/i.test(sql)) return found
  for (const each of sql.matchAll(
    /(?:\bwith\s+(?:recursive\s+)?|,\s*)["\x60]?(\w+)["\x60]?\s*(?:\([^()]*\)\s*)?as\s+(?:not\s+materialized\s+|materialized\s+)?\(/gi
  ))
    found.add(each[1]!.toLowerCase())
  return found
}

/** What statements do with tables. */
export const accessesOf = (sql: string): ReadonlyArray<Access> => {
  // Comments become blanks, so that places stay.
  const plain = sql
    .replace(/--[^\n]*/g, (all) => " ".repeat(all.length))
    .replace(/\/\*[\s\S]*?\*\//g, (all) => all.replace(/[^\n]/g, " "))
    .replace(/'(?:[^'\n]|'')*'/g, (all) => `'${" ".repeat(Math.max(0, all.length - 2))}'`)
  const own = withNames(plain)
  const found: Array<Access> = []
  const seen = new Set<string>()
  for (const [access, pattern] of patterns)
    for (const each of plain.matchAll(pattern)) {
      const parts = each[1]!.replace(/[\x60"[\]]/g, "").split(".")
      const table = parts.at(-1)!.toLowerCase()
      if (
        own.has(table) ||
        noTable.has(table) ||
        parts[0]!.toLowerCase() === "information_schema" ||
        parts[0]!.toLowerCase() === "pg_catalog"
      )
        continue
      // FROM inside of EXTRACT(… FROM …), SUBSTRING(… FROM …) and TRIM is no clause.
      if (
        access === "read" &&
        /\b(?:extract|substring|trim|overlay|position)\s*\([^()]*$/i.test(
          plain.slice(Math.max(0, each.index - 60), each.index)
        )
      )
        continue
      const key = `${access}:${parts.join(".")}`
      if (seen.has(key) && access !== "create") continue
      seen.add(key)
      found.push({
        table,
        schema: parts.length > 1 ? parts.at(-2)!.toLowerCase() : undefined,
        access,
        columns: access === "create" ? columnsOf(plain, each.index + each[0].length) : [],
        offset: each.index
      })
      // FROM a, b lists several.
      if (access === "read") {
        const rest =
          /^\s*(?:(?:as\s+)?(?!where\b|join\b|left\b|inner\b|on\b|order\b|group\b|limit\b)\w+)?((?:\s*,\s*["\x60]?[A-Za-z_][\w.$]*["\x60]?(?:\s+(?:as\s+)?(?!where\b|join\b|left\b|inner\b|on\b|order\b|group\b|limit\b)\w+)?)+)/i.exec(
            plain.slice(each.index + each[0].length, each.index + each[0].length + 300)
          )
        for (const more of rest?.[1]?.split(",").slice(1) ?? []) {
          const listed = more
            .trim()
            .split(/\s+/)[0]!
            .replace(/["\x60]/g, "")
            .split(".")
          const next = listed.at(-1)!.toLowerCase()
          if (next !== "" && !own.has(next) && !noTable.has(next) && !seen.has(`read:${listed.join(".")}`)) {
            seen.add(`read:${listed.join(".")}`)
            found.push({
              table: next,
              schema: listed.length > 1 ? listed.at(-2)!.toLowerCase() : undefined,
              access: "read",
              columns: [],
              offset: each.index
            })
          }
        }
      }
    }
  return found
}

const columnsOf = (sql: string, from: number): ReadonlyArray<string> => {
  const open = /^\s*\(/.exec(sql.slice(from))
  if (open === null) return []
  let depth = 0
  let begin = from + open[0].length
  const out: Array<string> = []
  const take = (end: number) => {
    const word = /^\s*["\x60[]?([A-Za-z_]\w*)["\x60\]]?\s+\S/.exec(sql.slice(begin, end))?.[1]
    if (
      word !== undefined &&
      !/^(?:primary|foreign|unique|constraint|check|key|index|exclude|like|period|fulltext)$/i.test(word)
    )
      out.push(word.toLowerCase())
  }
  for (let i = begin; i < sql.length; i++) {
    const c = sql[i]
    if (c === "(") depth++
    else if (c === ")") {
      if (depth === 0) {
        take(i)
        break
      }
      depth--
    } else if (c === "," && depth === 0) {
      take(i)
      begin = i + 1
    }
  }
  return out
}

/** What dialect a text is written in, by words that only one has; "ansi" otherwise. */
export const dialectOfSql = (sql: string): string =>
  /\bserial\b|\bbigserial\b|\bjsonb\b|\btimestamptz\b|\bilike\b|\$\d|::\w+|\breturning\b|\bplpgsql\b/i.test(
    sql
  )
    ? "postgresql"
    : /\bauto_increment\b|\bengine\s*=|`/i.test(sql)
      ? "mysql"
      : /\bautoincrement\b|\bpragma\b|\bwithout\s+rowid\b/i.test(sql)
        ? "sqlite"
        : /\bnvarchar\b|\bidentity\s*\(|\[dbo\]|\bdbo\.|\bgetdate\(/i.test(sql)
          ? "tsql"
          : "ansi"

const note = (
  pass: string,
  { access, columns, schema, table }: Access,
  dialect: string,
  where: { readonly line: number; readonly column: number },
  from: string
): LocalFact => ({
  kind: "note",
  pass,
  what: access === "create" ? "table" : "query",
  name: table,
  data: { schema, dialect, access, columns, source: from },
  ...where
})

/** Files of SQL. */
export const sqlFiles: Pass = {
  name: "sql files",
  family: "sql",
  languages: ["sql"],
  *read({ text }): Generator<LocalFact> {
    const dialect = dialectOfSql(text)
    let line = 1
    let counted = 0
    // Statements of dbt hold templates, and are read as models.
    const sql = text.replace(/\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\}/g, (all) => all.replace(/[^\n]/g, " "))
    for (const access of [...accessesOf(sql)].sort((a, b) => a.offset - b.offset)) {
      while (counted < access.offset) if (text[counted++] === "\n") line++
      yield note("sql files", access, dialect, { line, column: 0 }, "sql")
    }
  }
}

const statement =
  /^\s*(?:--[^\n]*\n\s*)*(?:select|insert|update|delete|with|create|replace|merge|truncate|drop|alter|copy|from)\b/i
const whole =
  /^\s*(?:select\b[\s\S]*?\bfrom\b|insert\s+(?:or\s+\w+\s+|ignore\s+)?into\b|update\s+\S+[\s\S]*?\bset\b|delete\s+from\b|with\b[\s\S]*\bselect\b|create\s+(?:\w+\s+){0,3}(?:table|view)\b|replace\s+into\b|merge\s+into\b|truncate\b|drop\s+(?:table|view)\b|copy\b|from\s+\S+\s+(?:select|where|join)\b)/i

/** Statements in strings of code. */
export const sqlStrings: Pass = {
  name: "sql in code",
  family: "sql",
  languages: [
    ...ecmascript,
    "python",
    "go",
    "rust",
    "java",
    "kotlin",
    "csharp",
    "ruby",
    "php",
    "swift",
    "scala"
  ],
  hints: [
    "SELECT",
    "select",
    "INSERT",
    "insert",
    "UPDATE",
    "update",
    "DELETE",
    "delete",
    "CREATE TABLE",
    "create table",
    "Select",
    "MERGE INTO",
    "TRUNCATE"
  ],
  *read({ script }): Generator<LocalFact> {
    const { tokens } = script
    for (let i = 0; i < script.count; i++) {
      if (tokens.kind[i] !== T.string || tokens.end[i]! - tokens.start[i]! < 12) continue
      // A string that is joined to the one before was read with it.
      if (i > 0 && tokens.kind[i - 1] === T.string && script.dialect === "python") continue
      if (/^(?:\+|\.)$/.test(script.word(i - 1)) && tokens.kind[i - 2] === T.string) continue
      const raw = script.word(i)
      if (
        !/(?:select|insert|update|delete|create|merge|truncate|with|from|drop|copy|replace)/i.test(
          raw.slice(0, 400)
        )
      )
        continue
      const expr = script.expr(i, Math.min(script.count, Math.max(i + 1, script.statementEnd(i))))
      const text = textOf(expr)
      if (text === undefined || !statement.test(text) || !whole.test(text)) continue
      const words = [
        ...new Set([...text.matchAll(/[A-Za-z_]\w*/g)].map(([word]) => word.toLowerCase()))
      ].slice(0, 80)
      for (const access of accessesOf(text.replace(/\{[^}]*\}/g, "p"))) {
        if (access.table === "p") continue
        const lines = raw.slice(0, access.offset).split("\n").length - 1
        yield note(
          "sql in code",
          access.access === "create" ? access : { ...access, columns: words },
          dialectOfSql(text),
          {
            line: script.line(i) + (expr.kind === "string" ? Math.min(lines, raw.split("\n").length - 1) : 0),
            column: script.column(i)
          },
          "string"
        )
      }
    }
  }
}

/** Tables that migrations of frameworks create. */
export const migrations: Pass = {
  name: "migrations",
  family: "sql",
  languages: ["ruby", "php", "python", "csharp", "rust", ...ecmascript],
  hints: [
    "create_table",
    "createTable",
    "Schema::create",
    "CreateModel",
    "CreateTable",
    "drop_table",
    "diesel::table!",
    "table!"
  ],
  *read(source: Source): Generator<LocalFact> {
    const { script } = source
    const app = /(?:^|\/)([^/]+)\/migrations\//.exec(source.path)?.[1]
    for (const chain of script.chains()) {
      for (const each of chain.parts) {
        if (each.args === undefined) continue
        const first = each.args[0]?.value
        let table: string | undefined
        if (/^(?:create_table|createTable|createTableIfNotExists|create_join_table)$/.test(each.name)) {
          table = textOf(first)
          if (
            each.name === "createTable" &&
            first?.kind === "chain" &&
            first.chain.parts[0]!.name === "Table"
          ) {
            const options = first.chain.parts[0]!.args?.[0]?.value
            table =
              options?.kind === "record"
                ? textsOf(options.items.find(({ label }) => label === "name")?.value)[0]
                : undefined
          }
        } else if (each.name === "create" && chain.parts[0]!.name === "Schema" && script.dialect === "php")
          table = textOf(first)
        else if (each.name === "CreateTable" && script.dialect === "csharp")
          table = textOf(each.args.find(({ label }) => label === "name")?.value ?? first)
        else if (each.name === "CreateModel" && script.dialect === "python") {
          const named = textOf(each.args.find(({ label }) => label === "name")?.value ?? first)
          const options = each.args.find(({ label }) => label === "options")?.value
          const explicit =
            options?.kind === "record"
              ? textOf(options.items.find(({ label }) => label === "db_table")?.value)
              : undefined
          table =
            explicit ??
            (named === undefined ? undefined : `${app === undefined ? "" : `${app}_`}${named.toLowerCase()}`)
        } else if (
          each.name === "table!" &&
          script.dialect === "rust" &&
          chain.parts.length <= 2 &&
          first?.kind === "chain"
        )
          table = first.chain.parts[0]!.name
        if (table !== undefined)
          yield note(
            "migrations",
            {
              table: table.toLowerCase().split(".").at(-1)!,
              schema: table.includes(".") ? table.split(".")[0]!.toLowerCase() : undefined,
              access: "create",
              columns: [],
              offset: 0
            },
            "ansi",
            at(script, each.at),
            "migration"
          )
      }
    }
  }
}

/** Queries that builders make, by the name of the table: knex("users"), DB::table("users"), db.Table("users"). */
export const builders: Pass = {
  name: "query builders",
  family: "sql",
  languages: [...ecmascript, "php", "go", "python", "ruby"],
  hints: [
    "knex",
    "DB::table",
    ".Table(",
    ".from(",
    "->table(",
    "insertInto",
    "selectFrom",
    "updateTable",
    "deleteFrom",
    "into("
  ],
  *read({ script, text }): Generator<LocalFact> {
    for (const { parts } of script.chains())
      for (const [index, part] of parts.entries()) {
        if (part.args === undefined) continue
        const named = textOf(part.args[0]?.value)
        if (named === undefined || !/^[A-Za-z_][\w.]*(?:\s+(?:as\s+)?\w+)?$/.test(named)) continue
        const base = parts[index - 1]?.name ?? ""
        const chosen =
          (part.name === "knex" && index === 0) ||
          (part.name === "table" && base === "DB") ||
          (part.name === "Table" && script.dialect === "go" && /gorm/.test(text)) ||
          (/^(?:selectFrom|insertInto|updateTable|deleteFrom)$/.test(part.name) && index > 0) ||
          (/^(?:from|into|table)$/.test(part.name) &&
            /^(?:knex|supabase|db|trx|qb|query)$/.test(parts[0]!.name) &&
            index > 0 &&
            script.dialect === "javascript")
        if (!chosen) continue
        const behind = parts.slice(index).map(({ name: each }) => each)
        const access =
          /^(?:insertInto|updateTable|deleteFrom|into)$/.test(part.name) ||
          behind.some((each) =>
            /^(?:insert|insertGetId|update|delete|del|upsert|truncate|increment|decrement|Create|Updates?|Delete|Save)$/.test(
              each
            )
          )
            ? "write"
            : "read"
        yield note(
          "query builders",
          {
            table: named.split(/\s/)[0]!.split(".").at(-1)!.toLowerCase(),
            schema: undefined,
            access,
            columns: [],
            offset: 0
          },
          "ansi",
          at(script, part.at),
          "builder"
        )
      }
  }
}

export const sqlPasses: ReadonlyArray<Pass> = [sqlFiles, sqlStrings, migrations, builders]
