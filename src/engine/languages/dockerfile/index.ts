import type { Language } from "../Language.ts"

/** Container build files: stages with their arguments and variables. */
export const dockerfile: Language = {
  id: "dockerfile",
  label: "Dockerfile",
  extensions: [".dockerfile"],
  filenames: ["Dockerfile", "Containerfile"],
  depth: "outline",
  family: "none",
  reads: "bytes",
  hoisting: false,
  load: () => import("./extract.ts").then((m) => m.extract)
}
