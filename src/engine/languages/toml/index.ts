import type { Language } from "../Language.ts"

/** TOML: tables and keys. */
export const toml: Language = {
  id: "toml",
  label: "TOML",
  extensions: [".toml"],
  filenames: ["Cargo.lock", "poetry.lock", "uv.lock", "Pipfile"],
  depth: "outline",
  family: "none",
  reads: "bytes",
  hoisting: false,
  load: () => import("./extract.ts").then((m) => m.extract)
}
