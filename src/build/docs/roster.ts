/** What a session is greeted with, as data that lies ready: its tools and the guidance on them. */
import type { Registry } from "../../registry/Registry.ts"
import { guidance } from "../../surface/Guidance.ts"
import { rosterText } from "../../surface/RosterFile.ts"
import type { Page } from "./Page.ts"

/** The files for a registry. */
export const rosterPages = (registry: Registry.Any): ReadonlyArray<Page> => [
  { path: "src/surface/tools.json", text: rosterText(registry) },
  { path: "src/surface/instructions.json", text: `${JSON.stringify(guidance(registry))}\n` }
]
