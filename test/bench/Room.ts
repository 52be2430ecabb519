/** A folder for everything a run makes, and copies of trees in it. */
import { execFileSync } from "node:child_process"
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync
} from "node:fs"
import { tmpdir } from "node:os"
import { basename, join, resolve } from "node:path"

export const makeRoom = (): string => realpathSync(mkdtempSync(join(tmpdir(), "portico-bench-")))

const leftOut = new Set(["node_modules", ".codegraph"])
const isBare = (directory: string): boolean =>
  existsSync(join(directory, "HEAD")) && existsSync(join(directory, "objects"))

/** A tree's name: the folder's, or its parent's where the folder is named for its role alone. */
export const nameOf = (directory: string): string => {
  const name = basename(resolve(directory))
  return ["src", "repo", ".git"].includes(name)
    ? nameOf(resolve(directory, ".."))
    : name.replace(/\.git$/, "")
}

/** Copies a work tree with its history, or checks one out of a git directory. What was installed or indexed in it stays behind. */
export const copyTree = (from: string, to: string): string => {
  const source = realpathSync(resolve(from))
  mkdirSync(resolve(to, ".."), { recursive: true })
  if (isBare(source))
    execFileSync("git", ["clone", "-q", source, to], { stdio: ["ignore", "ignore", "pipe"] })
  else
    cpSync(source, to, {
      recursive: true,
      verbatimSymlinks: true,
      preserveTimestamps: true,
      filter: (path) => !leftOut.has(basename(path))
    })
  return to
}

/** Bytes of all files below a folder, or of a file; 0 when there is none. */
export const bytesBelow = (path: string): number => {
  const stat = statSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return 0
  if (!stat.isDirectory()) return stat.size
  return readdirSync(path).reduce((sum, name) => sum + bytesBelow(join(path, name)), 0)
}

export const remove = (path: string): void => rmSync(path, { recursive: true, force: true, maxRetries: 3 })
