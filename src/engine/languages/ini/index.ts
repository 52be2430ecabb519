import type { Language } from "../Language.ts"

/** INI and properties files: sections and keys. */
export const ini: Language = {
  id: "ini",
  label: "INI",
  extensions: [".ini", ".cfg", ".conf", ".properties", ".env"],
  filenames: [".env", ".editorconfig", ".gitconfig", ".npmrc"],
  depth: "outline",
  family: "none",
  reads: "bytes",
  hoisting: false,
  load: () => import("./extract.ts").then((m) => m.extract)
}
