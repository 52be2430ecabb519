import path from "node:path"
import { fileURLToPath } from "node:url"

/** Absolute path of the repository's top level. */
export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..")

/** Absolute path of a file of the repository, from its path relative to the top level. */
export const inRoot = (...parts) => path.join(root, ...parts)

/** True when the module with this URL is the program that node was asked to run. */
export const isProgram = (moduleUrl) =>
  process.argv[1] !== undefined && path.resolve(process.argv[1]) === fileURLToPath(moduleUrl)
