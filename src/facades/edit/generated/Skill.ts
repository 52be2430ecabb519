/** A folder's files as the references of an agent skill. */
import type { GraphView, SymbolInfo } from "../../../services/CodeGraph.ts"
import { bodiesOf } from "../../read/Folds.ts"

export interface Reference {
  /** Relative to the folder. */
  readonly source: string
  /** Relative to the skill. */
  readonly rel_path: string
  readonly content: string
  readonly compressed: boolean
}

const markdownNames = /\.(?:md|mdx|markdown)$/i

/** Between fences that are longer than any in the text. */
const fenced = (text: string, language: string): string => {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([run]) => run.length))
  const fence = "`".repeat(longest + 1)
  return `${fence}${language}\n${text}${text.endsWith("\n") || text === "" ? "" : "\n"}${fence}\n`
}

/** The text with the bodies of callables replaced by an ellipsis, and whether there were any. */
export const withoutBodies = (
  view: GraphView,
  path: string,
  text: string
): { readonly text: string; readonly compressed: boolean } => {
  const lines = text.split("\n")
  const { folds } = bodiesOf(
    view,
    path,
    lines.map((line) => line.replace(/\r$/, ""))
  )
  if (folds.length === 0) return { text, compressed: false }
  const out: Array<string> = []
  let at = 1
  for (const { end, start } of folds) {
    out.push(...lines.slice(at - 1, start - 1))
    out.push(`${/^[ \t]*/.exec(lines[start - 1] ?? "")![0]}…`)
    at = end + 1
  }
  out.push(...lines.slice(at - 1))
  return { text: out.join("\n"), compressed: true }
}

/**
 * One file as a reference. Code stands in a Markdown file of its own, so that no runner, compiler or index takes the copy
 * for code of the repository.
 */
export const referenceOf = (
  view: GraphView,
  path: string,
  source: string,
  text: string,
  compress: boolean
): Reference => {
  if (markdownNames.test(source))
    return { source, rel_path: `references/${source}`, content: text, compressed: false }
  const shown = compress ? withoutBodies(view, path, text) : { text, compressed: false }
  return {
    source,
    rel_path: `references/${source}.md`,
    content: fenced(shown.text, view.file(path)?.language ?? ""),
    compressed: shown.compressed
  }
}

/** A name as skills have it: small letters, digits and hyphens, at most 64. */
export const skillName = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 64)
    .replace(/-+$/, "")

/** Marks a SKILL.md as made here, and so as one that may be made again. */
export const madeHere = "generator: portico"

const cell = (text: string): string => text.replace(/\s+/g, " ").replace(/[\\|]/g, "\\$&")
const code = (text: string): string => {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
  return `${"`".repeat(longest + 1)}${longest > 0 ? " " : ""}${cell(text)}${longest > 0 ? " " : ""}${"`".repeat(longest + 1)}`
}

export const skillPage = (skill: {
  readonly name: string
  readonly description: string
  readonly directory: string
  readonly references: ReadonlyArray<Reference>
  readonly symbols: ReadonlyArray<SymbolInfo>
  readonly symbolsLeftOut: number
  readonly skipped: number
}): string =>
  [
    "---",
    `name: ${skill.name}`,
    // A JSON text is a YAML text in double quotes.
    `description: ${JSON.stringify(skill.description)}`,
    "metadata:",
    `  ${madeHere}`,
    "---",
    "",
    `# ${skill.name}`,
    "",
    `Reference of ${code(skill.directory)}: ${skill.references.length} files.`,
    "Read the reference of a file before you use or change what it defines.",
    "",
    "## References",
    "",
    ...skill.references.map(
      ({ compressed, rel_path, source }) =>
        `- [${source.replace(/[\\[\]*_`<>]/g, "\\$&")}](<${rel_path.replace(/[<>]/g, encodeURIComponent)}>)${compressed ? " (signatures)" : ""}`
    ),
    ...(skill.skipped === 0 ? [] : ["", `${skill.skipped} files are not included.`]),
    "",
    ...(skill.symbols.length === 0
      ? []
      : [
          "## Symbols",
          "",
          "| Symbol | Kind | Where | Signature |",
          "| --- | --- | --- | --- |",
          ...skill.symbols.map(
            ({ kind, line, path, qualified, signature }) =>
              `| ${code(qualified)} | ${kind} | ${cell(path)}:${line} | ${signature === "" ? "" : code(signature.slice(0, 160))} |`
          ),
          ...(skill.symbolsLeftOut === 0 ? [] : ["", `And ${skill.symbolsLeftOut} more.`]),
          ""
        ])
  ].join("\n")
