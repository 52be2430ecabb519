/** Files as servers name them, and as this house does. */
import { isAbsolute, relative, resolve, sep } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"

/** Absolute path of a `file:` URI; undefined for every other scheme and for what is no URI. */
export const pathOf = (uri: string): string | undefined => {
  if (!uri.startsWith("file:")) return undefined
  try {
    return fileURLToPath(uri)
  } catch {
    return undefined
  }
}

/** One spelling for a URI: servers differ in what they escape. */
export const keyOf = (uri: string): string => {
  const path = pathOf(uri)
  return path === undefined ? uri : pathToFileURL(path).href
}

/** URI of a root-relative path. */
export const uriOf = (root: string, path: string): string => pathToFileURL(resolve(root, path)).href

/** Root-relative path with `/` of a URI; undefined when it is outside the root, or no file. */
export const relativeOf = (root: string, uri: string): string | undefined => {
  const path = pathOf(uri)
  if (path === undefined) return undefined
  const inside = relative(root, path)
  if (inside === "" || inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside))
    return undefined
  return sep === "/" ? inside : inside.split(sep).join("/")
}
