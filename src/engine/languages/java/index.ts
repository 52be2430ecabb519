import type { Language } from "../Language.ts"

export const java: Language = {
  id: "java",
  label: "Java",
  extensions: [".java"],
  depth: "references",
  family: "jvm",
  reads: "text",
  hoisting: false,
  implicitThis: true,
  grammar: { package: "@repomix/tree-sitter-wasms", file: "out/tree-sitter-java.wasm" },
  load: async () => {
    const [{ extractorOf }, { rules }] = await Promise.all([
      import("../treesitter/extractor.ts"),
      import("./rules.ts")
    ])
    return extractorOf(rules)
  }
}
