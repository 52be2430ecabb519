import { relative, sep } from "node:path"

/** Whether a path is a folder or lies below it; both absolute, links followed. */
export const isWithin = (path: string, folder: string): boolean => {
  const way = relative(folder, path)
  return way !== ".." && !way.startsWith(`..${sep}`)
}
