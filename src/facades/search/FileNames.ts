/** How well a file's path fits a name or fragment. */

/** What fits, best first; undefined when nothing does. */
export type NameFit = "exact" | "stem" | "prefix" | "substring" | "path" | "words" | "fuzzy"
const order: ReadonlyArray<NameFit> = ["exact", "stem", "prefix", "substring", "path", "words", "fuzzy"]

const inOrder = (text: string, wanted: string): boolean => {
  let at = 0
  for (let i = 0; i < text.length && at < wanted.length; i++) if (text[i] === wanted[at]) at++
  return at === wanted.length
}

/** Fit of a path to a query, with the rank of the fit: smaller is better. */
export const fitOf = (
  path: string,
  query: string,
  fuzzy: boolean
): { readonly fit: NameFit; readonly rank: number } | undefined => {
  const wanted = query.trim().toLowerCase().replace(/^\.\//, "")
  const lower = path.toLowerCase()
  const base = lower.slice(lower.lastIndexOf("/") + 1)
  const words = wanted.split(/\s+/)
  const fit: NameFit | undefined =
    base === wanted || lower === wanted
      ? "exact"
      : base.replace(/\.[^.]*$/, "") === wanted || base.split(".")[0] === wanted
        ? "stem"
        : base.startsWith(wanted)
          ? "prefix"
          : base.includes(wanted)
            ? "substring"
            : lower.includes(wanted)
              ? "path"
              : words.length > 1 && words.every((w) => lower.includes(w))
                ? "words"
                : fuzzy && inOrder(base, wanted.replace(/\s+/g, ""))
                  ? "fuzzy"
                  : undefined
  return fit === undefined ? undefined : { fit, rank: order.indexOf(fit) }
}
