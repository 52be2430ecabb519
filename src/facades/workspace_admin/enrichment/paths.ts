/** Paths as other tools write them, brought to files of the workspace. */

export type Matched =
  | { readonly path: string }
  | { readonly path: undefined; readonly reason: "not_indexed" | "ambiguous" }

const segments = (path: string): ReadonlyArray<string> =>
  path
    .replaceAll("\\", "/")
    .split("/")
    .filter((part) => part !== "" && part !== ".")

const common = (a: ReadonlyArray<string>, b: ReadonlyArray<string>): number => {
  let length = 0
  while (length < Math.min(a.length, b.length) && a[a.length - 1 - length] === b[b.length - 1 - length])
    length++
  return length
}

/**
 * Matches written paths: absolute ones, those below a module or package path, and those relative to some folder. Of the
 * files that end as the written path does, or that it ends with, the one with most in common is meant; several such are
 * ambiguous, and nothing is guessed. `beside` is a file in whose folder relative paths may begin.
 */
export const pathMatcher = (files: ReadonlyArray<string>, beside: string): ((written: string) => Matched) => {
  const known = new Set(files)
  const byName = new Map<string, Array<string>>()
  for (const file of files) {
    const name = file.slice(file.lastIndexOf("/") + 1)
    const same = byName.get(name)
    if (same === undefined) byName.set(name, [file])
    else same.push(file)
  }
  const folders = segments(beside).slice(0, -1)
  return (written) => {
    const parts = segments(written)
    const bare = parts.join("/")
    if (!written.startsWith("/") && known.has(bare)) return { path: bare }
    // Relative to the profile's folder, or to one of those above it.
    if (!written.startsWith("/"))
      for (let depth = folders.length; depth > 0; depth--) {
        const joined = folders.slice(0, depth)
        for (const part of parts)
          if (part === "..") joined.pop()
          else joined.push(part)
        if (known.has(joined.join("/"))) return { path: joined.join("/") }
      }
    let best: ReadonlyArray<string> = []
    let most = 0
    for (const file of byName.get(parts.at(-1) ?? "") ?? []) {
      const own = segments(file)
      const length = common(own, parts)
      // One of the two has to be the end of the other.
      if (length < Math.min(own.length, parts.length) || length < most) continue
      best = length === most ? [...best, file] : [file]
      most = length
    }
    if (best.length === 1) return { path: best[0]! }
    return { path: undefined, reason: best.length === 0 ? "not_indexed" : "ambiguous" }
  }
}
