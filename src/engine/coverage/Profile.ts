/** Profiles of coverage, brought to one form. Which of the formats a text is shows in its first lines. */
import type { CoverageFormat, CoveredFile } from "../../services/CoverageReader.ts"
import { attributesOf, tagsOf } from "./Tags.ts"

/** Why a text is no profile, or not a whole one. */
export class Unread {
  readonly reason: "unknown_format" | "malformed"
  readonly detail: string
  constructor(reason: Unread["reason"], detail: string) {
    this.reason = reason
    this.detail = detail
  }
}

/** What was counted in each file, with what is said twice kept once: the times run are the most that were said. */
class Files {
  readonly #files = new Map<
    string,
    Map<string, { readonly at: readonly [number, number, number]; hits: number }>
  >()

  add(path: string, first: number, last: number, statements: number, hits: number): void {
    let file = this.#files.get(path)
    if (file === undefined) this.#files.set(path, (file = new Map()))
    const key = `${first}:${last}:${statements}`
    const known = file.get(key)
    if (known === undefined) file.set(key, { at: [first, last, statements], hits })
    else known.hits = Math.max(known.hits, hits)
  }

  /** A file that was looked at, whatever was counted in it. */
  open(path: string): void {
    if (!this.#files.has(path)) this.#files.set(path, new Map())
  }

  all(): ReadonlyArray<CoveredFile> {
    return [...this.#files]
      .map(([path, file]) => ({
        path,
        blocks: [...file.values()]
          .sort((a, b) => a.at[0] - b.at[0] || a.at[1] - b.at[1])
          .flatMap(({ at, hits }) => [...at, hits])
      }))
      .sort((a, b) => (a.path < b.path ? -1 : 1))
  }
}

type Parsed = ReadonlyArray<CoveredFile> | Unread

const malformed = (format: CoverageFormat, detail: string): Unread =>
  new Unread("malformed", `as a ${format} profile: ${detail}`)

const lcov = (text: string): Parsed => {
  const files = new Files()
  let path: string | undefined
  let line = 0
  for (const raw of text.split("\n")) {
    line++
    const record = raw.trim()
    if (record.startsWith("SF:")) {
      path = record.slice(3)
      files.open(path)
    } else if (record === "end_of_record") path = undefined
    else if (record.startsWith("DA:")) {
      const found = /^DA:(\d+),(-?\d+|=====|#####)/.exec(record)
      if (found === null || path === undefined)
        return malformed("lcov", `line ${line} is ${record.slice(0, 60)}`)
      const at = Number(found[1])
      if (at > 0) files.add(path, at, at, 1, Math.max(0, Number(found[2]) || 0))
    }
  }
  return path === undefined ? files.all() : malformed("lcov", "it ends in the middle of a record")
}

const go = (text: string): Parsed => {
  const files = new Files()
  let line = 0
  for (const raw of text.split("\n")) {
    line++
    const record = raw.trim()
    if (record === "" || record.startsWith("mode:")) continue
    const found = /^(.+):(\d+)\.\d+,(\d+)\.\d+ (\d+) (\d+)$/.exec(record)
    if (found === null) return malformed("go", `line ${line} is ${record.slice(0, 60)}`)
    files.add(found[1]!, Number(found[2]), Number(found[3]), Number(found[4]), Number(found[5]))
  }
  return files.all()
}

const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const lineOf = (value: unknown): number | undefined =>
  isObject(value) && typeof value["line"] === "number" && value["line"] > 0 ? value["line"] : undefined

const istanbul = (value: { readonly [key: string]: unknown }): Parsed => {
  const files = new Files()
  for (const [key, file] of Object.entries(value)) {
    const data = isObject(file) && isObject(file["data"]) ? file["data"] : file
    if (!isObject(data) || !isObject(data["statementMap"]) || !isObject(data["s"]))
      return malformed("istanbul", `${key.slice(0, 100)} has no statements`)
    const path = typeof data["path"] === "string" ? data["path"] : key
    files.open(path)
    for (const [id, place] of Object.entries(data["statementMap"])) {
      const first = isObject(place) ? lineOf(place["start"]) : undefined
      const hits = data["s"][id]
      if (first === undefined || typeof hits !== "number")
        return malformed("istanbul", `${path}: statement ${id}`)
      // A statement's own line is the one it begins on: others belong to the statements inside it.
      files.add(path, first, first, 1, hits)
    }
  }
  return files.all()
}

const coveragePy = (value: { readonly [key: string]: unknown }): Parsed => {
  const files = new Files()
  for (const [path, file] of Object.entries(value["files"] as object)) {
    if (!isObject(file)) return malformed("coverage.py", path)
    files.open(path)
    for (const [name, hits] of [
      ["executed_lines", 1],
      ["missing_lines", 0]
    ] as const) {
      const lines = file[name]
      if (!Array.isArray(lines)) return malformed("coverage.py", `${path} has no ${name}`)
      for (const line of lines) if (typeof line === "number" && line > 0) files.add(path, line, line, 1, hits)
    }
  }
  return files.all()
}

const cobertura = (text: string): Parsed => {
  const files = new Files()
  let path: string | undefined
  let whole = false
  for (const { attributes, closes, name } of tagsOf(text)) {
    if (name === "class" && !closes) {
      path = attributesOf(attributes).get("filename")
      if (path === undefined) return malformed("cobertura", "a class without a file name")
      files.open(path)
    } else if (name === "coverage" && closes) whole = true
    else if (name === "line" && !closes && path !== undefined) {
      const of = attributesOf(attributes)
      const number = Number(of.get("number"))
      const hits = Number(of.get("hits"))
      if (!Number.isInteger(number) || Number.isNaN(hits)) return malformed("cobertura", `a line of ${path}`)
      if (number > 0) files.add(path, number, number, 1, hits)
    }
  }
  return whole ? files.all() : malformed("cobertura", "it ends before its end")
}

const jacoco = (text: string): Parsed => {
  const files = new Files()
  let folder = ""
  let path: string | undefined
  let whole = false
  for (const { attributes, closes, name } of tagsOf(text)) {
    if (name === "report" && closes) whole = true
    else if (name === "package" && !closes) folder = attributesOf(attributes).get("name") ?? ""
    else if (name === "sourcefile" && !closes) {
      const file = attributesOf(attributes).get("name")
      if (file === undefined) return malformed("jacoco", "a source file without a name")
      path = folder === "" ? file : `${folder}/${file}`
      files.open(path)
    } else if (name === "sourcefile") path = undefined
    else if (name === "line" && !closes && path !== undefined) {
      const of = attributesOf(attributes)
      const number = Number(of.get("nr"))
      const hit = Number(of.get("ci"))
      if (!Number.isInteger(number) || Number.isNaN(hit)) return malformed("jacoco", `a line of ${path}`)
      if (number > 0) files.add(path, number, number, 1, hit > 0 ? 1 : 0)
    }
  }
  return whole ? files.all() : malformed("jacoco", "it ends before its end")
}

/** Reads a profile of any known form. */
export const parseProfile = (
  text: string
): { readonly format: CoverageFormat; readonly files: ReadonlyArray<CoveredFile> } | Unread => {
  const of = (format: CoverageFormat, parsed: Parsed) =>
    parsed instanceof Unread ? parsed : { format, files: parsed }
  const bare = text.replace(/^\uFEFF/, "").trimStart()
  if (/^mode: (?:set|count|atomic)\s*$/m.test(bare.slice(0, 40).split("\n", 1)[0]!)) return of("go", go(bare))
  if (bare.startsWith("<")) {
    const root = /<(coverage|report)\b([^>]*)>/.exec(bare.slice(0, 20_000))
    if (root?.[1] === "report") return of("jacoco", jacoco(bare))
    if (root !== null && /\bline-rate=|\bbranch-rate=|\blines-valid=/.test(root[2]!))
      return of("cobertura", cobertura(bare))
    return new Unread("unknown_format", "it is XML, and neither a cobertura nor a jacoco report")
  }
  if (bare.startsWith("{")) {
    let value: unknown
    try {
      value = JSON.parse(bare)
    } catch (cause) {
      return new Unread("malformed", `it begins like JSON: ${String((cause as Error).message).slice(0, 100)}`)
    }
    if (isObject(value)) {
      if (isObject(value["meta"]) && isObject(value["files"])) return of("coverage.py", coveragePy(value))
      const first = Object.values(value)[0]
      const data = isObject(first) && isObject(first["data"]) ? first["data"] : first
      if (isObject(data) && isObject(data["statementMap"])) return of("istanbul", istanbul(value))
    }
    return new Unread("unknown_format", "it is JSON, and neither of istanbul nor of coverage.py")
  }
  if (/^(?:TN:|SF:)/m.test(bare.slice(0, 20_000))) return of("lcov", lcov(bare))
  return new Unread("unknown_format", "its first lines are those of no known form")
}
