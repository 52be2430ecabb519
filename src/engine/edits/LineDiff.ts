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
  const hunks = structuredPatch("", "", before, after, undefined, undefined, { context, maxEditLength })
    ?.hunks ?? [whole(before, after)]
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
