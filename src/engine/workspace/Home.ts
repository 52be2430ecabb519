/** The user's folders for what is kept. */
import { statSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, join, resolve } from "node:path"

/** `PORTICO_HOME`, else `portico` in the XDG cache folder. */
export const storeHome = (): string =>
  process.env["PORTICO_HOME"] ?? join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "portico")

/** `PORTICO_HOME`, else `portico` in the XDG state folder: records cannot be made anew, so they do not lie in a cache. */
export const recordsHome = (): string =>
  process.env["PORTICO_HOME"] ??
  join(process.env["XDG_STATE_HOME"] ?? join(homedir(), ".local", "state"), "portico")

/** Where journals and locks of writes are kept: one folder for all roots of a user. */
export const stateHome = (): string => join(storeHome(), "edits")

/** What stands where a folder or one above it should be; undefined where it is there, or could be made. */
const inTheWay = (folder: string): string | undefined => {
  for (let at = resolve(folder); ; at = dirname(at)) {
    try {
      const found = statSync(at, { throwIfNoEntry: false })
      if (found !== undefined) return found.isDirectory() ? undefined : at
    } catch {
      // Below what is no folder nothing can be looked at.
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
