/** Pieces of Markdown, written so that the same data always gives the same text. */

/** A code span. A text with backticks gets a longer fence, as CommonMark asks (section 6.1). */
export const code = (text: string): string => {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = "`".repeat(longest + 1)
  return longest === 0 ? `${fence}${text}${fence}` : `${fence} ${text} ${fence}`
}

/** Code spans with commas between them; empty for none. */
export const codes = (texts: Iterable<string>): string => [...texts].map(code).join(", ")

const cell = (text: string): string => text.replace(/\s+/g, " ").trim().replaceAll("|", "\\|")

/** A table. Cells are Markdown; line breaks in them become spaces and pipes are escaped. */
export const table = (
  head: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>
): ReadonlyArray<string> => {
  const line = (cells: ReadonlyArray<string>) =>
    `|${cells.map((text) => (cell(text) === "" ? " " : ` ${cell(text)} `)).join("|")}|`
  return [line(head), `|${head.map(() => "---|").join("")}`, ...rows.map(line)]
}

/** A fenced block. Its text must not hold a line of three backticks. */
export const block = (language: string, lines: ReadonlyArray<string>): ReadonlyArray<string> => [
  `\`\`\`${language}`,
  ...lines,
  "```"
]

/** The anchor a heading is reached by: lower case, words joined with dashes. */
export const anchor = (heading: string): string =>
  `#${heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replace(/\s/g, "-")}`
