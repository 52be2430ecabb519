import type { Language } from "../Language.ts"

export const kotlin: Language = {
  id: "kotlin",
  label: "Kotlin",
  extensions: [".kt", ".kts"],
  depth: "references",
  family: "jvm",
  reads: "text",
  hoisting: false,
  implicitThis: true,
  callMakesInstance: true,
  grammar: { package: "@tree-sitter-grammars/tree-sitter-kotlin", file: "tree-sitter-kotlin.wasm" },
  load: async () => {
    const [{ extractorOf }, { rules }] = await Promise.all([
      import("../treesitter/extractor.ts"),
      import("./rules.ts")
    ])
    return extractorOf(rules)
  }
}
