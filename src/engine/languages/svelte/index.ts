import type { Language } from "../Language.ts"

/** Svelte components: the component and what its script declares. */
export const svelte: Language = {
  id: "svelte",
  label: "Svelte",
  extensions: [".svelte"],
  depth: "outline",
  family: "none",
  reads: "bytes",
  hoisting: false,
  load: () => import("./extract.ts").then((m) => m.extract)
}
