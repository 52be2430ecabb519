/** Where a folder lies in what is indexed: the work tree around it, which may be more than the folder. */
import { existsSync, realpathSync } from "node:fs"
import { basename, dirname, join, relative, resolve, sep } from "node:path"
import { folder, UsageError } from "./Arguments.ts"

export interface Place {
  /** Name of the indexed work tree. */
  readonly name: string
  /** The folder within it, with `/`; undefined when it is the work tree itself. */
  readonly within: string | undefined
}

/** Finds the place. `workspace` is the served work tree's name as the server gives it; the folder itself without. */
export const placeOf = (directory: string, workspace: string | undefined): Place => {
  const real = realpathSync(directory)
  const name = workspace ?? basename(real)
  for (let at = real; ; at = dirname(at)) {
    if (basename(at) === name && existsSync(join(at, ".git"))) {
      const within = relative(at, real).split(sep).join("/")
      return { name, within: within === "" ? undefined : within }
    }
    if (dirname(at) === at) return { name, within: undefined }
  }
}

/** The folder a command is about, which is named at most once: as PATH, or by `--dir`. */
export const place = (dir: string | undefined, positional: string | undefined): string => {
  if (dir !== undefined && positional !== undefined)
    throw new UsageError(`${positional} and --dir ${dir} both name the folder; give one of them`)
  return folder(dir ?? positional ?? ".")
}

/** The nearest folder around one, itself included, that git keeps a work tree in; the folder itself where there is none. */
export const workTree = (directory: string): string => {
  const real = realpathSync(directory)
  for (let at = real; ; at = dirname(at)) {
    if (existsSync(join(at, ".git"))) return at
    if (dirname(at) === at) return real
  }
}

/** The work tree around the folder a command is about. */
export const project = (dir: string | undefined, positional: string | undefined): string =>
  workTree(place(dir, positional))

/** The words of a command line that name the folder it was given; none for the current one. */
export const dirWords = (given: string | undefined): ReadonlyArray<string> =>
  given === undefined || resolve(given) === process.cwd()
    ? []
    : ["--dir", given.startsWith("-") ? `.${sep}${given}` : given]
