/** Field shapes of kept knowledge: memories, notes, notebook entries. */
import * as F from "../registry/Fields.ts"

export const memoryKind = F.choice(
  "invariant",
  "constraint",
  "convention",
  "gotcha",
  "decision",
  "incident",
  "reference"
)
export const memorySource = F.choice("manual", "distilled", "incident", "review")
/** Which store: this workspace's or the one of all workspaces. */
export const store = F.choice("workspace", "global")
export const stores = F.choice("workspace", "global", "both")
/** 1 to 5, 5 the weightiest. */
export const importance = F.integer({ min: 1, max: 5 })
export const since = F.optional(F.described(F.text, "RFC 3339 time"))
