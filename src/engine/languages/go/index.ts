import type { Language } from "../Language.ts"

export const go: Language = {
  id: "go",
  label: "Go",
  extensions: [".go"],
  depth: "references",
  family: "go",
  reads: "bytes",
  hoisting: false,
  thorough: true,
  load: async () => (await import("./Extractor.ts")).extract,
  grammar: { package: "@vscode/tree-sitter-wasm", file: "wasm/tree-sitter-go.wasm" }
}
