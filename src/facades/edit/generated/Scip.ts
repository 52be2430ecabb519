/** The graph as a SCIP index: documents with their occurrences, symbols and relationships. */
import type { GraphView, SymbolInfo, SymbolRef } from "../../../services/CodeGraph.ts"
import { Message } from "./Wire.ts"

/** Field numbers of scip.proto. */
const index = { metadata: 1, documents: 2 } as const
const metadata = { tool: 2, encoding: 4 } as const
const document = { path: 1, occurrences: 2, symbols: 3, language: 4, text: 5, positions: 6 } as const
const occurrence = { range: 1, symbol: 2, roles: 3, enclosing: 7 } as const
const information = {
  symbol: 1,
  documentation: 3,
  relationships: 4,
  kind: 5,
  name: 6,
  signature: 7,
  enclosing: 8
} as const
const relationship = { symbol: 1, reference: 2, implementation: 3 } as const

const utf8 = 1
const utf16FromLineStart = 2
const role = { definition: 1, import: 2, write: 4, read: 8, generated: 16, test: 32, forward: 64 } as const

/** SymbolInformation.Kind by ours. What has no counterpart there is unspecified. */
const kinds: { readonly [kind: string]: number } = {
  function: 17,
  method: 26,
  constructor: 9,
  class: 7,
  interface: 21,
  struct: 49,
  enum: 11,
  enum_member: 12,
  trait: 53,
  type_alias: 55,
  variable: 61,
  constant: 8,
  field: 15,
  property: 41,
  namespace: 30,
  module: 29,
  macro: 25,
  object: 33,
  union: 59,
  event: 13,
  operator: 34,
  key: 22,
  message: 28,
  test: 17
}

const languages: { readonly [language: string]: string } = {
  typescript: "TypeScript",
  tsx: "TypeScriptReact",
  javascript: "JavaScript",
  jsx: "JavaScriptReact",
  python: "Python",
  go: "Go",
  rust: "Rust",
  java: "Java",
  kotlin: "Kotlin",
  scala: "Scala",
  ruby: "Ruby",
  php: "PHP",
  c: "C",
  cpp: "CPP",
  csharp: "CSharp",
  swift: "Swift",
  lua: "Lua",
  bash: "ShellScript",
  css: "CSS",
  html: "HTML",
  json: "JSON",
  yaml: "YAML",
  toml: "TOML",
  markdown: "Markdown",
  sql: "SQL",
  vue: "Vue",
  svelte: "Svelte",
  graphql: "GraphQL",
  protobuf: "Protobuf"
}

const types: ReadonlySet<string> = new Set([
  "class",
  "interface",
  "struct",
  "enum",
  "trait",
  "type_alias",
  "union",
  "object",
  "annotation",
  "extension",
  "message",
  "service"
])
const methods: ReadonlySet<string> = new Set([
  "function",
  "method",
  "constructor",
  "operator",
  "procedure",
  "rpc",
  "test"
])
const spaces: ReadonlySet<string> = new Set(["namespace", "module"])

const identifier = (name: string): string =>
  /^[\w+$-]+$/.test(name) && name !== "" ? name : `\`${name.replaceAll("`", "``")}\``

/** Number behind the id of a further definition of the same name; 0 for the first. */
const repeatOf = ({ id }: SymbolInfo): number => Number(/~(\d+)$/.exec(id)?.[1] ?? 1) - 1

const descriptor = (symbol: SymbolInfo): string => {
  const repeat = repeatOf(symbol)
  if (methods.has(symbol.kind)) return `${identifier(symbol.name)}(${repeat === 0 ? "" : `+${repeat}`}).`
  const name = identifier(repeat === 0 ? symbol.name : `${symbol.name}~${repeat + 1}`)
  if (types.has(symbol.kind)) return `${name}#`
  if (spaces.has(symbol.kind)) return `${name}/`
  return symbol.kind === "macro" ? `${name}!` : `${name}.`
}

/** Descriptors of the type a member declared away from it belongs to; "" for what belongs to its file. */
const ownerOf = ({ name, qualified }: SymbolInfo): string =>
  qualified.endsWith(`.${name}`)
    ? qualified
        .slice(0, -name.length - 1)
        .split(".")
        .map((part) => `${identifier(part)}#`)
        .join("")
    : ""

/** SCIP's names of definitions. Those inside function bodies are local to their document. */
export const symbolNames = (view: GraphView): ((ref: SymbolRef) => string) => {
  const known = new Map<SymbolRef, string>()
  const locals = new Map<string, number>()
  const nameOf = (ref: SymbolRef): string => {
    const before = known.get(ref)
    if (before !== undefined) return before
    const symbol = view.symbol(ref)
    const parent = view.isFile(ref) ? undefined : view.parent(ref)
    const outer = parent === undefined || view.isFile(parent) ? undefined : nameOf(parent)
    let name: string
    if (view.isFile(ref))
      name = `portico . . . ${symbol.path
        .split("/")
        .map((part) => `${identifier(part)}/`)
        .join("")}`
    else if (symbol.flags.includes("local") || outer?.startsWith("local ") === true) {
      const number = locals.get(symbol.path) ?? 0
      locals.set(symbol.path, number + 1)
      name = `local ${number}`
    } else name = `${outer ?? `${nameOf(view.fileRef(symbol.path)!)}${ownerOf(symbol)}`}${descriptor(symbol)}`
    known.set(ref, name)
    return name
  }
  // Locals are numbered in the order of their file, whatever is asked first.
  for (const { path } of view.files()) for (const ref of view.definitions(path)) nameOf(ref)
  return nameOf
}

export interface ScipIndex {
  readonly bytes: Uint8Array
  readonly documents: number
  readonly occurrences: number
  readonly symbols: number
  /** Uses whose name does not stand at their place in the text. */
  readonly skipped: number
}

interface Place {
  readonly range: ReadonlyArray<number>
  readonly symbol: string
  readonly roles: number
  readonly enclosing: ReadonlyArray<number>
}

const span = (
  startLine: number,
  startColumn: number,
  endLine: number,
  endColumn: number
): ReadonlyArray<number> =>
  startLine === endLine
    ? [startLine - 1, startColumn, endColumn]
    : [startLine - 1, startColumn, endLine - 1, endColumn]

/**
 * The index of some documents. `lines` gives a document's text, which every place is held against; without one the places
 * are taken as the graph has them. The root is not named: where the workspace lies is not part of it.
 */
export const scipIndex = (
  view: GraphView,
  paths: ReadonlyArray<string>,
  keeps: (symbol: SymbolInfo) => boolean,
  lines: (path: string) => ReadonlyArray<string> | undefined
): ScipIndex => {
  const nameOf = symbolNames(view)
  const out = new Message()
  out.message(
    index.metadata,
    new Message().message(metadata.tool, new Message().text(1, "portico")).number(metadata.encoding, utf8)
  )
  let [documents, occurrences, symbols, skipped] = [0, 0, 0, 0]
  for (const path of paths) {
    const file = view.file(path)
    const ref = view.fileRef(path)
    if (file === undefined || ref === undefined) continue
    const text = lines(path)
    const stands = (line: number, column: number, name: string): boolean =>
      text === undefined || text[line - 1]?.startsWith(name, column) === true
    const always = (file.test ? role.test : 0) | (file.generated ? role.generated : 0)
    const language = languages[file.language ?? ""] ?? file.language ?? ""
    const places: Array<Place> = []
    const about: Array<Message> = []
    for (const definition of view.definitions(path)) {
      const symbol = view.symbol(definition)
      if (!keeps(symbol)) continue
      const name = nameOf(definition)
      const whole = span(symbol.start_line, symbol.start_column, symbol.end_line, symbol.end_column)
      places.push({
        // What is named by no word of the text stands for its first line.
        range: stands(symbol.line, symbol.column, symbol.name)
          ? [symbol.line - 1, symbol.column, symbol.column + symbol.name.length]
          : symbol.start_line === symbol.end_line
            ? whole
            : [
                symbol.start_line - 1,
                symbol.start_column,
                text?.[symbol.start_line - 1]?.length ?? symbol.start_column
              ],
        symbol: name,
        roles: role.definition | (symbol.flags.includes("declaration") ? role.forward : 0) | always,
        enclosing: whole
      })
      const row = new Message().text(information.symbol, name)
      if (symbol.doc !== "") row.item(information.documentation, symbol.doc)
      const supers = new Map(view.above(definition).map((each) => [nameOf(each.ref), each]))
      for (const [above] of [...supers].sort(([a], [b]) => (a < b ? -1 : 1)))
        row.message(
          information.relationships,
          new Message().text(relationship.symbol, above).flag(relationship.implementation, true)
        )
      row.number(information.kind, kinds[symbol.kind] ?? 0).text(information.name, symbol.name)
      if (symbol.signature !== "")
        row.message(
          information.signature,
          new Message().text(document.language, language).text(document.text, symbol.signature)
        )
      const parent = view.parent(definition)
      if (name.startsWith("local ") && parent !== undefined) row.text(information.enclosing, nameOf(parent))
      about.push(row)
    }
    for (const edge of view.outgoing(ref)) {
      if (!view.isFile(edge.to) && !keeps(view.symbol(edge.to))) continue
      // A file used as a module is written as its path, not its name.
      if (
        view.isFile(edge.to)
          ? text?.[edge.line - 1] === undefined
          : !stands(edge.line, edge.column, edge.name)
      ) {
        skipped++
        continue
      }
      const kind =
        edge.role === "import" || edge.role === "export"
          ? role.import
          : edge.role === "write"
            ? role.write
            : edge.role === "read" || edge.role === "call"
              ? role.read
              : 0
      places.push({
        range: [edge.line - 1, edge.column, edge.column + edge.name.length],
        symbol: nameOf(edge.to),
        roles: kind | always,
        enclosing: []
      })
    }
    if (places.length === 0 && file.skipped !== undefined) continue
    const order = (a: Place, b: Place): number =>
      a.range[0]! - b.range[0]! ||
      a.range[1]! - b.range[1]! ||
      (a.symbol < b.symbol ? -1 : a.symbol > b.symbol ? 1 : b.roles - a.roles)
    const row = new Message().text(document.path, path)
    for (const place of places.sort(order))
      row.message(
        document.occurrences,
        new Message()
          .packed(occurrence.range, place.range)
          .text(occurrence.symbol, place.symbol)
          .number(occurrence.roles, place.roles)
          .packed(occurrence.enclosing, place.enclosing)
      )
    for (const each of about) row.message(document.symbols, each)
    row.text(document.language, language).number(document.positions, utf16FromLineStart)
    out.message(index.documents, row)
    documents++
    occurrences += places.length
    symbols += about.length
  }
  return { bytes: out.finish(), documents, occurrences, symbols, skipped }
}
