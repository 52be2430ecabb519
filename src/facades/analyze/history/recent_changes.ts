import { Effect } from "effect"
import { page } from "../../../registry/Answer.ts"
import { fromService, invalidArgument } from "../../../registry/Failure.ts"
import type { Member } from "../../../registry/Facade.ts"
import * as F from "../../../registry/Fields.ts"
import { CodeGraph } from "../../../services/CodeGraph.ts"
import { GitReader } from "../../../services/GitReader.ts"
import { WorkspaceView } from "../../../services/WorkspaceView.ts"
import { repository } from "../../diff.ts"
import { iso, momentOf, nowSeconds, spanExamples } from "../../shared/past/Days.ts"
import { type Repositories, repositories, repositoryOf } from "../../shared/past/Repositories.ts"
import { freshnessOf, graph } from "../../shared/symbols.ts"
import { analyze } from "../facade.ts"

/** Commits that are looked at. */
const mostCommits = 2000

interface Row {
  readonly id: string
  readonly file_path: string
  readonly kind: string
  readonly timestamp: string
  readonly nodes_before?: number
  readonly nodes_after?: number
  readonly commit?: string
  readonly subject?: string
  readonly repository?: string
}

const needs = [CodeGraph, GitReader, WorkspaceView] as const

export const recentChanges: Member<typeof analyze, "recent_changes", typeof needs> = analyze.operation(
  "recent_changes",
  {
    tool: "get_recent_changes",
    summary: "Files and symbols indexed again since a time.",
    tier: 2,
    page: { default: 100, max: 1000 },
    input: F.input({
      options: F.group({
        since: F.withDefault(F.described(F.text, "ISO 8601 time or a span as 168h"), "24h"),
        repo: repository
      })
    }),
    needs,
    handler: ({ options }) =>
      Effect.gen(function* () {
        const now = yield* nowSeconds
        const since = momentOf(options.since, now)
        if (since === undefined)
          return yield* invalidArgument(
            "options.since",
            `${JSON.stringify(options.since)} is neither an ISO 8601 time nor a span such as ${spanExamples}`,
            { reason_code: "invalid_time" }
          )
        const view = yield* graph
        const workspace = yield* WorkspaceView
        const { began, changes, forgotten } = yield* Effect.mapError(workspace.feed, (cause) =>
          fromService(cause)
        )
        const none: Repositories = { known: [], unread: [] }
        const past = yield* Effect.catchIf(
          repositories,
          ({ reason_code }) => reason_code === "no_history",
          () => Effect.succeed(none)
        )
        const asked = options.repo
        const named = past.known.find(
          ({ name, prefix }) => name === asked || prefix === `${asked}/` || (asked === "." && prefix === "")
        )
        if (asked !== undefined && named === undefined)
          return yield* invalidArgument(
            "options.repo",
            `no repository ${JSON.stringify(asked)} with a history`,
            {
              reason_code: "unknown_repository",
              data: { valid_values: past.known.map(({ name }) => name) }
            }
          )
        const rows: Array<Row> = []
        for (const change of changes)
          if (
            change.at >= since * 1000 &&
            (named === undefined || repositoryOf(change.path, past.known) === named)
          )
            rows.push({
              id: change.path,
              file_path: change.path,
              kind: change.kind,
              nodes_before: change.definitions_before,
              nodes_after: change.definitions_after,
              timestamp: new Date(change.at).toISOString()
            })
        const git = yield* GitReader
        let truncated = false
        for (const one of named === undefined ? past.known : [named]) {
          const { commits, truncated: cut } = yield* Effect.mapError(
            git.history({ limit: mostCommits, since, repository: one.repository }),
            (cause) => fromService(cause)
          )
          truncated ||= cut
          for (const { at, files, id, subject } of commits)
            for (const { path } of files)
              rows.push({
                id: path,
                file_path: path,
                kind: "committed",
                commit: id,
                subject,
                timestamp: iso(at),
                ...(past.known.length > 1 ? { repository: one.name } : {})
              })
        }
        rows.sort(
          (a, b) =>
            Date.parse(b.timestamp) - Date.parse(a.timestamp) ||
            (a.file_path < b.file_path ? -1 : a.file_path > b.file_path ? 1 : 0) ||
            (a.kind < b.kind ? -1 : 1)
        )
        return page("changes", {
          changes: rows,
          total: rows.length,
          since: iso(since),
          graph_current_as_of: view.freshness.checked_at,
          watched_since: new Date(began).toISOString(),
          complete: !truncated && forgotten === 0 && since * 1000 >= began,
          ...(since * 1000 >= began
            ? {}
            : { before_watching: "only commits are known; edits nobody committed are not" }),
          ...(truncated ? { commits_cut_at: mostCommits } : {}),
          ...(past.known.length === 0 ? { history: "none of the workspace is in a git repository" } : {}),
          ...(view.freshness.state === "fresh" ? {} : { freshness: freshnessOf(view.freshness) })
        })
      })
  }
)
