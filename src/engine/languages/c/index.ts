import type { Language } from "../Language.ts"

export const c: Language = {
  id: "c",
  label: "C",
  extensions: [".c", ".h"],
  depth: "references",
  family: "c",
  reads: "text",
  hoisting: false,
  grammar: { package: "@repomix/tree-sitter-wasms", file: "out/tree-sitter-c.wasm" },
  load: async () => {
    const [{ extractorOf }, { rules }] = await Promise.all([
      import("../treesitter/extractor.ts"),
      import("./rules.ts")
    ])
    return extractorOf(rules)
  }
}
