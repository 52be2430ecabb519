/** What git tells, stamped: churn, releases, authors. */
import { Effect } from "effect"
import { failure, fromService, invalidArgument, type OperationFailure } from "../../../registry/Failure.ts"
import type { Member } from "../../../registry/Facade.ts"
import * as F from "../../../registry/Fields.ts"
import { isUnder } from "../../../registry/Place.ts"
import { CodeGraph, type FileInfo, type GraphView } from "../../../services/CodeGraph.ts"
import { ControlStore } from "../../../services/ControlStore.ts"
import type {
  BlameRecord,
  ChurnRecord,
  ControlTables,
  ReleaseRecord
} from "../../../services/ControlTables.ts"
import { ControlView } from "../../../services/ControlView.ts"
import { GitReader } from "../../../services/GitReader.ts"
import { WorkspaceView } from "../../../services/WorkspaceView.ts"
import { measure, type Measured, withSymbols } from "../../shared/past/Measured.ts"
import { timeline } from "../../shared/past/Releases.ts"
import { type Repository, repositories, repositoryOf, unreadOf } from "../../shared/past/Repositories.ts"
import { graph } from "../../shared/symbols.ts"
import { workspaceAdmin } from "../facade.ts"

/** Commits that are walked at most. */
const mostCommits = 500_000

const history = F.group({
  branch: F.optional(F.described(F.text, "revision to measure; HEAD when absent")),
  path: F.optional(F.described(F.path, "path or prefix to stay in"))
})

/** The files below a path that have definitions. One that leads to none is refused. */
const filesUnder = (
  view: GraphView,
  path: string | undefined
): Effect.Effect<ReadonlyArray<FileInfo>, OperationFailure> => {
  const fits = isUnder(path)
  const files = withSymbols(view).filter((file) => fits(file.path))
  return path === undefined || files.length > 0
    ? Effect.succeed(files)
    : Effect.fail(
        invalidArgument("arguments.path", `no indexed file with definitions is ${path} or lies below it`, {
          reason_code: "path_not_indexed",
          data: { path }
        })
      )
}

/** The commit of a branch in a repository; one that none of them has is refused by the caller. */
const commitOf = (one: Repository, branch: string | undefined) =>
  Effect.gen(function* () {
    const git = yield* GitReader
    return yield* git.history({ limit: 1, merges: true, revision: branch, repository: one.repository }).pipe(
      Effect.map(({ head }): string | undefined => head),
      Effect.catchIf(
        ({ reason }) => reason === "not_found" && branch !== undefined,
        () => Effect.succeed(undefined)
      ),
      Effect.mapError((cause) => fromService(cause))
    )
  })

const noBranch = (branch: string | undefined): OperationFailure =>
  invalidArgument("arguments.branch", `no repository here has a commit ${JSON.stringify(branch)}`, {
    reason_code: "unknown_revision",
    data: { branch }
  })

interface MeasuredRepository {
  readonly one: Repository
  readonly head: string
  readonly measured: Measured
}

/** Measures every repository that has the branch. */
const measureAll = (
  view: GraphView,
  options: { readonly branch?: string | undefined; readonly path?: string | undefined }
) =>
  Effect.gen(function* () {
    const all = yield* repositories
    const files = yield* filesUnder(view, options.path)
    const out: Array<MeasuredRepository> = []
    const failures: Array<{ readonly root: string; readonly error: string }> = []
    for (const one of all.known) {
      const mine = files.filter(({ path }) => repositoryOf(path, all.known) === one)
      if (mine.length === 0 && all.known.length > 1) continue
      const head = yield* commitOf(one, options.branch)
      if (head === undefined) continue
      const measured = yield* Effect.either(
        measure(view, one, mine, { limit: mostCommits, revision: options.branch })
      )
      if (measured._tag === "Right") out.push({ one, head, measured: measured.right })
      else
        failures.push({
          root: one.prefix === "" ? "." : one.prefix.slice(0, -1),
          error: measured.left.message
        })
    }
    if (out.length === 0 && failures.length === 0) return yield* noBranch(options.branch)
    if (out.length === 0)
      return yield* failure("io_error", failures.map(({ error }) => error).join("; "), {
        reason_code: "git_failed",
        state_changed: false,
        data: { failures }
      })
    return { all, out, failures }
  })

/** Records of the part that was measured, with those of the rest as they were. */
const withRest = <T extends "churn" | "blame">(
  table: T,
  path: string | undefined,
  records: ReadonlyMap<string, ControlTables[T]>
) =>
  Effect.gen(function* () {
    if (path === undefined) return records
    const fits = isUnder(path)
    const before = yield* Effect.mapError((yield* ControlView).list(table), (cause) => fromService(cause))
    return new Map([
      ...before.flatMap(({ key, value }) => (fits(key) ? [] : [[key, value] as const])),
      ...records
    ])
  })

const aboutOf = (
  out: ReadonlyArray<MeasuredRepository>,
  options: { readonly branch?: string | undefined; readonly path?: string | undefined }
) => ({
  head: out[0]!.head,
  head_at: out[0]!.measured.headAt,
  commits: out.reduce((sum, { measured }) => sum + measured.commits, 0),
  complete:
    out.every(({ measured }) => !measured.truncated && !measured.shallow) && options.path === undefined,
  ...(out.some(({ measured }) => measured.shallow) ? { shallow_clone: true } : {}),
  ...(options.branch === undefined ? {} : { branch: options.branch }),
  ...(options.path === undefined ? {} : { path: options.path })
})

const leftOf = (out: ReadonlyArray<MeasuredRepository>) => {
  const left = out.flatMap(({ measured }) => measured.left)
  return left.length === 0 ? {} : { files_not_measured: left.length, not_measured: left.slice(0, 20) }
}

const rootOf = ({ prefix }: Repository): string => (prefix === "" ? "." : prefix.slice(0, -1))

const symbolsIn = (records: Iterable<{ readonly symbols: ReadonlyArray<unknown> }>): number => {
  let sum = 0
  for (const { symbols } of records) sum += symbols.length
  return sum
}

const enrichChurnNeeds = [ControlStore, ControlView, GitReader, CodeGraph, WorkspaceView] as const

export const enrichChurn: Member<typeof workspaceAdmin, "enrich_churn", typeof enrichChurnNeeds> =
  workspaceAdmin.operation("enrich_churn", {
    tool: "enrich_churn",
    summary: "Stamp git churn on files and symbols.",
    long: true,
    tier: 2,
    input: F.input({ arguments: history }),
    needs: enrichChurnNeeds,
    handler: ({ arguments: options }) =>
      Effect.gen(function* () {
        const started = performance.now()
        const view = yield* graph
        const { all, failures, out } = yield* measureAll(view, options)
        const records = new Map(out.flatMap(({ measured }) => [...measured.churn]))
        const run = yield* Effect.mapError(
          (yield* ControlStore).replace(
            "churn",
            yield* withRest("churn", options.path, records),
            aboutOf(out, options)
          ),
          (cause) => fromService(cause)
        )
        const counted = (churn: ReadonlyMap<string, ChurnRecord>) => ({
          files: churn.size,
          symbols: symbolsIn(churn.values())
        })
        return {
          repos: out.map(({ head, measured, one }) => ({
            root: rootOf(one),
            head,
            commits: measured.commits,
            ...(measured.shallow ? { shallow_clone: true } : {}),
            ...counted(measured.churn)
          })),
          ...counted(records),
          ...leftOf(out),
          ...(failures.length === 0 ? {} : { failures }),
          ...unreadOf(all),
          stamped_at: new Date(run.at).toISOString(),
          duration_ms: Math.round(performance.now() - started)
        }
      })
  })

const blameNeeds = [ControlStore, GitReader, CodeGraph, WorkspaceView] as const

export const blame: Member<typeof workspaceAdmin, "blame", typeof blameNeeds> = workspaceAdmin.operation(
  "blame",
  {
    tool: "analyze",
    fixed: { kind: "blame" },
    summary: "Stamp the last author of every symbol, from git blame.",
    long: true,
    tier: 2,
    input: F.input({}),
    needs: blameNeeds,
    handler: () =>
      Effect.gen(function* () {
        const started = performance.now()
        const view = yield* graph
        const { all, failures, out } = yield* measureAll(view, {})
        const records = new Map<string, BlameRecord>(out.flatMap(({ measured }) => [...measured.blame]))
        const run = yield* Effect.mapError(
          (yield* ControlStore).replace("blame", records, aboutOf(out, {})),
          (cause) => fromService(cause)
        )
        return {
          enriched: symbolsIn(records.values()),
          files: records.size,
          per_repo: [
            ...out.map(({ head, measured, one }) => ({
              root: rootOf(one),
              head,
              commits: measured.commits,
              enriched: symbolsIn(measured.blame.values()),
              ...(measured.shallow ? { shallow_clone: true } : {})
            })),
            ...failures.map(({ error, root }) => ({ root, enriched: 0, error }))
          ],
          ...leftOf(out),
          ...unreadOf(all),
          stamped_at: new Date(run.at).toISOString(),
          duration_ms: Math.round(performance.now() - started)
        }
      })
  }
)

const enrichReleasesNeeds = [ControlStore, GitReader, CodeGraph, WorkspaceView] as const

export const enrichReleases: Member<typeof workspaceAdmin, "enrich_releases", typeof enrichReleasesNeeds> =
  workspaceAdmin.operation("enrich_releases", {
    tool: "enrich_releases",
    summary: "Build the release timeline from tags and stamp it on files.",
    long: true,
    tier: 2,
    input: F.input({ arguments: history }),
    needs: enrichReleasesNeeds,
    handler: ({ arguments: { branch, path } }) =>
      Effect.gen(function* () {
        const started = performance.now()
        const view = yield* graph
        if (path !== undefined && !view.files().some((file) => isUnder(path)(file.path)))
          return yield* invalidArgument("arguments.path", `no indexed file is ${path} or lies below it`, {
            reason_code: "path_not_indexed",
            data: { path }
          })
        const fits = isUnder(path)
        const all = yield* repositories
        const records: Array<readonly [string, ReleaseRecord]> = []
        const repos: Array<object> = []
        const files = new Set<string>()
        let known = false
        for (const one of all.known) {
          const head = yield* commitOf(one, branch)
          if (head === undefined) continue
          known = true
          const { older, other_tags, releases } = yield* timeline(
            one,
            branch === undefined ? undefined : head
          )
          for (const release of releases) {
            const mine = release.files.filter(fits)
            for (const file of mine) if (view.fileRef(file) !== undefined) files.add(file)
            records.push([`${one.prefix}${release.tag}`, { ...release, files: mine }])
          }
          repos.push({
            root: rootOf(one),
            head,
            releases: releases.length,
            ...(other_tags === 0 ? {} : { tags_without_version: other_tags }),
            ...(older === 0 ? {} : { older_releases_not_looked_at: older })
          })
        }
        if (!known) return yield* noBranch(branch)
        const run = yield* Effect.mapError(
          (yield* ControlStore).replace("releases", records, {
            releases: records.length,
            ...(branch === undefined ? {} : { branch }),
            ...(path === undefined ? {} : { path })
          }),
          (cause) => fromService(cause)
        )
        return {
          repos,
          releases: records.length,
          files: files.size,
          ...unreadOf(all),
          stamped_at: new Date(run.at).toISOString(),
          duration_ms: Math.round(performance.now() - started)
        }
      })
  })
