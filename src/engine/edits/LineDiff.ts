/** Unified diffs of two texts. */
import { structuredPatch, type StructuredPatchHunk } from "diff"

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
/** Characters compared at a time. */
const stretch = 4096

/** How many characters two texts have in common at their beginning. */
const commonHead = (a: string, b: string): number => {
  const least = Math.min(a.length, b.length)
  let at = 0
  while (at + stretch <= least && a.slice(at, at + stretch) === b.slice(at, at + stretch)) at += stretch
  while (at < least && a.charCodeAt(at) === b.charCodeAt(at)) at++
  return at
}

/** How many they have in common at their end, at most so many. */
const commonTail = (a: string, b: string, most: number): number => {
  const same = (far: number, near: number) =>
    a.slice(a.length - far, a.length - near) === b.slice(b.length - far, b.length - near)
  let tail = 0
  while (tail + stretch <= most && same(tail + stretch, tail)) tail += stretch
  while (tail < most && a.charCodeAt(a.length - 1 - tail) === b.charCodeAt(b.length - 1 - tail)) tail++
  return tail
}

/**
 * What lies between the lines that two texts have in common at their beginning and their end, with some of those around
 * it, and how many lines come before.
 */
const between = (before: string, after: string, context: number) => {
  const head = commonHead(before, after)
  let from = head === 0 ? 0 : before.lastIndexOf("\n", head - 1) + 1
  for (let left = context; left > 0 && from > 0; left--)
    from = from < 2 ? 0 : before.lastIndexOf("\n", from - 2) + 1
  const tail = commonTail(before, after, Math.min(before.length, after.length) - head)
  let to = tail === 0 ? -1 : before.indexOf("\n", before.length - tail)
  for (let left = context + kept; left > 0 && to >= 0; left--) to = before.indexOf("\n", to + 1)
  const end = to < 0 ? before.length : to + 1
  let lines = 0
  for (let at = before.indexOf("\n"); at >= 0 && at < from; at = before.indexOf("\n", at + 1)) lines++
  return {
    lines,
    before: before.slice(from, end),
    after: after.slice(from, after.length - (before.length - end))
  }
}

/**
 * A unified diff with file headers, "" when nothing differs. A null side is a file that is not there; paths are
 * root-relative. Carriage returns are kept in the lines.
 */
export const unifiedDiff = (
  from: { readonly path: string; readonly text: string } | null,
  to: { readonly path: string; readonly text: string } | null,
  context = 3
): string => {
  const [before, after] = [from?.text ?? "", to?.text ?? ""]
  const renamed = from !== null && to !== null && from.path !== to.path
  const head = renamed ? `rename from ${quoted(from.path)}\nrename to ${quoted(to.path)}\n` : ""
  if (before === after && from !== null && to !== null) return head
  const part = between(before, after, context)
  const found = structuredPatch("", "", part.before, part.after, undefined, undefined, {
    context,
    maxEditLength
  })?.hunks
  const hunks = found?.map((hunk) => ({
    ...hunk,
    oldStart: hunk.oldStart + part.lines,
    newStart: hunk.newStart + part.lines
  })) ?? [whole(before, after)]
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
