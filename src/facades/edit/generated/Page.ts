/** Pages as data, written as Markdown or as HTML. */
import { escapeXml } from "./GraphText.ts"

/** Text of a line. `page` names another page of the same bundle, without its ending. */
export type Inline = string | { readonly code: string } | { readonly page: string; readonly text: string }

export type Line = ReadonlyArray<Inline>

export type Block =
  | { readonly heading: string; readonly level: 1 | 2 | 3 }
  | { readonly text: Line }
  | { readonly list: ReadonlyArray<{ readonly line: Line; readonly depth?: number }> }
  | { readonly columns: ReadonlyArray<string>; readonly rows: ReadonlyArray<ReadonlyArray<Inline>> }

export interface Style {
  /** Links in double brackets. */
  readonly wikilinks: boolean
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ")

// Everything Markdown, or HTML inside it, could take for its own.
const markdownText = (text: string): string => oneLine(text).replace(/[\\`*_{}[\]<>#|~&]/g, "\\$&")

/** Code between backticks: more of them than the text has in a row. */
const codeSpan = (text: string): string => {
  const flat = oneLine(text).trim()
  const longest = Math.max(0, ...[...flat.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = "`".repeat(longest + 1)
  const pad = flat.startsWith("`") || flat.endsWith("`") ? " " : ""
  return flat === "" ? "" : `${fence}${pad}${flat}${pad}${fence}`
}

const markdownInline = (one: Inline, { wikilinks }: Style, cell: boolean): string => {
  if (typeof one === "string") return markdownText(one)
  if ("code" in one) return cell ? codeSpan(one.code).replaceAll("|", "\\|") : codeSpan(one.code)
  return wikilinks
    ? `[[${one.page}${cell ? "\\|" : "|"}${oneLine(one.text).replace(/[[\]|]/g, " ")}]]`
    : `[${markdownText(one.text)}](${one.page}.md)`
}

export const markdown = (blocks: ReadonlyArray<Block>, style: Style = { wikilinks: false }): string => {
  const line = (parts: Line, cell = false) => parts.map((one) => markdownInline(one, style, cell)).join("")
  const written = blocks.map((block): string => {
    if ("heading" in block) return `${"#".repeat(block.level)} ${markdownText(block.heading)}`
    if ("text" in block) return line(block.text)
    if ("list" in block)
      return block.list.map((item) => `${"  ".repeat(item.depth ?? 0)}- ${line(item.line)}`).join("\n")
    const row = (cells: ReadonlyArray<string>) => `| ${cells.join(" | ")} |`
    return [
      row(block.columns.map(markdownText)),
      row(block.columns.map(() => "---")),
      ...block.rows.map((cells) => row(cells.map((one) => line([one], true))))
    ].join("\n")
  })
  return `${written.join("\n\n")}\n`
}

const htmlInline = (one: Inline): string =>
  typeof one === "string"
    ? escapeXml(one)
    : "code" in one
      ? `<code>${escapeXml(one.code)}</code>`
      : `<a href="${escapeXml(encodeURI(one.page))}.html">${escapeXml(one.text)}</a>`

/** A whole document. Styles only; nothing in it runs. */
export const html = (title: string, blocks: ReadonlyArray<Block>): string => {
  const line = (parts: Line) => parts.map(htmlInline).join("")
  const body = blocks.map((block): string => {
    if ("heading" in block) return `<h${block.level}>${escapeXml(block.heading)}</h${block.level}>`
    if ("text" in block) return `<p>${line(block.text)}</p>`
    if ("list" in block)
      return `<ul>\n${block.list
        .map((item) => `<li style="margin-left: ${(item.depth ?? 0) * 1.5}em">${line(item.line)}</li>`)
        .join("\n")}\n</ul>`
    const row = (cells: ReadonlyArray<string>, tag: string) =>
      `<tr>${cells.map((cell) => `<${tag}>${cell}</${tag}>`).join("")}</tr>`
    return `<table>\n${[
      row(block.columns.map(escapeXml), "th"),
      ...block.rows.map((cells) => row(cells.map(htmlInline), "td"))
    ].join("\n")}\n</table>`
  })
  return [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8"/>',
    `<title>${escapeXml(title)}</title>`,
    "</head>",
    "<body>",
    ...body,
    "</body>",
    "</html>",
    ""
  ].join("\n")
}
