/** Lines that list one of several alike, and the same lines for another one. */
import type { Renaming } from "./Words.ts"

/** A replacement of whole lines of one file; 1-based, inclusive. */
export interface LineChange {
  readonly start: number
  readonly end: number
  readonly lines: ReadonlyArray<string>
}

const indent = (line: string): number => /^[ \t]*/.exec(line)![0].replaceAll("\t", "    ").length
const opens = /[([{]/g
const closes = /[)\]}]/g
const depth = (lines: ReadonlyArray<string>): number =>
  lines.reduce((sum, line) => sum + (line.match(opens)?.length ?? 0) - (line.match(closes)?.length ?? 0), 0)

/** What is left of a line without its indent, a comma at its end and the name it is about. */
const shape = (line: string, name: Renaming): string =>
  name.apply(line).trim().replace(/,$/, "").replace(/\s+/g, " ")

/**
 * Looks at a line for the example, and answers the lines that are to stand in its place so that the new one is listed too.
 * Undefined when nothing on it shows how.
 */
export const registered = (
  lines: ReadonlyArray<string>,
  at: number,
  fresh: Renaming,
  erase: Renaming,
  siblings: ReadonlyArray<{ readonly here: Renaming; readonly erase: Renaming }>
): LineChange | undefined => {
  const line = lines[at - 1]
  if (line === undefined || !fresh.has(line)) return undefined
  if (siblings.some(({ here }) => here.has(line))) {
    const changed = element(line, fresh)
    return changed === undefined ? undefined : { start: at, end: at, lines: [changed] }
  }
  const alike = shape(line, erase)
  const twin = lines.find((other) =>
    siblings.some((sibling) => sibling.here.has(other) && shape(other, sibling.erase) === alike)
  )
  if (twin === undefined) return undefined
  // The lines around it that are about the example only belong to it.
  const foreign = (text: string) => siblings.some(({ here }) => here.has(text))
  let start = at
  while (start > 1 && fresh.has(lines[start - 2]!) && !foreign(lines[start - 2]!)) start--
  let end = at
  const inner = indent(lines[start - 1]!)
  while (end < lines.length) {
    const next = lines[end]!
    const open = depth(lines.slice(start - 1, end)) > 0
    const own = fresh.has(next) || (next.trim() !== "" && indent(next) > inner)
    if (foreign(next) || !(open || own)) break
    end++
  }
  const block = lines.slice(start - 1, end)
  if (depth(block) !== 0) return undefined
  const last = block.at(-1)!
  const copy = block.map(fresh.apply)
  // The last of a list may do without the comma the others have.
  const comma = /,\s*$/.test(twin) && !/,\s*$/.test(last) && block.length === 1
  return { start, end, lines: comma ? [`${last},`, ...copy] : [...block, ...copy] }
}

/** A line with the new element behind the old one, where it stands in a list. */
export const element = (line: string, fresh: Renaming): string | undefined => {
  const separators = /[,|]/
  // Elements between brackets, commas and bars.
  const parts = [...line.matchAll(/[^,|()[\]{}]+/g)].filter(([text]) => fresh.has(text))
  const [part] = parts
  if (parts.length !== 1 || part === undefined) return undefined
  const start = part.index
  const end = start + part[0].length
  const before = line[start - 1]
  const after = line[end]
  const separator = [before, after].find((one) => one !== undefined && separators.test(one))
  if (separator === undefined) return undefined
  const text = part[0].trim()
  const spaced = separator === "|" ? " | " : ", "
  const trailing = /\s*$/.exec(part[0])![0]
  const head = line.slice(0, end - trailing.length)
  return `${head}${spaced}${fresh.apply(text)}${line.slice(end - trailing.length)}`
}
