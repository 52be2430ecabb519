/** Folds two versions of a file that come from one. */
import { diff3Merge } from "node-diff3"

/** The folded text, or how many places both sides changed in different ways. */
export type Merged = { readonly text: string } | { readonly conflicts: number }

/** Lines with their ends, so that no end is invented or lost. */
const lines = (text: string): Array<string> => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

/** Merges by hunks of lines. A place that both sides changed to the same text is no conflict. */
export const mergeText = (base: string, ours: string, theirs: string): Merged => {
  if (ours === theirs || theirs === base) return { text: ours }
  if (ours === base) return { text: theirs }
  let conflicts = 0
  const out: Array<string> = []
  for (const region of diff3Merge(lines(ours), lines(base), lines(theirs), { excludeFalseConflicts: true })) {
    if (region.conflict !== undefined) conflicts++
    else if (region.ok !== undefined) for (const line of region.ok) out.push(line)
  }
  return conflicts > 0 ? { conflicts } : { text: out.join("") }
}
