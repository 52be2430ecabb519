import type { Language } from "../Language.ts"

export const bash: Language = {
  id: "bash",
  label: "Bash",
  extensions: [".sh", ".bash", ".bats", ".ksh"],
  filenames: [".bashrc", ".bash_profile", ".bash_aliases", ".profile", ".envrc"],
  interpreters: ["bash", "sh", "dash", "ksh", "bats"],
  depth: "references",
  family: "shell",
  reads: "bytes",
  hoisting: false,
  grammar: { package: "@vscode/tree-sitter-wasm", file: "wasm/tree-sitter-bash.wasm" },
  load: async () => (await import("./extract.ts")).extract
}
