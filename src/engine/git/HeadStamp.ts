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

const headOf = (text: string | null): Head | null => {
  if (text === null) return null
  const ref = /^ref: *(.+?)\s*$/.exec(text)
  if (ref !== null) return { _tag: "Ref", ref: ref[1]! }
  const oid = /^([0-9a-f]{40}|[0-9a-f]{64})\s*$/.exec(text)
  return oid === null ? null : { _tag: "Detached", oid: oid[1]! }
}

/** Reads HEAD of a git directory; null when it is missing or malformed. With the reftable format this is a placeholder ref. */
export const readHead = (gitDir: string): Head | null => headOf(readSmall(join(gitDir, "HEAD")))

/** A refs file name that stays below the common directory. */
const plainRef = (ref: string): boolean =>
  !isAbsolute(ref) && !ref.split("/").includes("..") && !ref.includes("\0")

/** What a path's inode, size and modification time tell apart; "-" when there is nothing to be seen. */
const statPart = (path: string): string => {
  try {
    const stat = statSync(path, { throwIfNoEntry: false })
    return stat === undefined ? "-" : `${stat.ino}.${stat.size}.${stat.mtimeMs}`
  } catch {
    return "-"
  }
}

/** Milliseconds within which a second write may leave a file's times as the first one did. */
const grainMs = 100

/** A small file that is read again only when what the system says of it has moved. */
class Kept {
  #seen: string | undefined
  #text: string | null = null

  constructor(readonly path: string) {}

  /** Its text as it is now; null where there is no small file. */
  read(): string | null {
    try {
      const stat = statSync(this.path, { throwIfNoEntry: false })
      if (stat === undefined) {
        this.#seen = undefined
        return null
      }
      const { ctimeMs, ino, mtimeMs, size } = stat
      const seen = `${ino}.${size}.${mtimeMs}.${ctimeMs}`
      if (seen !== this.#seen) {
        this.#text = readSmall(this.path)
        this.#seen = Date.now() - ctimeMs > grainMs ? seen : undefined
      }
      return this.#text
    } catch {
      this.#seen = undefined
      return null
    }
  }
}

const isOid = (text: string): boolean => /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text)

/** The file of a ref, in a work tree's own folder or in the shared one. */
class Ref {
  readonly #own: Kept
  readonly #shared: Kept | undefined

  constructor(
    readonly name: string,
    gitDir: string,
    commonDir: string
  ) {
    this.#own = new Kept(join(gitDir, name))
    this.#shared = gitDir === commonDir ? undefined : new Kept(join(commonDir, name))
  }

  read(): string | undefined {
    return (this.#own.read() ?? this.#shared?.read())?.trim()
  }
}

/**
 * Tells with a handful of system calls and no child process whether a repository has moved: its HEAD, the commit that
 * names, its index, its settings or the ignore rules kept with it. Edits of files of the work tree are not seen.
 */
export class RepositoryStamp {
  readonly #head: Kept
  /** What tells by its stat: the index, ignore rules and settings. */
  readonly #watched: ReadonlyArray<string>
  readonly #packed: string
  readonly #tables: ReadonlyArray<string>
  #ref: Ref | undefined

  constructor(
    readonly gitDir: string,
    readonly commonDir: string
  ) {
    this.#head = new Kept(join(gitDir, "HEAD"))
    this.#watched = [join(gitDir, "index"), join(commonDir, "info", "exclude"), join(commonDir, "config")]
    this.#packed = join(commonDir, "packed-refs")
    this.#tables = [gitDir, commonDir].map((dir) => join(dir, "reftable", "tables.list"))
  }

  /** Opaque; compare for equality only: equal means that nothing of it moved. */
  now(): string {
    return [this.#commit(), ...this.#watched.map(statPart)].join("|")
  }

  /** The content of HEAD and of the ref it names, or of what may hold that ref by stat. */
  #commit(): string {
    const head = headOf(this.#head.read())
    if (head === null) return "?"
    if (head._tag === "Detached") return head.oid
    const { ref } = head
    let loose: string | undefined
    if (plainRef(ref)) {
      if (this.#ref?.name !== ref) this.#ref = new Ref(ref, this.gitDir, this.commonDir)
      loose = this.#ref.read()
      if (loose !== undefined && isOid(loose)) return `${ref}=${loose}`
    }
    return `${ref}~${loose ?? ""}~${statPart(this.#packed)}~${this.#tables.map(statPart).join()}`
  }
}
