/** Which languages hold code, prose and data. */
import type { GraphView } from "../../services/CodeGraph.ts"

const prose: ReadonlySet<string> = new Set(["markdown", "mdx", "rst", "asciidoc", "text"])
const content: ReadonlySet<string> = new Set([
  "json",
  "jsonc",
  "yaml",
  "toml",
  "ini",
  "xml",
  "csv",
  "properties",
  "env"
])

export type Corpus = "code" | "docs" | "content" | "all"

/** Languages of a corpus that this workspace has; undefined for all of them. */
export const languagesOf = (view: GraphView, corpus: Corpus): ReadonlyArray<string> | undefined => {
  if (corpus === "all") return undefined
  const all = new Set<string>()
  for (const file of view.files()) if (file.language !== undefined) all.add(file.language)
  const fits = (language: string) =>
    corpus === "docs"
      ? prose.has(language)
      : corpus === "content"
        ? content.has(language)
        : !prose.has(language) && !content.has(language)
  const kept = [...all].filter(fits)
  // A list that names nothing here keeps nothing; an empty one would keep everything.
  return kept.length > 0 ? kept : ["none"]
}
