/**
 * Where snapshots are kept: in the user's cache folder, one folder a repository (all its work trees), one file a root.
 * Nothing is written into the repositories themselves.
 */
import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync, unlinkSync } from "node:fs"
import { basename, join } from "node:path"
import { locate } from "../git/HeadStamp.ts"
import { notesOf } from "../graph/Persist.ts"
import * as Derived from "./Derived.ts"
import { recordsHome, storeHome } from "./Home.ts"

export interface Place {
  readonly folder: string
  readonly file: string
  /** Folder of what is kept of the same repository and cannot be made anew. */
  readonly records: string
  /** What git shares between all work trees of the repository; the root itself where there is no git. */
  readonly common: string
}

const short = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16)

export const placeOf = (root: string, home: string | undefined): Place => {
  const common = locate(root)?.commonDir ?? root
  const folder = join(home ?? storeHome(), "graphs", short(common))
  return {
    folder,
    file: join(folder, `${short(root)}.graph`),
    records: join(home ?? recordsHome(), "records", short(common)),
    common
  }
}

/** Whether git holds on to a work tree that is not there, as one on a medium that comes and goes. */
const isLocked = (common: string, root: string): boolean => {
  const trees = join(common, "worktrees")
  try {
    return readdirSync(trees).some(
      (name) =>
        existsSync(join(trees, name, "locked")) &&
        readFileSync(join(trees, name, "gitdir"), "utf8").trim() === join(root, ".git")
    )
  } catch {
    return false
  }
}

/** Removes the control state of a work tree that is gone for good. `file` is where its snapshot was. */
const forgetControl = ({ common, records }: Place, file: string, root: string): void => {
  if (isLocked(common, root)) return
  const name = `${basename(file).replace(/\.[a-z]+$/, "")}.control.db`
  for (const each of [name, `${name}-wal`, `${name}-shm`]) rmSync(join(records, each), { force: true })
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

const hour = 3_600_000

/**
 * Removes what nobody will read: what writers that were killed left behind more than an hour ago, what is stored of work
 * trees that are gone, their control state with it, and snapshots that none is derived from any more.
 */
export const sweep = (place: Place): void => {
  try {
    const names = readdirSync(place.folder)
    const bases = new Set<string>()
    for (const name of names) {
      const file = join(place.folder, name)
      if (name.endsWith(".tmp") && statSync(file).mtimeMs < Date.now() - hour) unlinkSync(file)
      else if (name.endsWith(".graph")) {
        const root = file === place.file ? undefined : notesOf(file)?.["root"]
        if (typeof root === "string" && !existsSync(root)) {
          forgetControl(place, file, root)
          unlinkSync(file)
        }
      } else if (name.endsWith(".derived")) {
        const what = Derived.describe(file)
        if (what === undefined || !existsSync(what.root)) {
          if (what !== undefined) forgetControl(place, file, what.root)
          unlinkSync(file)
        } else bases.add(what.base)
      }
    }
    for (const name of names) {
      const file = join(place.folder, name)
      // A link is there a moment before what speaks of it.
      if (name.endsWith(".base") && !bases.has(name) && statSync(file).ctimeMs < Date.now() - 60_000)
        unlinkSync(file)
    }
  } catch {
    // No folder yet, or another process clears up at the same time.
  }
}

/** Removes what is stored of one root, and the folder of its repository with the last of them. */
export const remove = (place: Place): void => {
  Derived.removeDerived(place)
  try {
    unlinkSync(place.file)
  } catch {
    // There was none.
  }
  sweep(place)
  try {
    rmdirSync(place.folder)
  } catch {
    // Other work trees have theirs there.
  }
}
