import { lstatSync, readFileSync, statSync } from "node:fs"
import { dirname, isAbsolute, join, resolve } from "node:path"

/** Where a repository keeps its things, found by reading files only. Paths are absolute. */
export interface Location {
  /** The directory that holds `.git`. */
  readonly topLevel: string
  /** This work tree's own git directory. */
  readonly gitDir: string
  /** The directory shared by all work trees of the repository. */
  readonly commonDir: string
  /** True for a work tree made by `git worktree add`. */
  readonly isWorktree: boolean
}

const readSmall = (path: string): string | null => {
  try {
    // Most of what is looked for is not there, and an error is made more slowly than a file is read.
    const stat = statSync(path, { throwIfNoEntry: false })
    return stat?.isFile() === true && stat.size <= 65536 ? readFileSync(path, "utf8") : null
  } catch {
    return null
  }
}

/** Reads the `.git` of exactly this directory. Null when there is none that looks like a repository; git itself may still refuse it. */
export const locateHere = (directory: string): Location | null => {
  const dotGit = join(directory, ".git")
  let gitDir: string
  try {
    const stat = lstatSync(dotGit)
    if (stat.isDirectory()) gitDir = dotGit
    else if (stat.isFile() || stat.isSymbolicLink()) {
      if (statSync(dotGit).isDirectory()) gitDir = dotGit
      else {
        const match = /^gitdir: ([^\0]+?)\r?\n*$/.exec(readSmall(dotGit) ?? "")
        if (match === null) return null
        gitDir = resolve(directory, match[1]!)
      }
    } else return null
  } catch {
    return null
  }
  if (readHead(gitDir) === null) return null
  const common = readSmall(join(gitDir, "commondir"))?.replace(/\r?\n*$/, "")
  const commonDir = common === undefined || common === "" ? gitDir : resolve(gitDir, common)
  return { topLevel: directory, gitDir, commonDir, isWorktree: commonDir !== gitDir }
}

/** Looks upwards from a directory for the repository around it. */
export const locate = (directory: string): Location | null => {
  for (let at = directory; ; ) {
    const found = locateHere(at)
    if (found !== null) return found
    const parent = dirname(at)
    if (parent === at) return null
    at = parent
  }
}

/** HEAD as its file states it: a branch (or other ref) by full name, or a commit when detached. */
export type Head =
  | { readonly _tag: "Ref"; readonly ref: string }
  | { readonly _tag: "Detached"; readonly oid: string }

/** Reads HEAD of a git directory; null when it is missing or malformed. With the reftable format this is a placeholder ref. */
export const readHead = (gitDir: string): Head | null => {
  const text = readSmall(join(gitDir, "HEAD"))
  if (text === null) return null
  const ref = /^ref: *(.+?)\s*$/.exec(text)
  if (ref !== null) return { _tag: "Ref", ref: ref[1]! }
  const oid = /^([0-9a-f]{40}|[0-9a-f]{64})\s*$/.exec(text)
  return oid === null ? null : { _tag: "Detached", oid: oid[1]! }
}

/** A refs file name that stays below the common directory. */
const plainRef = (ref: string): boolean =>
  !isAbsolute(ref) && !ref.split("/").includes("..") && !ref.includes("\0")

/** State of a repository that is cheap to look at again. Equal `stamp` means that neither HEAD, its commit nor the index moved. */
export interface HeadStamp {
  /** Opaque; compare for equality only. */
  readonly stamp: string
  /** HEAD's ref, or null when detached or unreadable. */
  readonly ref: string | null
  /** HEAD's commit when it could be read without git: null when unborn, or kept where only git can read it. */
  readonly oid: string | null
}

/** What a path's inode, size and modification time tell apart; "-" when there is nothing to be seen. */
export const statPart = (path: string): string => {
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    return stat === undefined ? "-" : `${stat.ino}.${stat.size}.${stat.mtimeMs}`
  } catch {
    return "-"
  }
}

const isOid = (text: string): boolean => /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text)

/**
 * Probes HEAD, the ref it names and the index with a handful of system calls and no child process.
 *
 * The stamp covers HEAD's content, the ref's content (or `packed-refs` and the reftable list by stat) and the index
 * by inode, size and modification time. It cannot see edits of work tree files.
 */
const probe = (gitDir: string, commonDir: string) => {
  const head = readHead(gitDir)
  const index = statPart(join(gitDir, "index"))
  if (head === null) return { stamp: `?|${index}` }
  if (head._tag === "Detached") return { stamp: `${head.oid}|${index}`, detached: head.oid }
  const { ref } = head
  const usable = plainRef(ref)
  const loose = usable ? (readSmall(join(gitDir, ref)) ?? readSmall(join(commonDir, ref)))?.trim() : undefined
  if (loose !== undefined && isOid(loose)) return { stamp: `${ref}=${loose}|${index}`, ref, loose }
  const packed = statPart(join(commonDir, "packed-refs"))
  const tables = [gitDir, commonDir].map((dir) => statPart(join(dir, "reftable", "tables.list"))).join()
  return {
    stamp: `${ref}~${loose ?? ""}~${packed}~${tables}|${index}`,
    ref,
    usable,
    hasTables: tables !== "-,-"
  }
}

/** The stamp of {@link headStamp} alone, for those who ask again and again. */
export const stampOfHead = (gitDir: string, commonDir: string): string => probe(gitDir, commonDir).stamp

/** The stamp, and what HEAD names. */
export const headStamp = (gitDir: string, commonDir: string = gitDir): HeadStamp => {
  const { detached, hasTables, loose, ref, stamp, usable } = probe(gitDir, commonDir)
  if (ref === undefined) return { stamp, ref: null, oid: detached ?? null }
  if (loose !== undefined) return { stamp, ref, oid: loose }
  return {
    stamp,
    ref: hasTables === true ? null : ref,
    oid: usable === true && hasTables !== true ? packedOid(commonDir, ref) : null
  }
}

const packedOid = (commonDir: string, ref: string): string | null => {
  let text: string
  try {
    const path = join(commonDir, "packed-refs")
    const stat = statSync(path)
    if (!stat.isFile() || stat.size > 64 << 20) return null
    text = readFileSync(path, "latin1")
  } catch {
    return null
  }
  const at = text.indexOf(` ${Buffer.from(ref, "utf8").toString("latin1")}\n`)
  if (at < 0) return null
  const oid = text.slice(text.lastIndexOf("\n", at) + 1, at)
  return isOid(oid) ? oid : null
}
