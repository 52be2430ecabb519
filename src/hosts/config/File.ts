/** A file of a host's settings: read with everything that could go wrong said, and written whole or not at all. */
import { randomUUID } from "node:crypto"
import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync
} from "node:fs"
import { basename, dirname, join } from "node:path"
import { isWithin } from "../Within.ts"

/** Why a file is left as it is: what is wrong with it, and what a person can do. */
export class FileRefused extends Error {
  readonly file: string
  readonly line: number | undefined
  readonly remedy: string

  constructor(file: string, why: string, remedy: string, line?: number) {
    super(why)
    this.file = file
    this.line = line
    this.remedy = remedy
  }
}

/** A file as it was found. */
export interface Found {
  /** Where it is configured to be. */
  readonly file: string
  /** Where it lies, links followed. */
  readonly real: string
  /** Its text without a byte order mark; undefined where there is no file. */
  readonly text: string | undefined
  /** The byte order mark, or nothing. */
  readonly mark: string
  readonly bytes: Buffer | undefined
}

const mostBytes = 16 << 20
const byteOrderMark = "\uFEFF"

const codeOf = (cause: unknown): string => (cause as NodeJS.ErrnoException).code ?? String(cause)

/** What is at a path, links not followed; undefined for nothing. Throws {@link FileRefused} where it may not be looked at. */
const entryAt = (file: string) => {
  try {
    return lstatSync(file, { throwIfNoEntry: false })
  } catch (cause) {
    if (codeOf(cause) === "ENOTDIR") return undefined
    throw new FileRefused(file, `it cannot be looked at: ${codeOf(cause)}`, "make its folder readable")
  }
}

/** The nearest path at or above a file that is there, with links followed. */
const standing = (file: string): string => {
  for (let at = file; ; at = dirname(at)) {
    if (entryAt(at) !== undefined || dirname(at) === at) return realpathSync(at)
  }
}

/**
 * Reads a file. `within` is a folder out of which no link may lead: those of a project came with it, and must not name
 * files of somebody else.
 */
export const readConfig = (file: string, within?: string): Found => {
  const entry = entryAt(file)
  let real = file
  try {
    if (entry?.isSymbolicLink() === true) real = realpathSync(file)
    if (within !== undefined && !isWithin(standing(file), realpathSync(within)))
      throw new FileRefused(file, "a link leads out of the project", "put a file of the project in its place")
  } catch (cause) {
    if (cause instanceof FileRefused) throw cause
    throw new FileRefused(
      file,
      `its link leads nowhere: ${codeOf(cause)}`,
      "remove the link, or make what it names"
    )
  }
  if (entry === undefined) return { file, real, text: undefined, mark: "", bytes: undefined }
  const stat = statSync(real)
  if (!stat.isFile())
    throw new FileRefused(file, `it is ${stat.isDirectory() ? "a folder" : "no file"}`, "move it away")
  if (stat.size > mostBytes)
    throw new FileRefused(
      file,
      `it is larger than ${mostBytes >> 20} MiB`,
      "look whether it is the right file"
    )
  let bytes: Buffer
  try {
    bytes = readFileSync(real)
  } catch (cause) {
    throw new FileRefused(file, `it cannot be read: ${codeOf(cause)}`, "make it readable")
  }
  let text: string
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new FileRefused(file, "it is not UTF-8", "save it as UTF-8")
  }
  const marked = text.startsWith(byteOrderMark)
  return { file, real, text: marked ? text.slice(1) : text, mark: marked ? byteOrderMark : "", bytes }
}

/** Throws {@link FileRefused} where a file could not be written. `base` is the folder below which folders are made. */
export const checkWritable = ({ bytes, file, real }: Found, base: string): void => {
  if (!(statSync(base, { throwIfNoEntry: false })?.isDirectory() ?? false))
    throw new FileRefused(file, `there is no folder ${base}`, "make it, or name another one")
  const folder = dirname(real)
  const place = entryAt(folder) === undefined ? standing(folder) : folder
  try {
    if (!statSync(place).isDirectory())
      throw new FileRefused(file, `${place} is no folder`, "move what stands there away")
    accessSync(place, constants.W_OK)
    if (bytes !== undefined) accessSync(real, constants.W_OK)
  } catch (cause) {
    if (cause instanceof FileRefused) throw cause
    throw new FileRefused(file, `it cannot be written: ${codeOf(cause)}`, "make it and its folder writable")
  }
  // Whoever may write anything is held to what the file says.
  if (bytes !== undefined && (statSync(real).mode & 0o222) === 0)
    throw new FileRefused(file, "it is read-only", "make it writable")
}

const syncFolder = (folder: string): void => {
  try {
    const descriptor = openSync(folder, "r")
    try {
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch {
    // Some systems cannot.
  }
}

/**
 * Puts another text in the place of what was found, undefined for no file. The file is written beside its place and
 * renamed into it, so that nobody ever sees half of it; a file that changed since it was found is left alone. Throws
 * {@link FileRefused}.
 */
export const writeConfig = (
  { bytes, file, mark, real }: Found,
  text: string | undefined,
  mode: number
): void => {
  const now = readConfig(file)
  if (
    now.real !== real ||
    (now.bytes === undefined ? bytes !== undefined : bytes === undefined || !now.bytes.equals(bytes))
  )
    throw new FileRefused(file, "it changed while it was looked at", "do it again")
  const folder = dirname(real)
  try {
    if (text === undefined) {
      unlinkSync(real)
      syncFolder(folder)
      return
    }
    mkdirSync(folder, { recursive: true })
    const before = statSync(real, { throwIfNoEntry: false })
    const beside = join(folder, `.${basename(real)}.${randomUUID()}.tmp`)
    const descriptor = openSync(beside, "wx", 0o600)
    try {
      try {
        writeFileSync(descriptor, `${mark}${text}`)
        if (before !== undefined && (before.uid !== process.getuid?.() || before.gid !== process.getgid?.()))
          try {
            fchownSync(descriptor, before.uid, before.gid)
          } catch {
            // The file becomes that of whoever changes it.
          }
        fchmodSync(descriptor, before === undefined ? mode : before.mode & 0o7777)
        fsyncSync(descriptor)
      } finally {
        closeSync(descriptor)
      }
      renameSync(beside, real)
    } catch (cause) {
      rmSync(beside, { force: true })
      throw cause
    }
    syncFolder(folder)
  } catch (cause) {
    throw new FileRefused(file, `it cannot be written: ${codeOf(cause)}`, "make room, or make it writable")
  }
}
