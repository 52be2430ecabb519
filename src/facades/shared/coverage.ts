/** What the graph does not know because files were left out of it. */
import type { GraphView } from "../../services/CodeGraph.ts"

/** Reasons that name files which hold no code, or none of a language this server reads. */
export const withoutCode: ReadonlySet<string> = new Set([
  "no_language",
  "binary",
  "not_regular",
  "symlink",
  "symlink_outside",
  "symlink_dangling",
  "symlink_loop",
  "behind_symlink"
])

/**
 * Number of listed files that may define symbols and were not read: minified, too large, unreadable, failed. While it
 * is not 0 a name that was not found may still exist. Counted once for each view.
 */
export const unreadFiles = (view: GraphView): number => {
  let known = counted.get(view.symbol)
  if (known === undefined) {
    known = view
      .files()
      .reduce((sum, { skipped }) => sum + Number(skipped !== undefined && !withoutCode.has(skipped)), 0)
    counted.set(view.symbol, known)
  }
  return known
}
/** By a part of the view that stays the same while only its freshness is new. */
const counted = new WeakMap<GraphView["symbol"], number>()
