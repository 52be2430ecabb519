import type { Language } from "../Language.ts"

export const python: Language = {
  id: "python",
  label: "Python",
  extensions: [".py", ".pyi", ".pyw"],
  filenames: ["SConstruct", "SConscript", "wscript"],
  interpreters: ["python", "python2", "python3"],
  depth: "references",
  family: "python",
  reads: "bytes",
  hoisting: true,
  callMakesInstance: true,
  load: async () => (await import("./Extractor.ts")).extract,
  grammar: { package: "@vscode/tree-sitter-wasm", file: "wasm/tree-sitter-python.wasm" }
}
