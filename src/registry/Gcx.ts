/**
 * The line form of answers, version 1. A document is sections of rows: a header line
 * `GCX1 tool=NAME fields=A,B key=value …`, then a line a row, its cells between tabs in the order of the fields. In cells
 * `\\`, `\t` and `\n` stand for backslash, tab and line feed, and any other escaped character for itself; carriage returns
 * are dropped; lines that begin with `#` are comments; cells missing at a row's end are empty.
 */
import { Either } from "effect"
import { isRecord, type UnknownRecord } from "./Json.ts"
import type { Layout } from "./Layout.ts"

/** Rows of one kind. */
export interface Section {
  readonly tool: string
  readonly fields: ReadonlyArray<string>
  /** About the section: `total`, `truncated`, … */
  readonly metadata: { readonly [name: string]: string }
  /** As many cells as there are fields. */
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

/** Where a text is no document, by its 1-based line. */
export interface Malformed {
  readonly line: number
  readonly problem: string
}

const version = "GCX1"

/** Names in a header: no blank, comma or equals sign, since those end them. */
const plainName = /^[^\s,=\\#]+$/
const plainValue = /^[^\s\\]+$/

/** Whether a text can be a header's name, or a value there. */
export const isName = (text: string): boolean => plainName.test(text)
export const isValue = (text: string): boolean => plainValue.test(text)

const escaped = (cell: string): string =>
  cell.replaceAll("\r", "").replaceAll("\\", "\\\\").replaceAll("\t", "\\t").replaceAll("\n", "\\n")

/** A row as a line, without the empty cells at its end. What would make it a comment or a header is escaped. */
const lineOf = (cells: ReadonlyArray<string>): string => {
  const line = cells
    .slice(0, 1 + cells.findLastIndex((cell) => cell !== ""))
    .map(escaped)
    .join("\t")
  return /^(?:#|GCX\d)/.test(line) ? `\\${line}` : line
}

const headerOf = ({ fields, metadata, tool }: Section): string =>
  [
    version,
    `tool=${tool}`,
    `fields=${fields.join(",")}`,
    ...Object.keys(metadata)
      .sort()
      .map((name) => `${name}=${metadata[name]}`)
  ].join(" ")

const assertPlain = ({ fields, metadata, rows, tool }: Section): void => {
  for (const name of [tool, ...fields, ...Object.keys(metadata)])
    if (!isName(name)) throw new Error(`${JSON.stringify(name)} cannot be a name in a header`)
  for (const value of Object.values(metadata))
    if (!isValue(value)) throw new Error(`${JSON.stringify(value)} cannot be a value in a header`)
  if (fields.length === 0 && rows.length > 0) throw new Error(`${tool} has rows and no fields`)
  for (const row of rows)
    if (row.length !== fields.length)
      throw new Error(`a row of ${tool} has ${row.length} cells, not ${fields.length}`)
}

/** Writes a document. Throws for names and values that a header cannot hold, and for rows of another width. */
export const encode = (sections: ReadonlyArray<Section>): string =>
  sections
    .map((section) => {
      assertPlain(section)
      return [headerOf(section), ...section.rows.map(lineOf)].map((line) => `${line}\n`).join("")
    })
    .join("")

/**
 * Writes a document of at most so many bytes: the last section loses rows from its end, and a comment says how many are
 * left of how many. One row stays in any case.
 */
export const encodeWithin = (sections: ReadonlyArray<Section>, bytes: number): string => {
  const whole = encode(sections)
  const last = sections.at(-1)
  if (Buffer.byteLength(whole) <= bytes || last === undefined || last.rows.length < 2) return whole
  const remark = (count: number) => `# ${count} of ${last.rows.length} rows\n`
  const head = encode([...sections.slice(0, -1), { ...last, rows: [] }])
  let room = bytes - Buffer.byteLength(head) - Buffer.byteLength(remark(last.rows.length))
  const kept: Array<string> = []
  for (const row of last.rows) {
    const line = `${lineOf(row)}\n`
    room -= Buffer.byteLength(line)
    if (room < 0 && kept.length > 0) break
    kept.push(line)
  }
  return `${head}${kept.join("")}${kept.length < last.rows.length ? remark(kept.length) : ""}`
}

const cellsOf = (line: string): ReadonlyArray<string> => {
  const cells: Array<string> = []
  let cell = ""
  for (let at = 0; at < line.length; at++) {
    const sign = line[at] as string
    if (sign === "\t") {
      cells.push(cell)
      cell = ""
    } else if (sign === "\\" && at + 1 < line.length) {
      const next = line[++at] as string
      cell += next === "t" ? "\t" : next === "n" ? "\n" : next
    } else cell += sign
  }
  return [...cells, cell]
}

/** Reads a document. */
export const decode = (text: string): Either.Either<ReadonlyArray<Section>, Malformed> => {
  const lines = text.replaceAll("\r", "").split("\n")
  // What follows the last line feed is no line.
  if (lines.at(-1) === "") lines.pop()
  const sections: Array<Section & { readonly rows: Array<ReadonlyArray<string>> }> = []
  for (const [at, line] of lines.entries()) {
    const wrong = (problem: string) => Either.left({ line: at + 1, problem })
    if (line.startsWith("#")) continue
    const open = sections.at(-1)
    if (/^GCX\d/.test(line)) {
      const [word, ...parts] = line.split(" ").filter((part) => part !== "")
      if (word !== version) return wrong(`is of version ${word}, not ${version}`)
      const pairs = new Map<string, string>()
      for (const part of parts) {
        const sign = part.indexOf("=")
        if (sign < 1) return wrong(`has ${JSON.stringify(part)} in its header, which is no key=value`)
        const name = part.slice(0, sign)
        if (pairs.has(name)) return wrong(`says ${name} twice`)
        pairs.set(name, part.slice(sign + 1))
      }
      const [tool, fields] = [pairs.get("tool"), pairs.get("fields")]
      if (tool === undefined || fields === undefined) return wrong("is a header without tool or fields")
      pairs.delete("tool")
      pairs.delete("fields")
      sections.push({
        tool,
        fields: fields === "" ? [] : fields.split(","),
        metadata: Object.fromEntries(pairs),
        rows: []
      })
    } else if (open === undefined) return wrong("comes before any header")
    else {
      const cells = cellsOf(line)
      if (cells.length > open.fields.length) {
        if (line === "" && open.fields.length === 0) continue
        return wrong(`has ${cells.length} cells for ${open.fields.length} fields`)
      }
      open.rows.push(open.fields.map((_, column) => cells[column] ?? ""))
    }
  }
  return Either.right(sections)
}

const cellOf = (value: unknown): string =>
  value === undefined || value === null
    ? ""
    : typeof value === "string"
      ? value
      : typeof value === "object"
        ? JSON.stringify(value)
        : String(value)

const isRows = (value: unknown): value is ReadonlyArray<UnknownRecord> =>
  Array.isArray(value) && value.length > 0 && value.every(isRecord)

/** Whether an answer has rows to show. */
export const hasRows = (value: UnknownRecord): boolean => Object.values(value).some(isRows)

const isMetadata = (name: string, value: unknown): boolean =>
  isName(name) &&
  name !== "tool" &&
  name !== "fields" &&
  (typeof value === "number" || typeof value === "boolean" || (typeof value === "string" && isValue(value)))

/** The columns of rows: those of their layout, if they have one, and behind them what is in no layout. */
const columnsOf = (
  rows: ReadonlyArray<UnknownRecord>,
  layout: ReadonlyArray<string> = []
): ReadonlyArray<string> => [...new Set([...layout, ...rows.flatMap((row) => Object.keys(row))])]

/** How the lists of an answer are laid out. */
export interface Columns {
  readonly layout: Layout | undefined
  /** The members of rows that the caller asked for; undefined for all. */
  readonly fields: ReadonlyArray<string> | undefined
}

const laidOut = ({ fields, layout }: Columns, list: string): ReadonlyArray<string> | undefined => {
  const columns = layout?.lists[list]
  return fields === undefined ? columns : columns?.filter((column) => fields.includes(column))
}

/** Whether rows have columns, all with names that a header can hold. */
const isTable = (rows: ReadonlyArray<UnknownRecord>): boolean => {
  const columns = columnsOf(rows)
  return columns.length > 0 && columns.every(isName)
}

/**
 * An answer as sections. Lists of objects are sections of their own, the longest last, since that is where a budget cuts;
 * one alone bears the tool's name. Single values that fit there are metadata of the first section. All else stands in a
 * section of keys and values before them. A list has the columns of its layout, in their order, whatever rows there are;
 * a layout that has grown says its version.
 */
export const sectionsOf = (
  tool: string,
  value: UnknownRecord,
  columns: Columns = { layout: undefined, fields: undefined }
): ReadonlyArray<Section> => {
  const lists: Array<readonly [string, ReadonlyArray<UnknownRecord>]> = []
  const metadata: { [name: string]: string } = {}
  const rest: Array<ReadonlyArray<string>> = []
  for (const [name, inner] of Object.entries(value)) {
    if (isRows(inner) && isName(name) && isTable(inner)) lists.push([name, inner])
    else if (isMetadata(name, inner)) metadata[name] = String(inner)
    else if (inner !== undefined) rest.push([name, cellOf(inner)])
  }
  lists.sort(([, left], [, right]) => left.length - right.length)
  const sections: Array<Section> = lists.map(([name, rows]) => {
    const fields = columnsOf(rows, laidOut(columns, name))
    return {
      tool: lists.length === 1 ? tool : `${tool}.${name}`,
      fields,
      metadata: {
        ...(lists.length === 1 ? { list: name } : {}),
        ...(columns.layout === undefined || columns.layout.version === 1
          ? {}
          : { layout: String(columns.layout.version) })
      },
      rows: rows.map((row) => fields.map((field) => cellOf(row[field])))
    }
  })
  if (rest.length > 0 || sections.length === 0)
    sections.unshift({ tool: `${tool}.about`, fields: ["key", "value"], metadata: {}, rows: rest })
  const [first, ...others] = sections as [Section, ...Array<Section>]
  return [{ ...first, metadata: { ...metadata, ...first.metadata } }, ...others]
}
