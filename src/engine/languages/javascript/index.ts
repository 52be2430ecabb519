/** JavaScript, without and with JSX. Both read JSX, as many projects keep it in plain `.js` files. */
import type { Language } from "../Language.ts"

const load: Language["load"] = async () =>
  (await import("../ecmascript/extract.ts")).extractor({ types: false, jsx: true })

export const javascript: Language = {
  id: "javascript",
  label: "JavaScript",
  extensions: [".js", ".mjs", ".cjs"],
  interpreters: ["node", "nodejs"],
  depth: "references",
  family: "ecmascript",
  reads: "bytes",
  hoisting: true,
  load,
  grammar: { package: "@vscode/tree-sitter-wasm", file: "wasm/tree-sitter-javascript.wasm" }
}

export const jsx: Language = {
  id: "jsx",
  label: "JavaScript JSX",
  extensions: [".jsx"],
  depth: "references",
  family: "ecmascript",
  reads: "bytes",
  hoisting: true,
  load,
  grammar: { package: "@vscode/tree-sitter-wasm", file: "wasm/tree-sitter-javascript.wasm" }
}
