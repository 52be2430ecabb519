/** What a symbol query asks for: its words, its filters, and what sort of query it is. */
import type { SymbolMatches, SymbolQuery } from "../../services/CodeGraph.ts"
import { stemOf, stopWords, words } from "./Words.ts"

export type QueryClass = SymbolMatches["query_class"]

export interface Clauses {
  readonly kinds: ReadonlyArray<string>
  readonly languages: ReadonlyArray<string>
  readonly paths: ReadonlyArray<string>
  readonly notKinds: ReadonlyArray<string>
  readonly notLanguages: ReadonlyArray<string>
  readonly notPaths: ReadonlyArray<string>
}

export interface ParsedQuery extends Clauses {
  /** The query without its clauses and quotes. */
  readonly text: string
  readonly queryClass: QueryClass
  /** Texts that must occur as they stand, case apart. */
  readonly phrases: ReadonlyArray<string>
  /** Stems of its words, stop words left out unless there is nothing else; distinct. */
  readonly stems: ReadonlyArray<string>
  /** For a symbol query: the parts of its qualified name, outermost first. */
  readonly parts: ReadonlyArray<string>
}

/** Most stems a query is ranked by; the rest of a pasted text would cost more than it tells. */
export const mostStems = 24

const clause = /(^|\s)(-?)(kind|lang|language|path):("[^"]*"|\S+)/gi
const quoted = /"([^"]+)"|`([^`]+)`/g
const identifier =
  /^[\p{L}_$@#~][\p{L}\p{N}_$!?]*(?:(?:\.|::|#|->|\/)[\p{L}_$~][\p{L}\p{N}_$!?]*)*(?:\(\))?$/u
const pathLike =
  /^[\w@.+()[\]-]*(?:\/[\w@.+()[\]-]*)+$|^[\w-]+\.(?:[cm]?[jt]sx?|py|go|rs|java|cs|php|rb|swift|lua|c|h|cc|cpp|hpp|md|json|ya?ml|toml|sh|css|html|sql|proto)$/
const signatureLike =
  /\w\([^)]*\w[^)]*\)|^\s*\([^)]*\w[^)]*\)|\)\s*(?:->|=>|:)|^\s*(?:func|fn|def|function)\s|->\s*\w/

export const parseQuery = (query: SymbolQuery): ParsedQuery => {
  const found = { kind: [] as Array<string>, lang: [] as Array<string>, path: [] as Array<string> }
  const refused = { kind: [] as Array<string>, lang: [] as Array<string>, path: [] as Array<string> }
  let text = query.text.replace(clause, (_, space: string, minus: string, field: string, raw: string) => {
    const key =
      field.toLowerCase() === "language" ? "lang" : (field.toLowerCase() as "kind" | "lang" | "path")
    const value = raw.startsWith('"') ? raw.slice(1, -1) : raw
    const into = minus === "-" ? refused[key] : found[key]
    for (const part of value.split(",")) if (part !== "") into.push(part)
    return space
  })
  const phrases: Array<string> = []
  text = text
    .replace(quoted, (_, a: string | undefined, b: string | undefined) => {
      // Code in back quotes is a name; a phrase in double quotes has to be there as it stands.
      if (a !== undefined) phrases.push(a.toLowerCase())
      return ` ${a ?? b ?? ""} `
    })
    .trim()
    .replace(/\s+/g, " ")
  const all = [...new Set(words(text).filter((w) => w.length > 1 || /\d/.test(w)))]
  const telling = all.filter((w) => !stopWords.has(w))
  const stems = [
    ...new Set((telling.length > 0 ? telling : all.length > 0 ? all : words(text)).map(stemOf))
  ].slice(0, mostStems)
  return {
    text,
    queryClass: classify(text),
    phrases,
    stems,
    parts: text
      .replace(/\(\)$/, "")
      .split(/\.|::|#|->|\//)
      .filter((p) => p !== ""),
    kinds: found.kind,
    languages: found.lang,
    paths: found.path,
    notKinds: refused.kind,
    notLanguages: refused.lang,
    notPaths: refused.path
  }
}

const classify = (text: string): QueryClass => {
  const pieces = text.split(" ").filter((p) => p !== "")
  if (pieces.length <= 1) {
    if (pathLike.test(text)) return "path"
    return signatureLike.test(text) && !identifier.test(text) ? "signature" : "symbol"
  }
  if (signatureLike.test(text)) return "signature"
  const plain = pieces.filter((p) => /^[\p{L}'’,.?!:;-]+$/u.test(p) && !/\p{Ll}\p{Lu}|_/u.test(p))
  if (pieces.some((p) => stopWords.has(p.toLowerCase()))) return "concept"
  return plain.length === pieces.length && pieces.length <= 6 ? "concept" : "keyword_soup"
}
