import type { Language } from "../Language.ts"

/** HTML: elements with an id, and custom elements. */
export const html: Language = {
  id: "html",
  label: "HTML",
  extensions: [".html", ".htm", ".xhtml"],
  depth: "outline",
  family: "none",
  reads: "bytes",
  hoisting: false,
  load: () => import("./extract.ts").then((m) => m.extract)
}
