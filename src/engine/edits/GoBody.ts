/**
 * The statements of a function of Go that a change is in, or the clauses of a switch that is a statement of it. A list of
 * either is a sequence: in a text without errors a line at which one begins says nothing of those before or after.
 */
import { endsStatement, keywords } from "../languages/go/Token.ts"
import type { Stretch } from "./Stretch.ts"

const isWord = (byte: number): boolean =>
  (byte >= 97 && byte <= 122) ||
  (byte >= 65 && byte <= 90) ||
  (byte >= 48 && byte <= 57) ||
  byte === 95 ||
  byte >= 128

/** Words behind which a line may end without ending a statement. */
const goesOn = new Set(keywords.flatMap(([word, token]) => (endsStatement[token] === 1 ? [] : [word])))

/** What stands for those behind begins with a word that nothing unfinished goes on with. */
const statements = { head: "package p\nfunc f() {\nf()\n", tail: "for {\n}\n}\n" }
const clauses = {
  expression: { head: "package p\nfunc f() {\nswitch x {\ncase 1:\n", tail: "case 2:\n}\n}\n" },
  type: { head: "package p\nfunc f() {\nswitch x.(type) {\ncase t:\n", tail: "case u:\n}\n}\n" },
  select: { head: "package p\nfunc f() {\nselect {\ncase <-c:\n", tail: "case <-d:\n}\n}\n" }
}
type Clauses = keyof typeof clauses

/**
 * `bytes` begin with a function and have no errors; the change is from one place to another in them. Null when it is not
 * in the body, or what this reads is not what it knows.
 */
export const bodyAround = (bytes: Buffer, from: number, to: number): Stretch | null => {
  let depth = 0
  let inBody = false
  /** Where the statement and the clause begin that the change is in, as far as they are known; -1 for none. */
  let statement = -1
  let clause = -1
  /** What the statement is, and where it begins, while its first line is read. */
  let header: { readonly word: string; readonly start: number; isPlain: boolean } | undefined
  /** The clauses that are read, at two brackets. */
  let kind: Clauses | undefined
  let line = 0
  let isFirst = true
  /** Whether what was read last ends a statement where the line ends. */
  let ends = false
  let last = ""
  const stretch = (list: { readonly head: string; readonly tail: string }, start: number): Stretch => ({
    ...list,
    start,
    end: line,
    last: list.head.indexOf("func")
  })
  /** Something that begins a line and ends at a place; what the change is in, if that is known now. */
  const begin = (word: string, at: number, isEnd: boolean): Stretch | undefined => {
    // What may begin with another word now is looked at with what is before.
    const isStart = at < from && !isEnd
    if (kind !== undefined && depth === 2 && (word === "case" || word === "default" || isEnd)) {
      if (line > to) return clause < 0 ? undefined : stretch(clauses[kind], clause)
      if (isStart || isEnd) clause = isStart ? line : -1
      return undefined
    }
    if (!inBody || depth !== 1 || !(ends || isEnd)) return undefined
    if (line > to) return statement < 0 ? undefined : stretch(statements, statement)
    if (isStart) statement = line
    clause = -1
    kind = undefined
    header = word === "switch" || word === "select" ? { word, start: line, isPlain: true } : undefined
    return undefined
  }
  const endLine = (at: number): void => {
    if (header !== undefined) {
      if (header.isPlain && last === "{" && depth === 2) {
        const text = bytes.toString("latin1", header.start, at)
        if (header.word === "select") kind = "select"
        else if (text.endsWith(".(type) {")) kind = "type"
        else if (!/\btype\b/.test(text)) kind = "expression"
        clause = -1
      }
      header = undefined
    }
    line = at + 1
    isFirst = true
  }
  const { length } = bytes
  for (let at = 0; at < length; ) {
    const byte = bytes[at]!
    if (byte === 10) {
      endLine(at++)
      continue
    }
    if (byte === 32 || byte === 9 || byte === 13) {
      at++
      continue
    }
    if (byte === 47 && bytes[at + 1] === 47) {
      at = bytes.indexOf(10, at)
      if (at < 0) return null
      continue
    }
    if (byte === 47 && bytes[at + 1] === 42) {
      const end = bytes.indexOf("*/", at + 2)
      if (end < 0) return null
      // What begins behind a comment of several lines begins no line of its own.
      if (bytes.subarray(at, end).includes(10)) {
        endLine(bytes.lastIndexOf(10, end))
        isFirst = false
      }
      at = end + 2
      continue
    }
    if (isWord(byte)) {
      const start = at
      while (at < length && isWord(bytes[at]!)) at++
      const word = bytes.toString("latin1", start, at)
      if (isFirst) {
        const found = begin(word, at, false)
        if (found !== undefined) return found
        isFirst = false
      }
      if (header !== undefined && (word === "func" || word === "struct" || word === "interface"))
        header.isPlain = false
      ends = !goesOn.has(word)
      last = word
      continue
    }
    const isClose = byte === 41 || byte === 93 || byte === 125
    if (isFirst) {
      const found = begin("", at + 1, isClose)
      if (found !== undefined) return found
      isFirst = false
    }
    if (byte === 34 || byte === 39 || byte === 96) {
      let end = at + 1
      for (; end < length && bytes[end] !== byte; end++) if (byte !== 96 && bytes[end] === 92) end++
      if (end >= length) return null
      at = end + 1
      ends = true
      last = ""
      continue
    }
    at++
    if (isClose) {
      depth--
      if (depth === 0 && inBody) return null
      if (depth === 1) kind = undefined
      ends = true
    } else if (byte === 40 || byte === 91 || byte === 123) {
      if (byte === 123 && depth === 0) {
        if (last === "struct" || last === "interface") return null
        inBody = true
        ends = true
      } else ends = false
      depth++
    } else if ((byte === 43 || byte === 45) && bytes[at] === byte) {
      at++
      ends = true
    } else ends = byte === 59
    last = byte === 123 ? "{" : ""
  }
  return null
}
