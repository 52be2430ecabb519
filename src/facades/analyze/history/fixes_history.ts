import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import { fromService } from "../../../registry/Failure.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph } from "../../../services/CodeGraph.ts"
import { GitReader } from "../../../services/GitReader.ts"
import { WorkspaceView } from "../../../services/WorkspaceView.ts"
import { byPresentName } from "../../shared/past/CoChange.ts"
import { iso } from "../../shared/past/Days.ts"
import { repositories, unreadOf } from "../../shared/past/Repositories.ts"
import { graph } from "../../shared/symbols.ts"
import { kind } from "../facade.ts"

/** Words of subjects that speak of a fault, and of fixes that are none. */
const fault =
  /\b(?:fix(?:e[sd]|ing)?|bug(?:fix(?:e[sd])?|s)?|hotfix|regression|crash(?:e[sd]|ing)?|resolve[sd]?\s+#\d+|(?:close[sd]?|resolve[sd]?)\s+(?:issue|bug)s?)\b/i
const conventional = /^(?:fix|bugfix|hotfix)(?:\([^)]*\))?!?:/i
const otherType = /^(?:feat|docs|style|chore|test|tests|ci|build|refactor|perf|release)(?:\([^)]*\))?!?:/i
const harmless =
  /\bfix(?:e[sd]|ing)?\s+(?:\w+\s+){0,2}(?:typos?|spelling|grammar|lint(?:ing|er)?|format(?:ting)?|whitespace|indent(?:ation)?|comments?|docs?|readme|changelog|links?|imports?|ci)\b/i

const cosmetic = /\b(?:typos?|misspell\w*|spelling)\b/i

/** Whether a commit says that it mends something that was wrong. */
export const isFix = (subject: string): boolean =>
  conventional.test(subject)
    ? !harmless.test(subject) && !cosmetic.test(subject)
    : !otherType.test(subject) &&
      fault.test(subject) &&
      !harmless.test(subject) &&
      !cosmetic.test(subject) &&
      !/^revert\b/i.test(subject)

/** Commits looked at when nothing is said. */
const standard = 5000
/** Fixes of a file an answer shows. */
const shown = 3

export const fixesHistory = kind("fixes_history", {
  summary: "Files by the bug fixes in their history.",
  page: { default: 100, max: 1000 },
  input: F.input({
    options: F.group({
      max_commits: F.described(F.clamped({ min: 1, max: 100000, default: standard }), "commits to look at")
    })
  }),
  needs: [CodeGraph, GitReader, WorkspaceView],
  handler: ({ options }) =>
    Effect.gen(function* () {
      const view = yield* graph
      const all = yield* repositories
      const git = yield* GitReader
      const files = new Map<
        string,
        {
          fixes: number
          commits: number
          readonly recent: Array<{ readonly commit: string; readonly subject: string; readonly at: string }>
        }
      >()
      let looked = 0
      let fixes = 0
      let truncated = false
      let shallow = false
      let renames = true
      for (const { repository } of all.known) {
        const past = yield* Effect.mapError(
          git.history({ limit: options.max_commits, repository }),
          (cause) => fromService(cause)
        )
        truncated ||= past.truncated
        shallow ||= past.shallow
        renames &&= past.renames
        for (const [commit, names] of byPresentName(past.commits)) {
          looked++
          const fix = isFix(commit.subject)
          if (fix) fixes++
          for (const name of new Set(names)) {
            let file = files.get(name)
            if (file === undefined) files.set(name, (file = { fixes: 0, commits: 0, recent: [] }))
            file.commits++
            if (!fix) continue
            file.fixes++
            if (file.recent.length < shown)
              file.recent.push({ commit: commit.id, subject: commit.subject, at: iso(commit.at) })
          }
        }
      }
      let gone = 0
      const rows = [...files]
        .filter(([path, { fixes: of }]) => {
          if (of === 0) return false
          if (view.fileRef(path) !== undefined) return true
          gone++
          return false
        })
        .sort((a, b) => b[1].fixes - a[1].fixes || (a[0] < b[0] ? -1 : 1))
        .map(([path, { commits, fixes: of, recent }]) => ({
          id: path,
          file_path: path,
          fix_commits: of,
          commits,
          symbols: view.file(path)?.symbols ?? 0,
          recent
        }))
      return page("files", {
        files: rows,
        total: rows.length,
        total_fix_commits: fixes,
        commits_looked_at: looked,
        fix_is:
          "a commit whose subject speaks of a fix, bug, crash or regression, typos and formatting apart",
        complete: !truncated && !shallow && renames,
        ...(truncated ? { incomplete_because: "older_commits_not_looked_at" } : {}),
        ...(shallow ? { shallow_clone: true } : {}),
        ...(renames ? {} : { renames_not_followed: "objects are missing" }),
        ...(gone === 0 ? {} : { files_that_are_gone: gone }),
        ...unreadOf(all)
      })
    })
})
