/** Places of a repository: files and folders by their paths from its root, with `/` between. */

const slash = 47

/** Whether a path is a place or lies below it. All lie below the repository itself, which is "". */
export const isWithin = (path: string, place: string): boolean =>
  place === "" ||
  (path.startsWith(place) && (path.length === place.length || path.charCodeAt(place.length) === slash))

/** The place a caller means who may write "./" in front, slashes behind, and "." for the repository itself. */
export const prefixOf = (written: string): string => {
  const bare = written.replace(/^(?:\.\/+)+/, "").replace(/\/+$/, "")
  return bare === "." ? "" : bare
}

/** Whether paths lie within the place a caller wrote; all do where none is written. */
export const isUnder = (written: string | undefined): ((path: string) => boolean) => {
  const place = prefixOf(written ?? "")
  return (path) => isWithin(path, place)
}
