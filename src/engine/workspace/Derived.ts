/**
 * What is stored of a work tree that differs little from another one of its repository: the other's snapshot, held by a
 * link, and the stats of the files that are the same here. The rest is read again at the start.
 */
import { createHash } from "node:crypto"
import {
  closeSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync
} from "node:fs"
import { join } from "node:path"
import type { FileEntry, Snapshot } from "../graph/Snapshot.ts"
import type { Place } from "./Store.ts"

const format = 2

/** Files that may differ; with more the work tree has a snapshot of its own. */
const mostDifferent = (files: number): number => Math.min(64, Math.max(4, files >> 5))

/** A file whose bytes are those of the snapshot: path, size, mtime in milliseconds, inode, mode, unit. */
type Row = readonly [path: string, size: number, mtimeMs: number, ino: number, mode: number, unit: number]

interface Stored {
  readonly format: number
  readonly build: string
  readonly root: string
  /** Name of the link to the snapshot, in the same folder. */
  readonly base: string
  /** When the listing was complete that the rows are of: a file that is younger may have changed under the same stat. */
  readonly at: number
  readonly rows: ReadonlyArray<Row>
}

/** The snapshot a work tree was derived from, by the blob id of each file. */
export interface Ground {
  readonly file: string
  readonly blobs: ReadonlyMap<string, string>
}

export const groundOf = (file: string, { files }: Snapshot): Ground => {
  const blobs = new Map<string, string>()
  for (const entry of files) if (entry !== undefined) blobs.set(entry.path, entry.oid)
  return { file, blobs }
}

const derivedFile = ({ file }: Place): string => file.replace(/\.graph$/, ".derived")

const parsed = (file: string): Stored | undefined => {
  try {
    const value = JSON.parse(readFileSync(file, "utf8")) as Stored
    return value.format === format && typeof value.root === "string" ? value : undefined
  } catch {
    return undefined
  }
}

/** What a file of this kind is of and holds, for whoever clears up. */
export const describe = (file: string): { readonly root: string; readonly base: string } | undefined =>
  parsed(file)

/** What is stored of a work tree: where the snapshot lies, and how it becomes this tree's. */
export interface Derived {
  readonly file: string
  readonly apply: (snapshot: Snapshot) => Snapshot
}

export const readDerived = (place: Place, build: string, root: string): Derived | undefined => {
  const stored = parsed(derivedFile(place))
  if (stored === undefined || stored.build !== build || stored.root !== root) return undefined
  const rows = new Map(stored.rows.map((row) => [row[0], row]))
  return {
    file: join(place.folder, stored.base),
    apply: (snapshot) => ({
      ...snapshot,
      at: stored.at,
      files: snapshot.files.map((entry): FileEntry | undefined => {
        if (entry === undefined) return entry
        const row = rows.get(entry.path)
        return row === undefined
          ? { ...entry, ino: -1, mtimeMs: -1 }
          : { ...entry, size: row[1], mtimeMs: row[2], ino: row[3], mode: row[4], unit: row[5] }
      })
    })
  }
}

/** A name that says which bytes it stands for as long as nobody writes into them. */
const linkName = (file: string): string => {
  const { ino, mtimeMs, size } = statSync(file)
  return `${createHash("sha256").update(`${ino} ${size} ${mtimeMs}`).digest("hex").slice(0, 16)}.base`
}

/** Stores a work tree as what differs from the ground; false when it differs by too much, or the ground is gone. */
export const saveDerived = (
  place: Place,
  build: string,
  root: string,
  ground: Ground,
  { at, files }: Snapshot
): boolean => {
  const rows: Array<Row> = []
  let different = 0
  let listed = 0
  for (const entry of files) {
    if (entry === undefined) continue
    listed++
    if (entry.mtimeMs < 0 || ground.blobs.get(entry.path) !== entry.oid || entry.oid === "") different++
    else rows.push([entry.path, entry.size, entry.mtimeMs, entry.ino, entry.mode, entry.unit])
  }
  different += Math.max(0, ground.blobs.size - rows.length - different)
  if (different > mostDifferent(listed)) return false
  let base: string
  try {
    base = ground.file.endsWith(".base") ? ground.file.slice(place.folder.length + 1) : linkName(ground.file)
    try {
      linkSync(ground.file, join(place.folder, base))
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw cause
    }
  } catch {
    return false
  }
  const stored: Stored = { format, build, root, base, at, rows }
  const file = derivedFile(place)
  const temporary = `${file}.${process.pid}.${Date.now().toString(36)}.tmp`
  const handle = openSync(temporary, "wx", 0o600)
  try {
    writeSync(handle, JSON.stringify(stored))
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  renameSync(temporary, file)
  return true
}

/** Removes what is stored of a work tree as derived, once it has a snapshot of its own or is gone. */
export const removeDerived = (place: Place): void => {
  try {
    unlinkSync(derivedFile(place))
  } catch {
    // There was none.
  }
}
