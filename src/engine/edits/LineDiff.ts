/** Unified diffs of two texts. */
import { structuredPatch, type StructuredPatchHunk } from "diff"
import { lineStartOf } from "../text/Lines.ts"
import { newlinesIn, shared } from "./Common.ts"

/** Lines the search for a short script may add and remove before one replacement of everything is shown instead. */
const maxEditLength = 2_000

const quoted = (path: string): string =>
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u001f"\\]/.test(path) ? JSON.stringify(path) : path

const linesOf = (text: string, sign: "-" | "+"): ReadonlyArray<string> => {
  const lines = text.split("\n")
  const ended = lines.at(-1) === ""
  if (ended) lines.pop()
  return [...lines.map((line) => `${sign}${line}`), ...(ended ? [] : ["\\ No newline at end of file"])]
}

/** One hunk that takes all lines away and puts the others there. */
const whole = (from: string, to: string): StructuredPatchHunk => {
  const [olds, news] = [from === "" ? [] : linesOf(from, "-"), to === "" ? [] : linesOf(to, "+")]
  const count = (lines: ReadonlyArray<string>) => lines.filter((line) => !line.startsWith("\\")).length
  return {
    oldStart: 1,
    oldLines: count(olds),
    newStart: 1,
    newLines: count(news),
    lines: [...olds, ...news]
  }
}

const span = (start: number, count: number): string =>
  `${count === 0 ? start - 1 : start}${count === 1 ? "" : `,${count}`}`

/** Lines behind the last difference that the search is shown: what is inserted may be lines like those that follow. */
const kept = 60

/**
 * What lies between the lines that two texts have in common at their beginning and their end, with some of those around
 * it, and how many lines come before.
 */
const between = (before: Buffer, after: Buffer, context: number) => {
  const least = Math.min(before.length, after.length)
  const head = shared(before, after, least, false)
  let from = lineStartOf(before, head)
  for (let left = context; left > 0 && from > 0; left--) from = lineStartOf(before, from - 1)
  const tail = shared(before, after, least - head, true)
  let to = tail === 0 ? -1 : before.indexOf(10, before.length - tail)
  for (let left = context + kept; left > 0 && to >= 0; left--) to = before.indexOf(10, to + 1)
  const end = to < 0 ? before.length : to + 1
  return {
    lines: newlinesIn(before, 0, from),
    before: before.toString("utf8", from, end),
    after: after.toString("utf8", from, after.length - (before.length - end))
  }
}

const nothing = Buffer.alloc(0)

/**
 * A unified diff with file headers, "" when nothing differs. A null side is a file that is not there; paths are
 * root-relative, bytes UTF-8. Carriage returns are kept in the lines.
 */
export const unifiedDiff = (
  from: { readonly path: string; readonly bytes: Buffer } | null,
  to: { readonly path: string; readonly bytes: Buffer } | null,
  context = 3
): string => {
  const [before, after] = [from?.bytes ?? nothing, to?.bytes ?? nothing]
  const renamed = from !== null && to !== null && from.path !== to.path
  const head = renamed ? `rename from ${quoted(from.path)}\nrename to ${quoted(to.path)}\n` : ""
  if (before.equals(after) && from !== null && to !== null) return head
  const part = between(before, after, context)
  const found = structuredPatch("", "", part.before, part.after, undefined, undefined, {
    context,
    maxEditLength
  })?.hunks
  const hunks = found?.map((hunk) => ({
    ...hunk,
    oldStart: hunk.oldStart + part.lines,
    newStart: hunk.newStart + part.lines
  })) ?? [whole(before.toString(), after.toString())]
  return [
    head,
    `--- ${from === null ? "/dev/null" : quoted(`a/${from.path}`)}\n`,
    `+++ ${to === null ? "/dev/null" : quoted(`b/${to.path}`)}\n`,
    ...hunks.map(
      ({ lines, newLines, newStart, oldLines, oldStart }) =>
        `@@ -${span(oldStart, oldLines)} +${span(newStart, newLines)} @@\n${lines.join("\n")}\n`
    )
  ].join("")
}
