import type { Language } from "../Language.ts"

/** YAML: keys nested to a depth of four. */
export const yaml: Language = {
  id: "yaml",
  label: "YAML",
  extensions: [".yaml", ".yml"],
  depth: "outline",
  family: "none",
  reads: "bytes",
  hoisting: false,
  load: () => import("./extract.ts").then((m) => m.extract)
}
