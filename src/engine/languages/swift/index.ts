import type { Language } from "../Language.ts"

export const swift: Language = {
  id: "swift",
  label: "Swift",
  extensions: [".swift"],
  depth: "references",
  family: "swift",
  reads: "text",
  hoisting: false,
  implicitThis: true,
  callMakesInstance: true,
  grammar: { package: "@repomix/tree-sitter-wasms", file: "out/tree-sitter-swift.wasm" },
  load: async () => {
    const [{ extractorOf }, { rules }] = await Promise.all([
      import("../treesitter/extractor.ts"),
      import("./rules.ts")
    ])
    return extractorOf(rules)
  }
}
