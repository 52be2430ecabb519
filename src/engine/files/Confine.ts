import { kindOf, safeReadFlags } from "./SafeOpen.ts"
import {
  closeSync,
  fstatSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
  realpathSync,
  statSync
} from "node:fs"
import type { Stats } from "node:fs"
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path"
import { Data, Effect } from "effect"

/**
 * Why a path argument was not accepted.
 *
 * - `path_outside_root`: it leaves the root, as text (`..`, an absolute path elsewhere, NUL) or once symbolic links are followed.
 * - `sensitive_path`: it reaches into a `.git` directory.
 * - `not_found`: nothing is there, and nothing was hidden by missing permission.
 * - `not_file` / `not_directory`: something else is there.
 * - `permission_denied`: the system does not let us look.
 * - `invalid_path`: no file can have this name (empty, too long, unpaired surrogates, a loop of links).
 * - `too_large`: the file exceeds the caller's byte limit.
 * - `changed`: the file was replaced between resolving and opening it.
 * - `io_error`: the system failed in another way; `detail` has its code.
 */
export type PathReason =
  | "path_outside_root"
  | "sensitive_path"
  | "not_found"
  | "not_file"
  | "not_directory"
  | "permission_denied"
  | "invalid_path"
  | "too_large"
  | "changed"
  | "io_error"

/** A refused path argument. `path` is the caller's text (at most 500 characters); `detail` is a short code or remark, never file content. */
export class PathRefused extends Data.TaggedError("PathRefused")<{
  readonly reason: PathReason
  readonly path: string
  readonly detail: string | null
}> {
  override get message(): string {
    return `${this.reason}: ${JSON.stringify(this.path)}${this.detail === null ? "" : ` (${this.detail})`}`
  }
}

/** A directory that paths are confined to. `given` is how the caller spelled it (absolute), `real` its resolved path. */
export interface Root {
  readonly given: string
  readonly real: string
}

/** An accepted path. `absolute` has no symbolic link left in it; `relative` is the same place below the root with `/` ("" is the root). */
export interface Confined {
  readonly relative: string
  readonly absolute: string
  /** The caller's path below the root, tidied as text only; differs from `relative` when links or letter case were resolved. */
  readonly requested: string
  readonly exists: boolean
}

/** What the caller wants to find at the path. */
export interface ConfineOptions {
  readonly kind?: "file" | "directory" | "any"
  /** Accept a path where nothing exists yet, as long as the existing part above it stays inside. */
  readonly allowMissing?: boolean
  /** Accept paths inside `.git`. Default false. */
  readonly allowGitDir?: boolean
}

const refused = (reason: PathReason, path: string, detail: string | null = null): PathRefused =>
  new PathRefused({ reason, path: path.slice(0, 500), detail })

const ofErrno = (path: string, cause: unknown): PathRefused => {
  const code = (cause as NodeJS.ErrnoException).code ?? "unknown"
  switch (code) {
    case "ENOENT":
      return refused("not_found", path)
    case "ENOTDIR":
      return refused("not_found", path, "a parent is not a directory")
    case "EACCES":
    case "EPERM":
      return refused("permission_denied", path)
    case "ELOOP":
      return refused("invalid_path", path, "symlink_loop")
    case "ENAMETOOLONG":
      return refused("invalid_path", path, "name_too_long")
    case "EISDIR":
      return refused("not_file", path, "directory")
    case "ENXIO":
    case "ENODEV":
      return refused("not_file", path, "special file")
    default:
      return refused("io_error", path, code)
  }
}

/** Resolves the root once. It must be an existing directory. */
export const openRootSync = (directory: string): Root | PathRefused => {
  if (directory === "" || directory.includes("\0")) return refused("invalid_path", directory)
  const given = resolve(directory)
  try {
    const real = realpathSync.native(given)
    return statSync(real).isDirectory() ? { given, real } : refused("not_directory", directory)
  } catch (cause) {
    return ofErrno(directory, cause)
  }
}

/** Whether an absolute path without `.` or `..` in it is a folder or lies below it, as text. */
export const isBelow = (root: string, path: string): boolean =>
  path === root || path.startsWith(root.endsWith(sep) ? root : root + sep)

const gitComponent = /^(\.git|git~\d+)[. ]*(::.*)?$/i

const toSlashes = (path: string): string => (sep === "/" ? path : path.split(sep).join("/"))

const isWellFormed = (text: string): boolean =>
  !/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text)

/** What a path is that was written the way of another place: an address, a home folder, another system's drive. */
const foreign = (path: string): string | null =>
  /^[a-z][a-z0-9+.-]+:\/\//i.test(path)
    ? "a URL, and a path of this repository is needed"
    : /^~(?:[\\/]|$)/.test(path)
      ? "~ is no folder of this repository"
      : /^[a-z]:[\\/]/i.test(path) && sep === "/"
        ? "a drive of another system"
        : null

/** The path's components below the root as text, or a refusal. Never touches the disk. */
const lexical = (root: Root, path: string): ReadonlyArray<string> | PathRefused => {
  if (typeof path !== "string" || path === "") return refused("invalid_path", String(path), "empty")
  if (path.includes("\0")) return refused("path_outside_root", path, "nul_character")
  if (!isWellFormed(path)) return refused("invalid_path", path, "unpaired_surrogate")
  const parts = path.split(sep === "\\" ? /[\\/]/ : "/")
  if (parts.includes("..")) return refused("path_outside_root", path, "parent_segment")
  if (!isAbsolute(path)) {
    if (/^[a-zA-Z]:/.test(path) && sep === "\\") return refused("path_outside_root", path, "drive")
    return parts.filter((part) => part !== "" && part !== ".")
  }
  const tidy = resolve(path)
  const base = isBelow(root.real, tidy) ? root.real : isBelow(root.given, tidy) ? root.given : null
  if (base === null) return refused("path_outside_root", path, "absolute")
  const below = relative(base, tidy)
  return below === "" ? [] : below.split(sep)
}

interface Resolved {
  readonly absolute: string
  readonly exists: boolean
}

/**
 * The real place of a path whose last parts may not exist. A dangling link counts as its target, since that is where
 * a write would land.
 */
const resolveReal = (path: string, asked: string, depth: number): Resolved | PathRefused => {
  if (depth > 40) return refused("invalid_path", asked, "symlink_loop")
  const missing: Array<string> = []
  for (let at = path; ; ) {
    try {
      const real = realpathSync.native(at)
      if (missing.length > 0 && !statSync(real).isDirectory()) {
        return refused("not_found", asked, "a parent is not a directory")
      }
      return { absolute: join(real, ...missing), exists: missing.length === 0 }
    } catch (cause) {
      const code = (cause as NodeJS.ErrnoException).code
      if (code !== "ENOENT") return ofErrno(asked, cause)
    }
    let target: string | null = null
    try {
      if (lstatSync(at).isSymbolicLink()) target = readlinkSync(at)
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== "ENOENT") return ofErrno(asked, cause)
    }
    const parent = dirname(at)
    if (target !== null) {
      try {
        const from = realpathSync.native(parent)
        const next = isAbsolute(target) ? target : join(from, target)
        return resolveReal(join(next, ...missing), asked, depth + 1)
      } catch (cause) {
        return ofErrno(asked, cause)
      }
    }
    if (parent === at) return refused("not_found", asked)
    missing.unshift(at.slice(parent.endsWith(sep) ? parent.length : parent.length + 1))
    at = parent
  }
}

/** Synchronous form of `confine`: the refusal is returned, not thrown. */
export const confineSync = (
  root: Root,
  path: string,
  options: ConfineOptions = {}
): Confined | PathRefused => {
  const parts = lexical(root, path)
  if (parts instanceof PathRefused) return parts
  if (options.allowGitDir !== true && parts.some((part) => gitComponent.test(part))) {
    return refused("sensitive_path", path, "git_directory")
  }
  const resolved = resolveReal(join(root.real, ...parts), path, 0)
  if (resolved instanceof PathRefused) return resolved
  if (!isBelow(root.real, resolved.absolute)) return refused("path_outside_root", path, "symlink")
  const below = toSlashes(relative(root.real, resolved.absolute))
  if (options.allowGitDir !== true && below.split("/").some((part) => gitComponent.test(part))) {
    return refused("sensitive_path", path, "git_directory")
  }
  const confined = {
    relative: below,
    absolute: resolved.absolute,
    requested: parts.join("/"),
    exists: resolved.exists
  }
  if (!resolved.exists) {
    // A file may have such a name; one that is not there was meant for another place.
    const why = foreign(path)
    if (why !== null) return refused("invalid_path", path, why)
    return options.allowMissing === true ? confined : refused("not_found", path)
  }
  const kind = options.kind ?? "any"
  // "x/" and "x/." speak of a folder; the system finds nothing there when x is a file.
  const asFolder = parts.length > 0 && (sep === "/" ? /\/\.?$/ : /[\\/]\.?$/).test(path)
  if (kind === "any" && !asFolder) return confined
  let stat: Stats
  try {
    stat = lstatSync(resolved.absolute)
  } catch (cause) {
    return ofErrno(path, cause)
  }
  if (asFolder && !stat.isDirectory()) return refused("not_found", path, "a parent is not a directory")
  if (kind === "file" && !stat.isFile()) return refused("not_file", path, kindOf(stat))
  if (kind === "directory" && !stat.isDirectory()) return refused("not_directory", path, kindOf(stat))
  return confined
}

/** A file read through its descriptor. */
export interface ConfinedRead {
  readonly file: Confined
  readonly bytes: Buffer
  readonly size: number
  readonly mtimeMs: number
  readonly mode: number
}

/** Whether the open descriptor still is the file at `absolute`, inside the root. */
const stillThere = (fd: number, stat: Stats, file: Confined): boolean => {
  if (process.platform === "linux") {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === file.absolute
    } catch {
      // No /proc here: compare by name below.
    }
  }
  try {
    const now = lstatSync(file.absolute)
    return (
      realpathSync.native(file.absolute) === file.absolute && now.ino === stat.ino && now.dev === stat.dev
    )
  } catch {
    return false
  }
}

/**
 * Does something with a regular file inside the root while it is open. The path is resolved, opened without following a
 * final link or blocking, and the descriptor is checked again, so a swap between the steps yields `changed`, never bytes
 * from elsewhere. What `use` throws is refused as the file system's.
 */
export const withConfinedSync = <A>(
  root: Root,
  path: string,
  options: { readonly allowGitDir?: boolean },
  use: (fd: number, stat: Stats, file: Confined) => A | PathRefused
): A | PathRefused => {
  const file = confineSync(root, path, { kind: "file", allowGitDir: options.allowGitDir === true })
  if (file instanceof PathRefused) return file
  let fd: number
  try {
    fd = openSync(file.absolute, safeReadFlags)
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "ELOOP"
      ? refused("changed", path, "symlink")
      : ofErrno(path, cause)
  }
  try {
    const stat = fstatSync(fd)
    if (!stat.isFile()) return refused("not_file", path, kindOf(stat))
    if (!stillThere(fd, stat, file)) return refused("changed", path)
    return use(fd, stat, file)
  } catch (cause) {
    return ofErrno(path, cause)
  } finally {
    closeSync(fd)
  }
}

/** Reads a regular file inside the root, as {@link withConfinedSync} has it. */
export const readConfinedSync = (
  root: Root,
  path: string,
  options: { readonly maxBytes?: number; readonly allowGitDir?: boolean } = {}
): ConfinedRead | PathRefused =>
  withConfinedSync(root, path, options, (fd, stat, file) => {
    const limit = options.maxBytes ?? Number.MAX_SAFE_INTEGER
    if (stat.size > limit) return refused("too_large", path, `${stat.size} bytes`)
    let buffer = Buffer.allocUnsafe(stat.size + 1)
    let length = 0
    for (;;) {
      const read = readSync(fd, buffer, length, buffer.length - length, null)
      if (read === 0) break
      length += read
      if (length > limit) return refused("too_large", path, `more than ${limit} bytes`)
      if (length === buffer.length) {
        const grown = Buffer.allocUnsafe(buffer.length * 2)
        buffer.copy(grown, 0, 0, length)
        buffer = grown
      }
    }
    return { file, bytes: buffer.subarray(0, length), size: length, mtimeMs: stat.mtimeMs, mode: stat.mode }
  })

const lift = <A>(attempt: () => A | PathRefused): Effect.Effect<A, PathRefused> =>
  Effect.suspend(() => {
    const answer = attempt()
    return answer instanceof PathRefused ? Effect.fail(answer) : Effect.succeed(answer as A)
  })

/** Resolves a root directory; fails with `PathRefused`. */
export const openRoot = (directory: string): Effect.Effect<Root, PathRefused> =>
  lift(() => openRootSync(directory))

/** Resolves a caller's path argument (relative to the root, or absolute inside it) after following symbolic links. */
export const confine = (
  root: Root,
  path: string,
  options: ConfineOptions = {}
): Effect.Effect<Confined, PathRefused> => lift(() => confineSync(root, path, options))

/** Resolves and reads a regular file; see `readConfinedSync`. */
export const readConfined = (
  root: Root,
  path: string,
  options: { readonly maxBytes?: number; readonly allowGitDir?: boolean } = {}
): Effect.Effect<ConfinedRead, PathRefused> => lift(() => readConfinedSync(root, path, options))
