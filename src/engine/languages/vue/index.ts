import type { Language } from "../Language.ts"

/** Vue components: the component and what its script declares. */
export const vue: Language = {
  id: "vue",
  label: "Vue",
  extensions: [".vue"],
  depth: "outline",
  family: "none",
  reads: "bytes",
  hoisting: false,
  load: () => import("./extract.ts").then((m) => m.extract)
}
