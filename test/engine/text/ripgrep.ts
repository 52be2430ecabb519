import { execFileSync, spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { rgPath } from "@vscode/ripgrep"

/** Files under one directory, for this room's searches and for ripgrep alike. */
export interface Tree {
  readonly root: string
  /** Relative paths; a file's id is its index. */
  readonly paths: ReadonlyArray<string>
  readonly bytes: ReadonlyArray<Buffer>
  readonly remove: () => void
}

/** Writes files into a fresh directory. */
export const writeTree = (files: Readonly<Record<string, string | Uint8Array>>): Tree => {
  const root = mkdtempSync(join(tmpdir(), "portico-text-"))
  const paths = Object.keys(files)
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), files[path]!)
  }
  return {
    root,
    paths,
    bytes: paths.map((path) => readFileSync(join(root, path))),
    remove: () => rmSync(root, { recursive: true })
  }
}

/** Opens files that exist already. */
export const openTree = (root: string, extensions: RegExp): Tree => {
  const paths = (readdirSync(root, { recursive: true }) as Array<string>)
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => extensions.test(path) && statSync(join(root, path)).isFile())
    .sort()
  return { root, paths, bytes: paths.map((path) => readFileSync(join(root, path))), remove: () => {} }
}

/** A match as `path:line:start-end` with byte offsets of the file. */
export type Found = string

/** All matches according to ripgrep, or undefined when it refuses the pattern. */
export const ripgrep = (
  tree: Tree,
  pattern: string,
  flags: ReadonlyArray<string>
): Array<Found> | undefined => {
  const run = spawnSync(
    rgPath,
    ["--json", "--no-config", "--no-ignore", "--hidden", "--threads=1", ...flags, "-e", pattern, "."],
    { cwd: tree.root, maxBuffer: 1 << 29 }
  )
  if (run.status === 2) return undefined
  const found: Array<Found> = []
  for (const row of run.stdout.toString("latin1").split("\n")) {
    if (!row.startsWith('{"type":"match"')) continue
    const data = JSON.parse(Buffer.from(row, "latin1").toString("utf8")).data
    const path = (data.path.text as string).replace(/^\.\//, "").replaceAll("\\", "/")
    const known = tree.paths.indexOf(path)
    if (known < 0) continue
    for (const { start, end } of data.submatches)
      found.push(`${path}:${data.line_number}:${data.absolute_offset + start}-${data.absolute_offset + end}`)
  }
  return found.sort()
}

/** Paths that ripgrep would search with `--glob` flags. */
export const ripgrepFiles = (tree: Tree, flags: ReadonlyArray<string>): Array<string> | undefined => {
  const run = spawnSync(rgPath, ["--files", "--no-config", "--no-ignore", "--hidden", ...flags], {
    cwd: tree.root
  })
  if (run.status === 2) return undefined
  return run.stdout
    .toString("utf8")
    .split("\n")
    .filter((path) => path !== "")
    .sort()
}

export const ripgrepVersion = (): string => execFileSync(rgPath, ["--version"]).toString().split("\n")[0]!
