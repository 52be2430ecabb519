/** What git says about single paths. */
import type { GitState } from "../../services/LocalWriter.ts"
import { Effect } from "effect"
import { readFileSync, statSync } from "node:fs"
import { join, relative, sep } from "node:path"
import { locate } from "../git/HeadStamp.ts"
import { run } from "../git/Process.ts"
import { listedIn } from "./GitIndex.ts"

/** `ignored` is null when it could not be found out. */
export interface PathFact {
  readonly git: GitState
  readonly ignored: boolean | null
}

/** Asks about root-relative paths; each of them is in the answer. Never fails. */
export type PathFacts = (paths: ReadonlyArray<string>) => Effect.Effect<ReadonlyMap<string, PathFact>>

const split = (output: Buffer): ReadonlySet<string> =>
  new Set(
    output
      .toString("utf8")
      .split("\0")
      .filter((path) => path !== "")
  )

/** When git's index was last written; "" when there is none. */
const stampOf = (directory: string): string => {
  const place = locate(directory)
  if (place === null) return ""
  try {
    const { ctimeNs, ino, mtimeNs, size } = statSync(join(place.gitDir, "index"), { bigint: true })
    return `${ino} ${size} ${mtimeNs} ${ctimeNs}`
  } catch {
    return ""
  }
}

/** Bytes of the longest index that is read through here. */
const longestIndex = 32 << 20

/** Those of some paths below a directory that git's index lists; none where it cannot be read here. */
const listedOf = (directory: string, paths: ReadonlyArray<string>): ReadonlyArray<string> => {
  const place = paths.length === 0 ? null : locate(directory)
  if (place === null) return []
  const below = relative(place.topLevel, directory)
  if (below.startsWith("..")) return []
  const prefix = below === "" ? "" : `${below.split(sep).join("/")}/`
  try {
    const file = join(place.gitDir, "index")
    if (statSync(file).size > longestIndex) return []
    const listed = listedIn(
      readFileSync(file),
      paths.map((path) => prefix + path)
    )
    return paths.filter((path) => listed?.has(prefix + path) === true)
  } catch {
    return []
  }
}

/** Paths that are remembered as tracked. */
const mostTracked = 10_000

/**
 * Looks into git's index, and asks git about what is not there, with two short-lived commands for all paths together. What is tracked, and so not
 * ignored, stays that while git's index is not written, and is not asked again.
 */
export const gitPathFacts = (directory: string): PathFacts => {
  const ask = askGit(directory)
  const tracked = new Set<string>()
  let stamp = ""
  return (paths) =>
    Effect.suspend(() => {
      const now = stampOf(directory)
      if (now !== stamp || tracked.size > mostTracked) tracked.clear()
      stamp = now
      const fact: PathFact = { git: "tracked", ignored: false }
      for (const path of listedOf(
        directory,
        paths.filter((path) => !tracked.has(path))
      ))
        tracked.add(path)
      const unknown = paths.filter((path) => !tracked.has(path))
      return Effect.map(ask(unknown), (facts) => {
        // What was written meanwhile may have been asked before or after.
        if (now !== "" && stampOf(directory) === now)
          for (const [path, { git, ignored }] of facts)
            if (git === "tracked" && ignored === false) tracked.add(path)
        return new Map(paths.map((path): [string, PathFact] => [path, facts.get(path) ?? fact]))
      })
    })
}

const askGit =
  (directory: string): PathFacts =>
  (paths) => {
    const asked = [...new Set(paths)]
    const all = (fact: PathFact): ReadonlyMap<string, PathFact> => new Map(asked.map((path) => [path, fact]))
    if (asked.length === 0) return Effect.succeed(new Map())
    return Effect.all(
      [
        run(directory, ["--literal-pathspecs", "ls-files", "-z", "--cached", "--", ...asked], {
          timeoutMs: 10_000
        }),
        run(directory, ["check-ignore", "-z", "--stdin"], {
          stdin: Buffer.from(asked.map((path) => `${path}\0`).join("")),
          okCodes: [0, 1],
          timeoutMs: 10_000
        })
      ],
      { concurrency: 2 }
    ).pipe(
      Effect.map(([tracked, ignored]) => {
        const known = split(tracked.stdout)
        const left = split(ignored.stdout)
        return new Map(
          asked.map((path): [string, PathFact] => [
            path,
            { git: known.has(path) ? "tracked" : "untracked", ignored: left.has(path) }
          ])
        )
      }),
      Effect.catchAll((error) =>
        Effect.succeed(
          error.reason === "not_a_repository"
            ? all({ git: "no_repository", ignored: null })
            : all({ git: "unknown", ignored: null })
        )
      )
    )
  }
