import type { Language } from "../Language.ts"

/** Markdown: headings nested by level, and link definitions. */
export const markdown: Language = {
  id: "markdown",
  label: "Markdown",
  extensions: [".md", ".markdown", ".mdx"],
  depth: "outline",
  family: "none",
  reads: "bytes",
  hoisting: false,
  load: () => import("./extract.ts").then((m) => m.extract)
}
