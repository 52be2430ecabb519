/** What git says about single paths. */
import type { GitState } from "../../services/LocalWriter.ts"
import { Effect } from "effect"
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

/** Asks git in the given directory, with two short-lived commands for all paths together. */
export const gitPathFacts =
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
