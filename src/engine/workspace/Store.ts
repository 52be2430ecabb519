/**
 * Where snapshots are kept: in the user's cache folder, one folder a repository (all its work trees), one file a root.
 * Nothing is written into the repositories themselves.
 */
import { createHash } from "node:crypto"
import { readdirSync, rmdirSync, statSync, unlinkSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { locate } from "../git/HeadStamp.ts"

export interface Place {
  readonly folder: string
  readonly file: string
}

const short = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16)

/** `PORTICO_HOME`, else `portico` in the XDG cache folder. */
export const storeHome = (): string =>
  process.env["PORTICO_HOME"] ?? join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "portico")

/** Where journals and locks of writes are kept: one folder for all roots of a user. */
export const stateHome = (): string => join(storeHome(), "edits")

export const placeOf = (root: string, home: string | undefined): Place => {
  const common = locate(root)?.commonDir ?? root
  const folder = join(home ?? storeHome(), "graphs", short(common))
  return { folder, file: join(folder, `${short(root)}.graph`) }
}

/** Snapshots of other roots of the same repository, newest first. */
export const siblings = (place: Place): ReadonlyArray<string> => {
  try {
    return readdirSync(place.folder)
      .filter((name) => name.endsWith(".graph"))
      .map((name) => join(place.folder, name))
      .filter((file) => file !== place.file)
      .map((file) => ({ file, at: statSync(file).mtimeMs }))
      .sort((a, b) => b.at - a.at)
      .map(({ file }) => file)
  } catch {
    return []
  }
}

/** Removes what writers that were killed left behind more than an hour ago. */
export const sweep = (place: Place): void => {
  try {
    for (const name of readdirSync(place.folder)) {
      const file = join(place.folder, name)
      if (name.endsWith(".tmp") && statSync(file).mtimeMs < Date.now() - 3_600_000) unlinkSync(file)
    }
  } catch {
    // No folder yet.
  }
}

/** Removes the snapshot of one root, and the folder of its repository with the last of them. */
export const remove = ({ file, folder }: Place): void => {
  try {
    unlinkSync(file)
    rmdirSync(folder)
  } catch {
    // There was none, or other work trees have theirs there.
  }
}
