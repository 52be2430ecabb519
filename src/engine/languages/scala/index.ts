import type { Language } from "../Language.ts"

export const scala: Language = {
  id: "scala",
  label: "Scala",
  extensions: [".scala", ".sc"],
  depth: "references",
  family: "jvm",
  reads: "text",
  hoisting: false,
  implicitThis: true,
  callMakesInstance: true,
  grammar: { package: "tree-sitter-scala", file: "tree-sitter-scala.wasm" },
  load: async () => {
    const [{ extractorOf }, { rules }] = await Promise.all([
      import("../treesitter/extractor.ts"),
      import("./rules.ts")
    ])
    return extractorOf(rules)
  }
}
