/** TypeScript, without and with JSX. */
import type { Language } from "../Language.ts"

export const typescript: Language = {
  id: "typescript",
  label: "TypeScript",
  extensions: [".ts", ".mts", ".cts"],
  interpreters: ["tsx", "ts-node", "deno", "bun"],
  depth: "references",
  family: "ecmascript",
  reads: "bytes",
  hoisting: true,
  load: async () => (await import("../ecmascript/extract.ts")).extractor({ types: true, jsx: false }),
  grammar: { package: "@vscode/tree-sitter-wasm", file: "wasm/tree-sitter-typescript.wasm" }
}

export const tsx: Language = {
  id: "tsx",
  label: "TypeScript JSX",
  extensions: [".tsx"],
  depth: "references",
  family: "ecmascript",
  reads: "bytes",
  hoisting: true,
  load: async () => (await import("../ecmascript/extract.ts")).extractor({ types: true, jsx: true }),
  grammar: { package: "@vscode/tree-sitter-wasm", file: "wasm/tree-sitter-tsx.wasm" }
}
