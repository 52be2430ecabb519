import type { Language } from "../Language.ts"

/** JSON, comments allowed: keys nested to a depth of four. */
export const json: Language = {
  id: "json",
  label: "JSON",
  extensions: [".json", ".jsonc", ".json5", ".webmanifest"],
  filenames: [".babelrc", ".eslintrc", ".prettierrc"],
  depth: "outline",
  family: "none",
  reads: "bytes",
  hoisting: false,
  load: () => import("./extract.ts").then((m) => m.extract)
}
