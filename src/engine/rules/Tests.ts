/** The two ways regular expressions of rules are run. */
import { eachMatch, Matcher } from "../text/Matcher.ts"
import type { MakeTest } from "./Program.ts"

/** Matches of a line rule in a text, as offsets of UTF-16 units. */
export type FindLines = (source: string) => ReadonlyArray<{ readonly start: number; readonly end: number }>

const flagged = (pattern: string, flags: string): RegExp =>
  pattern.startsWith("(?i)") ? new RegExp(pattern.slice(4), `${flags}i`) : new RegExp(pattern, flags)

/** JavaScript's engine, for the catalogue, whose patterns are known. */
export const trustedTest: MakeTest = (pattern) => {
  const expression = flagged(pattern, "")
  return (text) => expression.test(text)
}
export const trustedLines = (pattern: string, ignoreCase: boolean): FindLines => {
  const expression = flagged(pattern, ignoreCase ? "gmi" : "gm")
  return (source) => {
    const out: Array<{ start: number; end: number }> = []
    expression.lastIndex = 0
    for (let found = expression.exec(source); found !== null; found = expression.exec(source)) {
      out.push({ start: found.index, end: found.index + found[0].length })
      if (found[0] === "") expression.lastIndex++
    }
    return out
  }
}

/** An engine that takes linear time whatever the pattern, for patterns that come with a repository. */
export const boundedTest: MakeTest = (pattern) => {
  const matcher = new Matcher(pattern, { regexp: true, multiline: true })
  return (text) => matcher.find(Buffer.from(text), 0)
}
export const boundedLines = (pattern: string): FindLines => {
  const matcher = new Matcher(pattern, { regexp: true })
  return (source) => {
    const bytes = Buffer.from(source)
    const ascii = bytes.length === source.length
    const units = (at: number) => (ascii ? at : bytes.toString("utf8", 0, at).length)
    const out: Array<{ start: number; end: number }> = []
    eachMatch(matcher, bytes, (start, end) => {
      out.push({ start: units(start), end: units(end) })
      const feed = bytes.indexOf(10, end)
      return feed < 0 ? -1 : feed
    })
    return out
  }
}
