/** Which commit each line of a file came with. */
import { Effect } from "effect"
import type { BlamedLine } from "../../services/GitReader.ts"
import { localFilters } from "./Git.ts"
import { GitError } from "./GitError.ts"
import { run } from "./Process.ts"

interface Header {
  author: string
  email: string
  at: string
  subject: string
}

/** Reads the porcelain form: a line of ids and numbers, facts of a commit when it is new, then the text behind a tab. */
export const parseBlame = (output: string): ReadonlyArray<BlamedLine | undefined> => {
  const commits = new Map<string, Header>()
  const lines: Array<BlamedLine | undefined> = []
  let id = ""
  let number = 0
  for (const line of output.split("\n")) {
    const start = /^([0-9a-f]{40}|[0-9a-f]{64}) \d+ (\d+)(?: \d+)?$/.exec(line)
    if (start !== null) {
      id = start[1]!
      number = Number(start[2])
      if (!commits.has(id)) commits.set(id, { author: "", email: "", at: "", subject: "" })
      continue
    }
    const commit = commits.get(id)
    if (commit === undefined) continue
    if (line.startsWith("\t")) lines[number - 1] = /^0+$/.test(id) ? undefined : { commit: id, ...commit }
    else if (line.startsWith("author ")) commit.author = line.slice("author ".length)
    else if (line.startsWith("author-mail ")) commit.email = line.slice("author-mail <".length, -1)
    else if (line.startsWith("summary ")) commit.subject = line.slice("summary ".length)
    else if (line.startsWith("committer-time "))
      commit.at = new Date(Number(line.slice("committer-time ".length)) * 1000).toISOString()
  }
  return lines
}

/** The lines of a file as it is on disk; `path` is relative to the directory. Programs of the repository are not run. */
export const blame = (
  directory: string,
  path: string
): Effect.Effect<ReadonlyArray<BlamedLine | undefined>, GitError> =>
  Effect.gen(function* () {
    const filters = yield* localFilters(directory)
    const { exitCode, stdout } = yield* run(
      directory,
      ["--literal-pathspecs", "blame", "--porcelain", "--no-textconv", "--", path],
      { okCodes: [0, 128], config: [...filters.off, ["blame.ignoreRevsFile", ""]] }
    )
    if (exitCode !== 0)
      return yield* new GitError({
        reason: "unknown_revision",
        cwd: directory,
        command: "blame",
        exitCode,
        stderr: `no commit has ${path}`
      })
    return parseBlame(stdout.toString("utf8"))
  })
