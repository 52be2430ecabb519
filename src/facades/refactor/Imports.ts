/** Import statements of TypeScript, JavaScript, Python and Go as text: read, narrowed, widened. */
import { partsOf, whereIs } from "./Lexical.ts"
import { isEcmascript, occurrences } from "./Names.ts"
import type { Replacement } from "./SourceText.ts"

/** `imported` is "default", "*" for a module as a whole, or a name. */
export interface ImportEntry {
  readonly imported: string
  readonly local: string
  readonly type: boolean
}

export interface ImportStatement {
  /** The statement without its line break. */
  readonly from: number
  readonly to: number
  readonly module: string
  readonly entries: ReadonlyArray<ImportEntry>
  readonly kind: "import" | "export"
  /** The whole statement is of types only. */
  readonly type: boolean
  /** Undefined when the statement cannot be said again, such as one with comments inside. */
  readonly render: ((entries: ReadonlyArray<ImportEntry>) => string) | undefined
}

export type ImportLanguage = "ecmascript" | "python" | "go"

export const importLanguage = (language: string): ImportLanguage | undefined =>
  language === "vue" || language === "svelte"
    ? undefined
    : isEcmascript(language)
      ? "ecmascript"
      : language === "python" || language === "go"
        ? language
        : undefined

const list = (open: string, items: ReadonlyArray<string>, inner: string, close: string): string => {
  const indent = /\n([ \t]+)\S/.exec(inner)?.[1]
  if (indent === undefined) return `${open} ${items.join(", ")} ${close}`
  const trailing = /,\s*$/.test(inner) ? "," : ""
  return `${open}\n${items.map((item) => indent + item).join(",\n")}${trailing}\n${close}`
}

const ecmascriptEntry = (text: string): ImportEntry | undefined => {
  const match =
    /^(type\s+)?([\p{ID_Start}_$][\p{ID_Continue}$]*|default)(?:\s+as\s+([\p{ID_Start}_$][\p{ID_Continue}$]*|default))?$/u.exec(
      text.trim()
    )
  return match === null
    ? undefined
    : { imported: match[2]!, local: match[3] ?? match[2]!, type: match[1] !== undefined }
}
const named = ({ imported, local, type }: ImportEntry): string =>
  `${type ? "type " : ""}${imported}${local === imported ? "" : ` as ${local}`}`

const ecmascript = (text: string): ReadonlyArray<ImportStatement> => {
  const out: Array<ImportStatement> = []
  const statement =
    /^(import|export)\b[ \t]*(type\b(?!\s*(?:,|from))\s*)?(?:([\p{ID_Start}_$][\p{ID_Continue}$]*)\s*(,)?\s*)?(?:(\*(?:\s+as\s+([\p{ID_Start}_$][\p{ID_Continue}$]*))?)|\{([^}]*)\})?(?:\s*from)?\s*(?:(["'])([^"'\n]+)\8)?([^\S\n]*;)?/gmu
  for (const match of text.matchAll(statement)) {
    const [whole, word, type, first, , star, space, inner, quote, module, semicolon] = match
    const kind = word as "import" | "export"
    if (kind === "export" && (inner === undefined || first !== undefined)) {
      if (star === undefined || module === undefined) continue
    }
    if (kind === "import" && module === undefined) continue
    const parts = (inner ?? "")
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "")
    const read = parts.map(ecmascriptEntry)
    const entries: Array<ImportEntry> = []
    if (first !== undefined) entries.push({ imported: "default", local: first, type: false })
    if (star !== undefined) entries.push({ imported: "*", local: space ?? "", type: false })
    for (const entry of read) if (entry !== undefined) entries.push(entry)
    const braces = inner !== undefined
    const head = `${word} ${type === undefined ? "" : "type "}`
    const tail = `${module === undefined ? "" : ` from ${quote}${module}${quote}`}${semicolon ?? ""}`
    out.push({
      from: match.index,
      to: match.index + whole.length,
      module: module ?? "",
      entries,
      kind,
      type: type !== undefined,
      render:
        read.includes(undefined) || (!braces && first === undefined && star === undefined)
          ? undefined
          : (kept) => {
              const names = kept
                .filter(
                  ({ imported, local }) => !(imported === "*" || (imported === "default" && local === first))
                )
                .map(named)
              return `${head}${[
                ...kept
                  .filter(({ imported, local }) => imported === "default" && local === first)
                  .map(({ local }) => local),
                ...kept
                  .filter(({ imported }) => imported === "*")
                  .map(({ local }) => (local === "" ? "*" : `* as ${local}`)),
                ...(names.length > 0 ? [list("{", names, inner ?? "", "}")] : [])
              ].join(", ")}${tail}`
            }
    })
  }
  return out
}

const python = (text: string): ReadonlyArray<ImportStatement> => {
  const out: Array<ImportStatement> = []
  for (const match of text.matchAll(/^from[ \t]+([.\w]+)[ \t]+import[ \t]+(?:\(([^)]*)\)|([^\n#(\\;]+))/gm)) {
    const inner = (match[2] ?? match[3]!).replace(/\s+$/, "")
    const read = inner
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "")
      .map((part) => /^(\w+|\*)(?:\s+as\s+(\w+))?$/.exec(part))
    const whole = match[2] === undefined ? match[0].replace(/\s+$/, "") : match[0]
    out.push({
      from: match.index,
      to: match.index + whole.length,
      module: match[1]!,
      kind: "import",
      type: false,
      entries: read.flatMap((entry) =>
        entry === null ? [] : [{ imported: entry[1]!, local: entry[2] ?? entry[1]!, type: false }]
      ),
      render: read.includes(null)
        ? undefined
        : (kept) =>
            `from ${match[1]} import ${
              match[2] === undefined
                ? kept.map(named).join(", ")
                : list("(", kept.map(named), match[2], ")").replace(/^\( /, "(").replace(/ \)$/, ")")
            }`
    })
  }
  for (const match of text.matchAll(/^import[ \t]+([\w.]+)(?:[ \t]+as[ \t]+(\w+))?[ \t]*(?=$|#)/gm))
    out.push({
      from: match.index,
      to: match.index + match[0].trimEnd().length,
      module: match[1]!,
      kind: "import",
      type: false,
      entries: [{ imported: "*", local: match[2] ?? match[1]!.split(".")[0]!, type: false }],
      render: undefined
    })
  return out.sort((a, b) => a.from - b.from)
}

const goLocal = (module: string): string => {
  const parts = module.split("/")
  const last = parts.at(-1)!
  return (/^v\d+$/.test(last) ? parts.at(-2) : last)!.replace(/\.v\d+$/, "").replace(/^go-/, "")
}
const go = (text: string): ReadonlyArray<ImportStatement> => {
  const out: Array<ImportStatement> = []
  const add = (at: number, whole: string, alias: string | undefined, module: string) =>
    out.push({
      from: at,
      to: at + whole.length,
      module,
      kind: "import",
      type: false,
      entries: [{ imported: "*", local: alias ?? goLocal(module), type: false }],
      render: undefined
    })
  for (const match of text.matchAll(/^import[ \t]+(?:([\w.]+)[ \t]+)?"([^"\n]+)"/gm))
    add(match.index, match[0], match[1], match[2]!)
  for (const block of text.matchAll(/^import[ \t]*\(([^)]*)\)/gm)) {
    const start = block.index + block[0].indexOf("(") + 1
    for (const match of block[1]!.matchAll(/(?:([\w.]+)[ \t]+)?"([^"\n]+)"/g))
      add(start + match.index, match[0], match[1], match[2]!)
  }
  return out.sort((a, b) => a.from - b.from)
}

const readers = { ecmascript, python, go }

/** Import statements, and for ECMAScript export lists, that stand at the start of a line in code. */
export const importStatements = (language: ImportLanguage, text: string): ReadonlyArray<ImportStatement> => {
  const parts = partsOf(text, language === "ecmascript" ? "typescript" : language)
  return readers[language](text).filter(({ from }) =>
    language === "go" ? whereIs(parts, from) !== "comment" : whereIs(parts, from) === "code"
  )
}

const wholeLine = (text: string, from: number, to: number): Replacement => {
  let end = to
  while (text[end] === " " || text[end] === "\t") end++
  let start = from
  while (start > 0 && (text[start - 1] === " " || text[start - 1] === "\t")) start--
  if (start > 0 && text[start - 1] !== "\n") return { from, to, text: "" }
  if (text[end] === "\r") end++
  return text[end] === "\n" || end >= text.length
    ? { from: start, to: end + 1 > text.length ? end : end + 1, text: "" }
    : { from, to, text: "" }
}

/** A statement without some of its entries, as a whole line when none is left. Undefined when that cannot be said. */
export const without = (
  text: string,
  statement: ImportStatement,
  gone: (entry: ImportEntry) => boolean
): Replacement | undefined => {
  const kept = statement.entries.filter((entry) => !gone(entry))
  if (kept.length === statement.entries.length) return undefined
  if (kept.length === 0) return wholeLine(text, statement.from, statement.to)
  return statement.render === undefined
    ? undefined
    : { from: statement.from, to: statement.to, text: statement.render(kept) }
}

/** Whole-word uses of a name in code outside of import statements. */
export const usesInCode = (language: ImportLanguage, text: string, name: string): number => {
  const parts = partsOf(text, language === "ecmascript" ? "typescript" : language)
  const statements = importStatements(language, text).filter(
    ({ kind, module }) => kind === "import" || module !== ""
  )
  return occurrences(text, name).filter(
    (at) =>
      whereIs(parts, at) === "code" &&
      !/\.\s*$/.test(text.slice(Math.max(0, at - 20), at).replace(/\.\.\.\s*$/, "")) &&
      !statements.some(({ from, to }) => from <= at && at < to)
  ).length
}

/**
 * What to change so that nothing is imported that `after`, the text with the other changes made, does not use while
 * `before` did. Replacements are of the text `before`.
 */
export const unusedImports = (
  language: ImportLanguage,
  before: string,
  after: string
): ReadonlyArray<Replacement> =>
  importStatements(language, before).flatMap((statement) => {
    if (statement.kind !== "import") return []
    const change = without(
      before,
      statement,
      ({ local }) =>
        local !== "" &&
        local !== "_" &&
        local !== "." &&
        usesInCode(language, before, local) > 0 &&
        usesInCode(language, after, local) === 0
    )
    return change === undefined ? [] : [change]
  })

/** Where a new import goes, and what has to stand before and behind it. */
const placeForImport = (
  language: ImportLanguage,
  text: string
): { readonly at: number; readonly before: string; readonly after: string } => {
  const eol = text.includes("\r\n") ? "\r\n" : "\n"
  const statements = importStatements(language, text).filter(({ kind }) => kind === "import")
  const lineEnd = (at: number) => {
    const end = text.indexOf("\n", at)
    return end < 0 ? text.length : end + 1
  }
  const last = statements.at(-1)
  if (last !== undefined) {
    const at = lineEnd(last.to)
    return { at, before: text[at - 1] === "\n" || at === 0 ? "" : eol, after: eol }
  }
  if (language === "go") {
    const clause = /^package[ \t]+\w+[^\n]*\n?/m.exec(text)
    const at = clause === null ? 0 : clause.index + clause[0].length
    return { at, before: eol, after: eol }
  }
  const head =
    language === "python"
      ? /^(?:#![^\n]*\n)?(?:[ \t]*(?:#[^\n]*)?\r?\n)*(?:[rR]?("""|''')[\s\S]*?\1[^\n]*\n)?/.exec(text)
      : /^(?:#![^\n]*\n)?/.exec(text)
  const at = head?.[0].length ?? 0
  return {
    at,
    before: at > 0 && text[at - 1] !== "\n" ? eol : "",
    after: eol + (text.slice(at).startsWith("\n") || text.slice(at).trim() === "" ? "" : eol)
  }
}

export interface NewImport {
  readonly module: string
  readonly entry: ImportEntry
}

const sayImport = (
  language: ImportLanguage,
  text: string,
  module: string,
  entries: ReadonlyArray<ImportEntry>
): string => {
  if (language === "go")
    return entries
      .map(({ local }) => `import ${local === goLocal(module) ? "" : `${local} `}"${module}"`)
      .join("\n")
  if (language === "python") {
    const whole = entries.filter(({ imported }) => imported === "*")
    const parts = entries.filter(({ imported }) => imported !== "*")
    return [
      ...whole.map(({ local }) => `import ${module}${local === module.split(".")[0] ? "" : ` as ${local}`}`),
      ...(parts.length === 0 ? [] : [`from ${module} import ${parts.map(named).join(", ")}`])
    ].join("\n")
  }
  const known = /^import\b[^"'\n]*(["'])[^"'\n]+\1([ \t]*;)?/m.exec(text)
  const quote = known?.[1] ?? '"'
  const end = known === null ? "" : (known[2] ?? "")
  const from = ` from ${quote}${module}${quote}${end}`
  const star = entries.filter(({ imported }) => imported === "*")
  const [standard, ...others] = entries.filter(({ imported }) => imported === "default")
  const names = [...others, ...entries.filter(({ imported }) => imported !== "*" && imported !== "default")]
  const onlyTypes = standard === undefined && names.length > 0 && names.every(({ type }) => type)
  const clause = [
    ...(standard === undefined ? [] : [standard.local]),
    ...(names.length === 0
      ? []
      : [`{ ${names.map((entry) => named(onlyTypes ? { ...entry, type: false } : entry)).join(", ")} }`])
  ].join(", ")
  return [
    ...star.map(({ local, type }) => `import ${type ? "type " : ""}* as ${local}${from}`),
    ...(clause === "" ? [] : [`import ${onlyTypes ? "type " : ""}${clause}${from}`])
  ].join("\n")
}

/** Adds imports: to a statement of the module that is there, or as new statements behind the others. */
export const addImports = (
  language: ImportLanguage,
  text: string,
  wanted: ReadonlyArray<NewImport>
): ReadonlyArray<Replacement> => {
  const out: Array<Replacement> = []
  const lines: Array<string> = []
  const statements = importStatements(language, text).filter(({ kind }) => kind === "import")
  for (const module of new Set(wanted.map((one) => one.module))) {
    const entries = wanted.filter((one) => one.module === module).map(({ entry }) => entry)
    const missing = entries.filter(
      (entry) =>
        !statements.some(
          (statement) =>
            statement.module === module &&
            (!statement.type || entry.type) &&
            statement.entries.some(
              ({ imported, local }) => imported === entry.imported && local === entry.local
            )
        )
    )
    if (missing.length === 0) continue
    const host = statements.find(
      (statement) =>
        statement.module === module &&
        statement.render !== undefined &&
        (!statement.type || missing.every(({ type }) => type)) &&
        !statement.entries.some(({ imported }) => imported === "*")
    )
    if (host !== undefined && missing.every(({ imported }) => imported !== "*" && imported !== "default"))
      out.push({
        from: host.from,
        to: host.to,
        text: host.render!([
          ...host.entries,
          ...missing.map((entry) => (host.type ? { ...entry, type: false } : entry))
        ])
      })
    else lines.push(sayImport(language, text, module, missing))
  }
  if (lines.length > 0) {
    const { after, at, before } = placeForImport(language, text)
    // Within a block of Go the word that opens it is said already.
    const last = statements.at(-1)
    const inBlock =
      language === "go" && last !== undefined && !/^import\b/.test(text.slice(last.from, last.to))
    const said = inBlock ? lines.map((line) => line.replaceAll(/^import /gm, "\t")) : lines
    const eol = text.includes("\r\n") ? "\r\n" : "\n"
    out.push({ from: at, to: at, text: `${before}${said.join(eol).replaceAll(/\r?\n/g, eol)}${after}` })
  }
  return out
}
