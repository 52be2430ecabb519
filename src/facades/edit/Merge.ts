/** Folds what a branch made of a text into what others made of it on disk. */
import { diff3Merge } from "node-diff3"

/** Lines with their ends, so that no end is invented or lost. */
const lines = (text: string): Array<string> => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

/** The folded text, or undefined where both sides changed one place in different ways. */
export const folded = (base: string, disk: string, branch: string): string | undefined => {
  const regions = diff3Merge(lines(disk), lines(base), lines(branch), { excludeFalseConflicts: true })
  return regions.some(({ conflict }) => conflict !== undefined)
    ? undefined
    : regions.flatMap(({ ok }) => ok ?? []).join("")
}
