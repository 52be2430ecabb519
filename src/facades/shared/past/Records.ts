/**
 * Churn and blame of the workspace: as they were stamped, else measured now along the newest commits. What is measured
 * for an answer stays in memory and nowhere else.
 */
import { Effect } from "effect"
import { fromService, type OperationFailure } from "../../../registry/Failure.ts"
import { draft } from "../../../registry/FollowUp.ts"
import type { GraphView } from "../../../services/CodeGraph.ts"
import type { ControlTables, Run } from "../../../services/ControlTables.ts"
import { ControlView } from "../../../services/ControlView.ts"
import { GitReader } from "../../../services/GitReader.ts"
import type { WorkspaceView } from "../../../services/WorkspaceView.ts"
import { iso } from "./Days.ts"
import { measurable, measure, type Measured, withSymbols } from "./Measured.ts"
import { type Repositories, repositories, repositoryOf, unreadOf } from "./Repositories.ts"

/** Commits that are walked for an answer when nothing was stamped. */
export const liveCommits = 3000

type Table = "churn" | "blame"

export interface Past<T extends Table> {
  readonly records: ReadonlyMap<string, ControlTables[T]>
  /** Undefined when nothing was stamped, and this was measured for the answer. */
  readonly run: Run | undefined
  /** Files whose bytes are others than when they were stamped. */
  readonly stale: ReadonlySet<string>
  /** When the newest commit was made, seconds since 1970. */
  readonly headAt: number
  /** When the oldest commit was made that was looked at; all there is when undefined. */
  readonly since: number | undefined
  /** What the answer says of all that. */
  readonly about: object
}

/** By a part of the view that stays the same while only its freshness is new, then by repository and head. */
const kept = new WeakMap<GraphView["symbol"], Map<string, Measured>>()

/** What the newest commits did, repository by repository. */
export const measuredNow = (
  view: GraphView,
  { known }: Repositories
): Effect.Effect<ReadonlyArray<Measured>, OperationFailure, GitReader> =>
  Effect.gen(function* () {
    const git = yield* GitReader
    let mine = kept.get(view.symbol)
    if (mine === undefined) kept.set(view.symbol, (mine = new Map()))
    const files = withSymbols(view)
    const out: Array<Measured> = []
    for (const one of known) {
      const { head } = yield* Effect.mapError(git.state({ repository: one.repository }), (cause) =>
        fromService(cause)
      )
      const key = `${one.prefix}@${head}`
      let found = mine.get(key)
      if (found === undefined) {
        found = yield* measure(
          view,
          one,
          files.filter(({ path }) => repositoryOf(path, known) === one),
          { limit: liveCommits }
        )
        mine.set(key, found)
      }
      out.push(found)
    }
    return out
  })

const joined = <T extends Table>(
  measured: ReadonlyArray<Measured>,
  table: T
): ReadonlyMap<string, ControlTables[T]> =>
  new Map(measured.flatMap((one) => [...(one[table] as ReadonlyMap<string, ControlTables[T]>)]))

/** Why files are not part of what was measured. */
const leftOf = (left: ReadonlyArray<{ readonly path: string; readonly reason: string }>) => {
  if (left.length === 0) return {}
  const reasons: { [reason: string]: number } = {}
  for (const { reason } of left) reasons[reason] = (reasons[reason] ?? 0) + 1
  return { files_not_measured: reasons }
}

/** The operation that stamps a table, as a call worth making. */
const stamping = { churn: "enrich_churn", blame: "blame" } as const
export const stamp = (table: Table) =>
  draft("fallback_recovery", "workspace_admin", { operation: stamping[table] })

export const past = <T extends Table>(
  view: GraphView,
  table: T
): Effect.Effect<Past<T>, OperationFailure, GitReader | ControlView | WorkspaceView> =>
  Effect.gen(function* () {
    const control = yield* ControlView
    const run = yield* Effect.mapError(control.run(table), (cause) => fromService(cause))
    if (run === undefined) {
      const all = yield* repositories
      const measured = yield* measuredNow(view, all)
      const cut = measured.some(({ truncated }) => truncated)
      const shallow = measured.some((one) => one.shallow)
      const commits = measured.reduce((sum, one) => sum + one.commits, 0)
      const since = cut || shallow ? Math.min(...measured.map(({ oldestAt }) => oldestAt)) : undefined
      return {
        records: joined(measured, table),
        run: undefined,
        stale: new Set(),
        headAt: Math.max(...measured.map(({ headAt }) => headAt)),
        since,
        about: {
          source: "measured_now",
          commits_walked: commits,
          complete: !cut && !shallow,
          ...(cut ? { incomplete_because: "older_commits_not_walked", window_since: iso(since!) } : {}),
          ...(shallow ? { shallow_clone: true } : {}),
          ...leftOf(measured.flatMap(({ left }) => left)),
          ...unreadOf(all),
          ...(cut ? { follow_up: stamp(table) } : {})
        }
      }
    }
    const rows = yield* Effect.mapError(control.list(table), (cause) => fromService(cause))
    const records = new Map(rows.map(({ key, value }) => [key, value] as const))
    const stale = new Set(rows.flatMap(({ key, value }) => (view.file(key)?.sha === value.sha ? [] : [key])))
    const unstamped = withSymbols(view).reduce((sum, { path }) => sum + Number(!records.has(path)), 0)
    const head = run.about["head"]
    const behind = view.freshness.head !== undefined && head !== view.freshness.head
    return {
      records,
      run,
      stale,
      headAt: Number(run.about["head_at"] ?? 0),
      since: undefined,
      about: {
        source: "stamped",
        stamped: { at: new Date(run.at).toISOString(), ...run.about },
        complete: run.about["complete"] === true && !behind && stale.size === 0 && unstamped === 0,
        ...(behind ? { head_moved: true } : {}),
        ...(stale.size === 0
          ? {}
          : { stale_file_count: stale.size, stale_files: [...stale].sort().slice(0, 20) }),
        ...(unstamped === 0 ? {} : { unstamped_files: unstamped }),
        ...(behind || stale.size > 0 || unstamped > 0 ? { follow_up: stamp(table) } : {})
      }
    }
  })

/** One definition with its file's record. Definitions that are gone since a stamp are left out. */
export const symbolsOf = <S extends { readonly id: string; readonly line: number }>(
  view: GraphView,
  path: string,
  symbols: ReadonlyArray<S>,
  stale: boolean
): ReadonlyArray<S> => {
  if (!stale) return symbols
  const now = new Map(measurable(view, path).map(({ id, line }) => [id, line] as const))
  return symbols.flatMap((symbol) => {
    const line = now.get(symbol.id)
    return line === undefined ? [] : [{ ...symbol, line }]
  })
}
