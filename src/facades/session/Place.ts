/** Paths that callers write in several ways and that are kept between calls. */

/** A path in the one form in which paths are compared; undefined when it leads out of the repository. */
export const placeOf = (path: string): string | undefined => {
  const parts = path.split(/[\\/]+/).filter((part) => part !== "" && part !== ".")
  return /^[\\/]/.test(path) || parts.includes("..") ? undefined : parts.length === 0 ? "." : parts.join("/")
}
