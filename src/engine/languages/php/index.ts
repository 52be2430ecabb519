import type { Language } from "../Language.ts"

export const php: Language = {
  id: "php",
  label: "PHP",
  extensions: [".php", ".phtml", ".php5", ".php7", ".phps", ".inc"],
  interpreters: ["php"],
  depth: "references",
  family: "php",
  reads: "text",
  hoisting: false,
  grammar: { package: "@repomix/tree-sitter-wasms", file: "out/tree-sitter-php.wasm" },
  load: async () => {
    const [{ extractorOf }, { rules }] = await Promise.all([
      import("../treesitter/extractor.ts"),
      import("./rules.ts")
    ])
    return extractorOf(rules)
  }
}
