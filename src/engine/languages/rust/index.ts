import type { Language } from "../Language.ts"

/** Rust 2015 to 2024, read by a hand-written parser over UTF-8 bytes. */
export const rust: Language = {
  id: "rust",
  label: "Rust",
  extensions: [".rs"],
  depth: "references",
  family: "rust",
  reads: "bytes",
  hoisting: false,
  callMakesInstance: true,
  load: () => import("./extract.ts").then((m) => m.extract),
  grammar: { package: "@vscode/tree-sitter-wasm", file: "wasm/tree-sitter-rust.wasm" }
}
