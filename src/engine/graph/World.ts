/**
 * What a resolver looks at: the facts of every indexed file, the names they share, and the configuration files
 * that say how modules are found.
 */
import type { FactsView } from "../languages/Facts.ts"
import type { Interner } from "../languages/Interner.ts"
import type { Language } from "../languages/Language.ts"

/** One file with facts. Its id is its place in {@link World.files} and stays the same while the file exists. */
export interface WorldFile {
  readonly id: number
  /** Relative to the workspace root, with `/`. */
  readonly path: string
  /** Directory part of the path without a trailing slash; "" at the root. */
  readonly dir: string
  readonly language: Language
  readonly view: FactsView
}

export interface World {
  readonly files: ReadonlyArray<WorldFile | undefined>
  readonly names: Interner
  /** Id of the file with facts at a path, or -1. */
  readonly fileAt: (path: string) => number
  /** Whether any listed file lies under the directory. */
  readonly hasDirectory: (dir: string) => boolean
  /** Text of a small listed file (package.json, tsconfig.json, go.mod, Cargo.toml …), or undefined. */
  readonly readConfig: (path: string) => string | undefined
  /** Paths of all listed files with this base name. */
  readonly configs: (baseName: string) => ReadonlyArray<string>
  /** The only member of a type that bears the name, or -1. */
  readonly loneMember: (name: number) => Node
}

/**
 * A node: a definition of a file, or the file itself. One number, file in the high part, so that a node can key a
 * map and survives changes of other files.
 */
export type Node = number
const definitions = 1 << 20
export const nodeOf = (file: number, definition: number): Node => file * definitions + definition + 1
export const fileOf = (node: Node): number => Math.floor(node / definitions)
/** Index of the definition in its file; -1 for the file itself. */
export const definitionOf = (node: Node): number => node - Math.floor(node / definitions) * definitions - 1
/** A file with more definitions than this is not indexed whole. */
export const definitionLimit = definitions - 2

export const dirOf = (path: string): string => {
  const at = path.lastIndexOf("/")
  return at < 0 ? "" : path.slice(0, at)
}
export const baseOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1)

/** Joins a directory and a relative path; undefined when it leaves the root. */
export const joinPath = (dir: string, relative: string): string | undefined => {
  const out = dir === "" ? [] : dir.split("/")
  for (const part of relative.split("/")) {
    if (part === "" || part === ".") continue
    if (part === "..") {
      if (out.length === 0) return undefined
      out.pop()
    } else out.push(part)
  }
  return out.join("/")
}
