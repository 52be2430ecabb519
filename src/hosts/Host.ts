/** What is known of one agent's host: where its settings lie and what ours look like in them. */
import { homedir } from "node:os"
import { join, relative, sep } from "node:path"
import type { Path } from "./config/Format.ts"

export interface Where {
  /** Absolute path of the folder that is worked on. */
  readonly project: string
  /** Absolute path of the user's folder. */
  readonly home: string
  readonly env: { readonly [name: string]: string | undefined }
}

/**
 * Whom settings hold for: everybody who works on a project, the user wherever they work, or the user on this project as the
 * host itself wrote it down, which is read here and never written.
 */
export type Scope = "project" | "global" | "local"

/** A place in a file of settings. */
export interface Place {
  readonly scope: Scope
  /** Absolute. */
  readonly file: string
  readonly format: "json" | "toml"
  /** Where in the file what is ours stands. */
  readonly path: Path
}

export interface Host {
  /** The family of its clients, as telemetry tells them apart. */
  readonly name: string
  readonly title: string
  /** The program that tells it is on this machine, and files or folders that do. */
  readonly program: string
  readonly signs: (where: Where) => ReadonlyArray<string>
  /** Where the entry of an MCP server named `portico` lies; the first is written when nothing else is asked for. */
  readonly servers: (where: Where) => ReadonlyArray<Place>
  /** What follows `mcp` in the entry's command line: hosts start a server where they like. */
  readonly serverArguments: (where: Where) => ReadonlyArray<string>
  /** Where its hooks lie; absent for a host whose hooks are told of events in another form than ours reads. */
  readonly hooks?: (where: Where) => ReadonlyArray<Place>
  /** Where people tell its agents what to do. Never written. */
  readonly instructions: (where: Where) => ReadonlyArray<string>
}

/** The name of our entry among a host's servers. */
export const entryName = "portico"

export const here = (project: string): Where => ({ project, home: homedir(), env: process.env })

/** A file as a person would write it: relative to the project, or with `~` for their own folder. */
export const shownPath = (file: string, { home, project }: Where): string => {
  for (const [folder, prefix] of [
    [project, ""],
    [home, `~${sep}`]
  ] as const) {
    const way = relative(folder, file)
    if (way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && way !== file) return join(prefix, way)
  }
  return file
}
