/** What git says about single paths. */
import type { GitState } from "../../services/LocalWriter.ts"
import { Effect } from "effect"
import { statSync } from "node:fs"
import { join } from "node:path"
import { locate } from "../git/HeadStamp.ts"
import { run } from "../git/Process.ts"

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

/** Paths that are remembered as tracked. */
const mostTracked = 10_000

/**
 * Asks git in the given directory, with two short-lived commands for all paths together. What is tracked, and so not
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
