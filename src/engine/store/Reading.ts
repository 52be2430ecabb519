/**
 * Opens a database for those who only read. Where there is none, none is made. One that cannot be written to, or must not
 * be, is read in a copy: SQLite reads what was written beside a file only where it can write there as well, and does.
 */
import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  mkdtempSync,
  openSync,
  rmSync,
  type Stats,
  statSync
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, join } from "node:path"
import type { Connection } from "./Connection.ts"

/** A database to read. `unread` says which part of it could not be, and why. */
export interface Readable {
  readonly connection: Connection
  readonly unread: string | undefined
  /** Removes what was made for reading; to be called once the connection is closed. */
  readonly dispose: () => void
}

const codeOf = (cause: unknown): string => String((cause as NodeJS.ErrnoException).code ?? cause)

/** Whether a failure says that something cannot be written to. */
const isBarred = (cause: unknown): boolean =>
  /^(?:EACCES|EPERM|EROFS|SQLITE_READONLY.*|SQLITE_CANTOPEN.*)$/.test(codeOf(cause))

const look = (file: string): Stats | undefined => statSync(file, { throwIfNoEntry: false })

const same = (left: Stats | undefined, right: Stats | undefined): boolean =>
  left?.ino === right?.ino && left?.size === right?.size && left?.mtimeMs === right?.mtimeMs

/** How often a copy is begun again because the file changed meanwhile. */
const attempts = 5

/** Copies a file with its bytes alone: what it may be used for is up to whoever has the copy. */
const copyBytes = (file: string, to: string): void => {
  rmSync(to, { force: true })
  copyFileSync(file, to, constants.COPYFILE_FICLONE)
  chmodSync(to, 0o600)
}

/** Copies a database and what was written beside it, both as they were at one time. Answers what could not be read. */
const copy = (file: string, to: string): string | undefined => {
  const log = `${file}-wal`
  for (let turn = 0; turn < attempts; turn++) {
    const before = [look(file), look(log)] as const
    rmSync(`${to}-wal`, { force: true })
    copyBytes(file, to)
    let unread: string | undefined
    if ((before[1]?.size ?? 0) > 0)
      try {
        copyBytes(log, `${to}-wal`)
      } catch (cause) {
        if (codeOf(cause) !== "ENOENT") unread = `${basename(log)} cannot be read: ${codeOf(cause)}`
      }
    if (same(before[0], look(file)) && same(before[1], look(log))) return unread
  }
  throw new Error("they change while they are read")
}

/** How a database is read: in its place if it can be written to there, or in a copy whatever happens. */
export type Manner = "in_place" | "in_copy"

/**
 * Opens a file, or an empty database where there is none. `open` opens one that can be written to. Rejects with what
 * SQLite or the file system says.
 */
export const openToRead = async (
  file: string,
  manner: Manner,
  open: (file: string) => Promise<Connection>
): Promise<Readable> => {
  if (look(file) === undefined)
    return { connection: await open(":memory:"), unread: undefined, dispose: () => {} }
  if (manner === "in_place")
    try {
      closeSync(openSync(file, "r+"))
      return { connection: await open(file), unread: undefined, dispose: () => {} }
    } catch (cause) {
      if (!isBarred(cause)) throw cause
    }
  const folder = mkdtempSync(join(tmpdir(), "portico-records-"))
  const dispose = () => rmSync(folder, { recursive: true, force: true })
  try {
    const place = join(folder, basename(file))
    const unread = copy(file, place)
    return { connection: await open(place), unread, dispose }
  } catch (cause) {
    dispose()
    throw cause
  }
}
