import { Effect, Either } from "effect"
import { page } from "../../../registry/Answer.ts"
import { failure, fromService } from "../../../registry/Failure.ts"
import type { Member } from "../../../registry/Facade.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph } from "../../../services/CodeGraph.ts"
import { GitReader } from "../../../services/GitReader.ts"
import { ReadFs } from "../../../services/ReadFs.ts"
import { WorkspaceView } from "../../../services/WorkspaceView.ts"
import * as Shared from "../../fields.ts"
import { coChanging, mostCommits, mostFiles } from "../../shared/past/CoChange.ts"
import { measuredNow } from "../../shared/past/Records.ts"
import { repositories, repositoryOf } from "../../shared/past/Repositories.ts"
import { graph, oneFile, oneOf } from "../../shared/symbols.ts"
import { analyze } from "../facade.ts"

const needs = [CodeGraph, GitReader, ReadFs, WorkspaceView] as const

export const coChange: Member<typeof analyze, "co_change", typeof needs> = analyze.operation("co_change", {
  tool: "find_co_changing_symbols",
  flat: { "target.file": "file_path", "target.symbol": "symbol_id" },
  fixed: { refresh: false },
  summary: "Files that change together with a symbol or file.",
  tier: 2,
  page: { default: 20, max: 1000 },
  input: F.input({
    target: F.target({ symbol: Shared.symbol, file: Shared.file }),
    options: F.group({
      min_score: F.withDefault(F.number(), 0)
    })
  }),
  needs,
  handler: ({ options, target }) =>
    Effect.gen(function* () {
      const view = yield* graph
      const ref =
        target.file !== undefined
          ? yield* oneFile(view, target.file)
          : yield* Either.match(oneOf(view, target.symbol!, { facade: "analyze", operation: "co_change" }), {
              onLeft: Effect.fail,
              onRight: Effect.succeed
            })
      const path = view.pathOf(ref)
      const all = yield* repositories
      const home = repositoryOf(path, all.known)
      if (home === undefined)
        return yield* failure("capability_unavailable", `${path} lies in no repository with a commit`, {
          reason_code: "no_history",
          failure_stage: "resolve"
        })
      const git = yield* GitReader
      const past = yield* Effect.mapError(
        git.history({ limit: mostCommits, repository: home.repository }),
        (cause) => fromService(cause)
      )
      const symbol = view.isFile(ref) ? undefined : view.symbol(ref)
      // Of a symbol only the commits count that touched its lines.
      const measured =
        symbol === undefined ? undefined : (yield* measuredNow(view, all))[all.known.indexOf(home)]
      const touches = symbol === undefined ? undefined : measured?.touches.get(symbol.id)
      const own = touches === undefined ? undefined : new Set(touches)
      const found = coChanging(past.commits, path, own)
      const here = found.rows.filter((row) => view.fileRef(row.path) !== undefined)
      const rows = here
        .filter(({ score }) => score > 0 && score >= options.min_score)
        .map((row) => ({
          id: row.path,
          file_path: row.path,
          score: Math.round(row.score * 10_000) / 10_000,
          count: row.count,
          commits: row.commits,
          symbols: view.file(row.path)?.symbols ?? 0
        }))
      const unread = past.truncated || past.shallow || !past.renames
      return page("co_changing", {
        target_file: path,
        ...(symbol === undefined ? {} : { symbol_id: symbol.id }),
        ...(own === undefined && symbol !== undefined ? { measured_for: "the file of the symbol" } : {}),
        co_changing: rows,
        total: rows.length,
        score_is: "commits of both over the square root of commits of each, multiplied",
        target_commits: found.commits,
        commits_looked_at: found.looked,
        skipped_commits: { of_more_files: found.large, most_files: mostFiles, merges: "all" },
        ...(found.rows.length > here.length ? { files_that_are_gone: found.rows.length - here.length } : {}),
        complete: !unread && measured?.truncated !== true,
        ...(past.truncated ? { incomplete_because: "older_commits_not_looked_at" } : {}),
        ...(measured?.truncated === true ? { commits_walked_for_symbol: measured.commits } : {}),
        ...(past.shallow ? { shallow_clone: true } : {}),
        ...(past.renames ? {} : { renames_not_followed: "objects are missing" }),
        ...(found.commits === 0
          ? { note: "no commit that was looked at touched the target, so nothing can be said" }
          : {})
      })
    })
})
