/**
 * TOML, of which only a table of our own is written: its header begins a line, and it is put behind everything else. That
 * a line is what it looks like, and not part of a text or a list, is told by whether everything before it is TOML by itself.
 */
import { parse } from "toml"
import { at, byHand, type Format, lineEnd, type Path, Unreadable } from "./Format.ts"

/** Characters of a text, and dots in a line, up to which the parser is quick: it takes long over keys of many parts. */
const mostCharacters = 1 << 20
const mostDots = 1000

const read = (text: string): unknown => {
  if (text.length > mostCharacters) throw new Unreadable("it is larger than 1 MiB")
  const dotted = text.split("\n").findIndex((line) => line.split(".").length > mostDots)
  if (dotted !== -1) throw new Unreadable(`a line has more than ${mostDots} dots`, dotted + 1)
  try {
    return parse(text)
  } catch (cause) {
    const { line, location } = cause as {
      readonly line?: number
      readonly location?: { readonly start: { readonly line: number } }
    }
    throw new Unreadable("this is no TOML", location?.start.line ?? line)
  }
}

const isWhole = (text: string): boolean => {
  try {
    parse(text)
    return true
  } catch {
    return false
  }
}

/** The names in a line that looks like the header of a table; undefined for other lines. An array of tables has none of ours. */
const namesOf = (line: string): ReadonlyArray<string> | undefined => {
  if (!/^[ \t]*\[/.test(line)) return undefined
  if (/^[ \t]*\[[ \t]*\[/.test(line)) return []
  let value: unknown
  try {
    value = parse(line)
  } catch {
    return undefined
  }
  const names: Array<string> = []
  for (let inner = value; typeof inner === "object" && inner !== null; ) {
    const [name] = Object.keys(inner)
    if (name === undefined) return names
    names.push(name)
    inner = (inner as { readonly [name: string]: unknown })[name]
  }
  return undefined
}

interface Line {
  readonly from: number
  /** Behind what ends it. */
  readonly to: number
  readonly text: string
}

const linesOf = (text: string, from = 0, to = text.length): ReadonlyArray<Line> => {
  const lines: Array<Line> = []
  for (let start = from; start < to; ) {
    const found = text.indexOf("\n", start)
    const end = found === -1 || found >= to ? to : found + 1
    lines.push({ from: start, to: end, text: text.slice(start, end).replace(/\r?\n$/, "") })
    start = end
  }
  return lines
}

/** A table in a text: its header and what follows up to the next header. */
interface Table {
  readonly header: Line
  readonly to: number
  readonly names: ReadonlyArray<string>
}

/** The first table whose name begins with a path. */
const tableOf = (text: string, path: Path): Table | undefined => {
  const lines = linesOf(text)
  const isHeader = ({ from }: Line): boolean => isWhole(text.slice(0, from))
  for (const [number, header] of lines.entries()) {
    const names = namesOf(header.text)
    if (names === undefined || !path.every((name, place) => names[place] === name) || !isHeader(header))
      continue
    const next = lines.slice(number + 1).find((line) => namesOf(line.text) !== undefined && isHeader(line))
    return { header, to: next?.from ?? text.length, names }
  }
  return undefined
}

/** Strings and lists of them, which is all that is written here. */
const written = (value: unknown): string =>
  Array.isArray(value) ? `[${value.map(written).join(", ")}]` : JSON.stringify(value)

const append = (text: string, path: Path, value: object): string => {
  const end = lineEnd(text)
  const lines = [
    `[${path.join(".")}]`,
    ...Object.entries(value).map(([key, one]) => `${key} = ${written(one)}`)
  ]
  const table = lines.join(end)
  if (text.trim() === "") return `${text}${table}${end}`
  return text.endsWith("\n") ? `${text}${end}${table}${end}` : `${text}${end}${end}${table}`
}

/** One key of our table. */
const assign = (text: string, { header, to }: Table, key: string, value: unknown): string => {
  const end = lineEnd(text)
  const lines = linesOf(text, header.to, to)
  const first = lines.findIndex(
    ({ from, text: line }) =>
      [key, `"${key}"`, `'${key}'`].some(
        (name) => line.trim().startsWith(name) && /^\s*=/.test(line.trim().slice(name.length))
      ) && isWhole(text.slice(0, from))
  )
  const line = `${key} = ${written(value)}`
  if (first === -1) {
    const before = text.slice(0, header.to)
    return `${before}${before.endsWith("\n") ? "" : end}${line}${end}${text.slice(header.to)}`
  }
  const last = lines.slice(first).find(({ to: until }) => isWhole(text.slice(0, until))) ?? lines.at(-1)!
  const indent = /^[ \t]*/.exec(lines[first]!.text)![0]
  const ending = /\r?\n?$/.exec(text.slice(0, last.to))![0]
  return `${text.slice(0, lines[first]!.from)}${indent}${line}${ending}${text.slice(last.to)}`
}

const put = (text: string, path: Path, value: unknown): string => {
  read(text)
  const key = path.at(-1)
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    if (at(read(text), path) === undefined) return append(text, path, value)
  } else if (typeof key === "string") {
    const table = path.slice(0, -1)
    const found = tableOf(text, table)
    if (found?.names.length === table.length) return assign(text, found, key, value)
  }
  throw byHand(path)
}

const drop = (text: string, path: Path): string => {
  read(text)
  for (let rest = text; ; ) {
    const table = tableOf(rest, path)
    if (table === undefined) return rest
    // Comments and blank lines before the next header belong to that.
    const last = linesOf(rest, table.header.from, table.to).findLast(
      ({ text: line }) => !/^\s*(?:#|$)/.test(line)
    )!
    const before = rest.slice(0, table.header.from)
    const after = rest.slice(last.to)
    // The blank line that was put before it goes as well, and where the file ends in our line, the end of the one before.
    const blank = before.replace(/(^|\n)\r?\n$/, "$1")
    rest = `${after === "" && !rest.endsWith("\n") ? blank.replace(/\r?\n$/, "") : blank}${after}`
  }
}

export const toml: Format = { name: "TOML", read, put, drop, isEmpty: (text) => text.trim() === "" }
