import type { Language } from "../Language.ts"

/** Style sheets: selectors, custom properties, variables, keyframes and mixins. */
export const css: Language = {
  id: "css",
  label: "CSS / SCSS / Less",
  extensions: [".css", ".scss", ".less"],
  depth: "outline",
  family: "none",
  reads: "bytes",
  hoisting: false,
  load: () => import("./extract.ts").then((m) => m.extract)
}
