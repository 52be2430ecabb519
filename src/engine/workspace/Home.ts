/** The user's folders for what is kept. */
import { accessSync, constants, realpathSync, statSync } from "node:fs"
import { homedir } from "node:os"
import { basename, dirname, join, resolve } from "node:path"
import { isWithin } from "../../registry/Place.ts"

/** `PORTICO_HOME`, else `portico` in the XDG cache folder; absolute. */
export const storeHome = (): string =>
  resolve(
    process.env["PORTICO_HOME"] ?? join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "portico")
  )

/** `PORTICO_HOME`, else `portico` in the XDG state folder: records cannot be made anew, so they do not lie in a cache. */
export const recordsHome = (): string =>
  resolve(
    process.env["PORTICO_HOME"] ??
      join(process.env["XDG_STATE_HOME"] ?? join(homedir(), ".local", "state"), "portico")
  )

/** Where journals and locks of writes are kept: one folder for all roots of a user. */
export const stateHome = (): string => join(storeHome(), "edits")

/** What stands where a folder or one above it should be; undefined where it is there, or could be made. */
const inTheWay = (folder: string): string | undefined => {
  for (let at = folder; ; at = dirname(at)) {
    try {
      const found = statSync(at, { throwIfNoEntry: false })
      if (found !== undefined) return found.isDirectory() ? undefined : at
    } catch {
      // Below what is no folder nothing can be looked at.
    }
  }
}

/** Why nothing could be kept in a folder; undefined where something could, as far as the system tells. */
export const unwritable = (folder: string): string | undefined => {
  const other = inTheWay(folder)
  if (other !== undefined) return `${other} is no folder`
  for (let at = folder; ; at = dirname(at)) {
    try {
      accessSync(at, constants.W_OK | constants.X_OK)
      return undefined
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException
      if (code !== "ENOENT" || dirname(at) === at) return `${at} cannot be written: ${code}`
    }
  }
}

/** Throws an error for people where a folder of these cannot be one. */
export const checkHomes = (): void => {
  for (const folder of [storeHome(), recordsHome()]) {
    const other = inTheWay(folder)
    if (other !== undefined)
      throw new Error(
        `nothing can be kept in ${folder}, since ${other} is no folder; PORTICO_HOME names the place`
      )
  }
}

/** Where an absolute path leads or would lead once it is made, without symbolic links. */
export const real = (folder: string): string => {
  try {
    return realpathSync.native(folder)
  } catch {
    const above = dirname(folder)
    return above === folder ? folder : join(real(above), basename(folder))
  }
}

/** What this program writes into a home, by its path there. Whatever else lies in it is somebody else's. */
const written =
  /^(?:(?:graphs|records)\/[0-9a-f]{16}|edits|telemetry|control\.db(?:-wal|-shm|-journal)?)(?=\/|$)/

/**
 * Tells of a path below a root whether it is, or lies in, something this program keeps for itself: then the answer is
 * the path of that, else undefined. `root` is resolved; a `home` that is given counts beside the user's own.
 */
export const keptBelow = (root: string, home?: string): ((path: string) => string | undefined) => {
  const top = root === "/" ? "" : root
  const homes = [...new Set([storeHome(), recordsHome(), ...(home === undefined ? [] : [resolve(home)])])]
    .map((folder) => real(folder).replace(/\/$/, ""))
    .filter((folder) => isWithin(folder, top) || isWithin(root, folder))
  if (homes.length === 0) return () => undefined
  return (path) => {
    const absolute = `${top}/${path}`
    for (const folder of homes) {
      if (!absolute.startsWith(`${folder}/`)) continue
      const found = written.exec(absolute.slice(folder.length + 1))
      if (found === null) continue
      const end = folder.length + 1 + found[0].length - (top.length + 1)
      return path.slice(0, Math.max(0, end))
    }
    return undefined
  }
}
