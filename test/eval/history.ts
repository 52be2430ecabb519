/**
 * Lines and ranges of files in real repositories against `git blame` and `git log -L`, and commits that touch files
 * against `git log --numstat`: `npm run eval -- history path/to/repository …`.
 */
import { Effect } from "effect"
import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { commitGraph } from "../../src/engine/git/CommitGraph.ts"
import { lineage } from "../../src/engine/git/Lineage.ts"
import { history, Histories } from "../../src/engine/git/Past.ts"

/** Files of a repository that are compared. */
const sampled = 25

const evaluate = async (directory: string) => {
  const git = (...args: ReadonlyArray<string>) =>
    execFileSync("git", ["--literal-pathspecs", ...args], {
      cwd: directory,
      encoding: "utf8",
      maxBuffer: 1 << 30
    })
  const listed = git("ls-tree", "-r", "--name-only", "-z", "HEAD")
    .split("\0")
    .filter((path) => /\.(?:[cm]?[jt]sx?|go|rs|py|java|rb|cs|kt|swift|cpp|h)$/.test(path))
  // Spread over all of them, the same ones every time.
  const paths = listed.filter((_, i) => (i * 7919) % listed.length < sampled)
  const tracked = paths.map((path) => {
    const text = git("show", `HEAD:${path}`)
    const size = text.split("\n").length - Number(text.endsWith("\n") || text === "")
    return {
      path,
      size,
      segments: size === 0 ? [] : [0, size, 0],
      ranges: size < 12 ? [] : [[Math.floor(size / 3), Math.floor(size / 2)]]
    }
  })
  const started = performance.now()
  const graph = await Effect.runPromise(
    commitGraph(directory, { revision: "HEAD", limit: 1_000_000, commonDir: join(directory, ".git") })
  )
  const traced = await Effect.runPromise(lineage(directory, graph, tracked))
  const ms = performance.now() - started
  let lines = 0
  let same = 0
  let ranges = 0
  let equal = 0
  for (const [i, { path, ranges: asked }] of tracked.entries()) {
    const mine = [...traced[i]!.origins].map((origin) => graph.commits[origin]?.id)
    git("blame", "-p", "HEAD", "--", path)
      .split("\n")
      .flatMap((line) => /^([0-9a-f]{40}) \d+ \d+/.exec(line)?.[1] ?? [])
      .forEach((id, line) => {
        lines++
        same += Number(mine[line] === id)
      })
    for (const [first, last] of asked) {
      const wanted = git("log", "--no-merges", "-s", "--format=%H", `-L${first! + 1},${last!}:${path}`)
        .split("\n")
        .filter((id) => id !== "")
      ranges++
      equal += Number(
        wanted.sort().join() ===
          traced[i]!.touches[0]!.map((place) => graph.commits[place]!.id)
            .sort()
            .join()
      )
    }
  }
  const past = await Effect.runPromise(
    history({ directory, prefix: "" }, new Histories(), { limit: 500, lines: true })
  )
  const counted = past.commits.reduce(
    (sum, { files }) => sum + files.reduce((all, { added = 0, deleted = 0 }) => all + added + deleted, 0),
    0
  )
  const plain = git("log", "--no-merges", "-n500", "--numstat", "-M", "--format=")
    .split("\n")
    .reduce((sum, row) => {
      const found = /^(\d+)\t(\d+)\t/.exec(row)
      return found === null ? sum : sum + Number(found[1]) + Number(found[2])
    }, 0)
  return { commits: graph.commits.length, ms: Math.round(ms), lines, same, ranges, equal, counted, plain }
}

export const main = async (repositories: ReadonlyArray<string>): Promise<number> => {
  let failed = 0
  for (const directory of repositories) {
    const found = await evaluate(directory)
    console.log(
      `${directory}: ${found.commits} commits in ${found.ms} ms; lines as git blame has them ${found.same}/${found.lines}; ranges as git log -L has them ${found.equal}/${found.ranges}; changed lines of the newest commits ${found.counted}, by git ${found.plain}`
    )
    if (
      found.same < 0.995 * found.lines ||
      found.equal < 0.98 * found.ranges ||
      found.counted !== found.plain
    )
      failed++
  }
  return failed === 0 ? 0 : 1
}
