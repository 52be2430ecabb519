/** Texts that tell reasons: what speaks of one, and where it stands in a document. */

/** Words that introduce a reason. */
export const reasoned =
  /\b(?:because|since otherwise|so that|otherwise|in order to|work(?:s|ed)?[ -]?around|rationale|decid(?:e|ed|ing)|decision|trade-?offs?|deliberate(?:ly)?|intentional(?:ly)?|on purpose|avoids?|prevents?|instead of|rather than|due to|must not|never|compat(?:ible|ibility)|legacy|see (?:#\d+|https?:)|ADR-?\d+)\b/i

/** What a document is, by its path. */
export const assetKind = (path: string): "adr" | "rfc" | "changelog" | "readme" | "design" | "document" => {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase()
  if (/(?:^|\/)(?:adrs?|decisions?|architecture[-_]decisions?)\//i.test(path) || /^adr[-_]?\d+/.test(name))
    return "adr"
  if (/(?:^|\/)(?:rfcs?|proposals?)\//i.test(path) || /^rfc[-_]?\d+/.test(name)) return "rfc"
  if (/^(?:changelog|changes|history|news|releases?|release[-_]notes)\b/.test(name)) return "changelog"
  if (name.startsWith("readme")) return "readme"
  return /(?:^|\/)(?:design|architecture)(?:\/|[.\w-]*$)/i.test(path) ? "design" : "document"
}

/** Globs of files that are documents. */
export const documents = [
  "**/*.md",
  "**/*.mdx",
  "**/*.markdown",
  "**/*.rst",
  "**/*.adoc",
  "**/*.asciidoc",
  "**/*.org"
]

/** Documents whose names have no end that tells. */
export const plainDocuments = ["**/README", "**/CHANGELOG", "**/docs/**/*.txt", "**/doc/**/*.txt"]

/** The heading a line of a document stands under, and the paragraph around it, shortened. */
export const passage = (
  text: string,
  line: number,
  most = 600
): { readonly heading: string | undefined; readonly text: string } => {
  const lines = text.split("\n")
  let heading: string | undefined
  for (let i = Math.min(line, lines.length) - 1; i >= 0 && heading === undefined; i--) {
    const marked = /^(?:#{1,6}|={1,6})\s+(.+?)\s*#*$/.exec(lines[i]!)
    if (marked !== null) heading = marked[1]!
    else if (i > 0 && /^(?:={3,}|-{3,}|~{3,})\s*$/.test(lines[i]!) && lines[i - 1]!.trim() !== "")
      heading = lines[i - 1]!.trim()
  }
  const blank = (i: number) => i < 0 || i >= lines.length || lines[i]!.trim() === ""
  let first = line - 1
  let last = line - 1
  while (!blank(first - 1) && line - first < 8) first--
  while (!blank(last + 1) && last - line < 7) last++
  return {
    heading,
    text: shortened(
      lines
        .slice(first, last + 1)
        .join("\n")
        .trim(),
      most
    )
  }
}

export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most).trimEnd()}…`
