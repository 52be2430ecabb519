/** Commits that say where work was: what they touched is what a ranking for their subject should find. */
import { execFileSync } from "node:child_process"

export interface Labelled {
  readonly commit: string
  readonly parent: string
  readonly subject: string
  /** Source files that were changed and were there before. */
  readonly touched: ReadonlyArray<string>
}

const source = /\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|scala|cs|php|rb|swift|lua|c|h|cc|cpp|cxx|hpp)$/
const test =
  /(?:^|\/)(?:tests?|__tests__|spec|testdata|fixtures?|runtime-tests)\/|_test\.\w+$|\.(?:test|spec)\.\w+$|(?:^|\/)test_[^/]*\.py$|Tests?\.java$/
const routine =
  /^(?:merge|revert|release|bump|v?\d+\.\d+|chore|ci|docs?|build|style|test)\b|\bchangelog\b|^\S+$/i

export const git = (repository: string, ...args: ReadonlyArray<string>): string =>
  execFileSync("git", ["-C", repository, ...args], {
    encoding: "utf8",
    maxBuffer: 1 << 28,
    stdio: ["ignore", "pipe", "ignore"]
  })

/** Whether a path is code that is no test. */
export const isSource = (path: string): boolean => source.test(path) && !test.test(path)

/** The newest commits that change one to three source files, merges and routine left out; newest first. */
export const labelled = (repository: string, limit: number): ReadonlyArray<Labelled> => {
  const log = git(
    repository,
    "log",
    "--no-merges",
    "--no-renames",
    "-n",
    "3000",
    "--format=%x01%H%x02%P%x02%s",
    "--name-status"
  )
  const out: Array<Labelled> = []
  for (const entry of log.split("\x01")) {
    const [head, ...rows] = entry.split("\n")
    const [commit, parents, subject] = (head ?? "").split("\x02")
    const parent = parents?.split(" ")[0]
    if (
      commit === undefined ||
      parent === undefined ||
      parent === "" ||
      subject === undefined ||
      routine.test(subject)
    )
      continue
    const changed = rows.flatMap((row) => {
      const [status, path] = row.split("\t")
      return path === undefined || !isSource(path) ? [] : [{ status: status!, path }]
    })
    const touched = changed.filter((c) => c.status === "M").map((c) => c.path)
    if (changed.length < 1 || changed.length > 3 || touched.length === 0) continue
    out.push({ commit, parent, subject: subject.replace(/\s*\(#\d+\)$/, ""), touched })
    if (out.length === limit) break
  }
  return out
}
