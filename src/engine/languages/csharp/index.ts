import type { Language } from "../Language.ts"

export const csharp: Language = {
  id: "csharp",
  label: "C#",
  extensions: [".cs", ".csx"],
  depth: "references",
  family: "csharp",
  reads: "text",
  hoisting: false,
  implicitThis: true,
  grammar: { package: "@repomix/tree-sitter-wasms", file: "out/tree-sitter-c_sharp.wasm" },
  load: async () => {
    const [{ extractorOf }, { rules }] = await Promise.all([
      import("../treesitter/extractor.ts"),
      import("./rules.ts")
    ])
    return extractorOf(rules)
  }
}
