import { lstatSync } from "node:fs"
import type { Stats } from "node:fs"
import { join } from "node:path"

/** What a census compares. An `Entry` of a walk is one. */
export interface Counted {
  /** Root-relative with `/`. */
  readonly path: string
  /** Bytes. */
  readonly size: number
  readonly mtimeMs: number
  readonly ino: number
  /** The system's mode bits. */
  readonly mode: number
}

/** A regular file as the system tells of it. Times in milliseconds since 1970, with fractions. */
export interface Looked extends Counted {
  /** When whatever the system says of it changed last, its bytes included. */
  readonly ctimeMs: number
}

/**
 * The difference between two looks at a tree. `changed` means that size, modification time, inode or executable bit
 * differ; the content may still be equal. `same` says nothing of a write that keeps all four.
 */
export interface CensusResult<A extends Counted> {
  readonly added: ReadonlyArray<A>
  readonly changed: ReadonlyArray<A>
  readonly removed: ReadonlyArray<string>
  /** Number of files whose stat is equal. */
  readonly same: number
}

/** Whether two stats leave no sign of a change. */
export const sameStat = (a: Counted, b: Counted): boolean =>
  a.size === b.size && a.mtimeMs === b.mtimeMs && a.ino === b.ino && (a.mode & 0o111) === (b.mode & 0o111)

/** Compares previous entries with fresh ones; both in any order, each path at most once. Linear in their number. */
export const census = <A extends Counted>(
  previous: Iterable<Counted>,
  fresh: ReadonlyArray<A>
): CensusResult<A> => {
  const before = new Map<string, Counted>()
  for (const entry of previous) before.set(entry.path, entry)
  const added: Array<A> = []
  const changed: Array<A> = []
  let same = 0
  for (const entry of fresh) {
    const old = before.get(entry.path)
    if (old === undefined) added.push(entry)
    else {
      before.delete(entry.path)
      if (sameStat(old, entry)) same++
      else changed.push(entry)
    }
  }
  return { added, changed, removed: [...before.keys()], same }
}

/** What is at a path now. `unknown` means that the system would not say; it is not the same as `absent`. */
export type StatFact =
  | ({ readonly _tag: "File" } & Looked)
  | { readonly _tag: "Absent"; readonly path: string }
  | { readonly _tag: "Other"; readonly path: string }
  | { readonly _tag: "Unknown"; readonly path: string; readonly code: string }

/** Looks at given root-relative paths, links not followed, synchronously: the way to refresh a few known files. `root` must be resolved. */
export const statCensus = (root: string, paths: Iterable<string>): ReadonlyArray<StatFact> => {
  const facts: Array<StatFact> = []
  for (const path of paths) {
    let stat: Stats | undefined
    try {
      stat = lstatSync(join(root, path), { throwIfNoEntry: false })
    } catch (cause) {
      const code = (cause as NodeJS.ErrnoException).code ?? "unknown"
      facts.push(code === "ENOTDIR" ? { _tag: "Absent", path } : { _tag: "Unknown", path, code })
      continue
    }
    if (stat === undefined) facts.push({ _tag: "Absent", path })
    else if (!stat.isFile()) facts.push({ _tag: "Other", path })
    else
      facts.push({
        _tag: "File",
        path,
        size: stat.size,
        mtimeMs: stat.mtimeMs,
        ctimeMs: stat.ctimeMs,
        ino: stat.ino,
        mode: stat.mode
      })
  }
  return facts
}
