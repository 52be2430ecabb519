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

/** By a part of the view that stays the same while only its freshness is new. */
const present = new WeakMap<GraphView["symbol"], ReadonlySet<string>>()
/** Languages of the workspace's files. Gathered once for each view. */
const languagesIn = (view: GraphView): ReadonlySet<string> => {
  let known = present.get(view.symbol)
  if (known === undefined) {
    const all = new Set<string>()
    for (const { language } of view.files()) if (language !== undefined) all.add(language)
    present.set(view.symbol, (known = all))
  }
  return known
}

/** Languages of a corpus that this workspace has; undefined for all of them. */
export const languagesOf = (view: GraphView, corpus: Corpus): ReadonlyArray<string> | undefined => {
  if (corpus === "all") return undefined
  const fits = (language: string) =>
    corpus === "docs"
      ? prose.has(language)
      : corpus === "content"
        ? content.has(language)
        : !prose.has(language) && !content.has(language)
  const kept = [...languagesIn(view)].filter(fits)
  // A list that names nothing here keeps nothing; an empty one would keep everything.
  return kept.length > 0 ? kept : ["none"]
}
