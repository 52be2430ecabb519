/** What commits did to files and definitions, measured along the lines they have now. */
import { Effect } from "effect"
import { fromService, type OperationFailure } from "../../../registry/Failure.ts"
import type { FileInfo, GraphView } from "../../../services/CodeGraph.ts"
import type { BlameRecord, ChurnRecord } from "../../../services/ControlTables.ts"
import { type FileLineage, GitReader, type Lineage } from "../../../services/GitReader.ts"
import { inTurns } from "../../../registry/Turns.ts"
import type { Repository } from "./Repositories.ts"

/** Kinds of definition that are no code: leaves of data, markup and styles. */
const notCode: ReadonlySet<string> = new Set([
  "key",
  "heading",
  "selector",
  "element",
  "label",
  "fragment",
  "target"
])

interface Measurable {
  readonly id: string
  readonly kind: string
  readonly line: number
  readonly first: number
  readonly last: number
}

/** Definitions of a file whose past can be told: those others can know of. */
export const measurable = (view: GraphView, path: string): ReadonlyArray<Measurable> =>
  view.definitions(path).flatMap((ref) => {
    const symbol = view.symbol(ref)
    return notCode.has(symbol.kind) || symbol.flags.includes("local")
      ? []
      : [
          {
            id: symbol.id,
            kind: symbol.kind,
            line: symbol.line,
            first: symbol.start_line,
            last: symbol.end_line
          }
        ]
  })

/** What was measured of one repository. Records are by path. */
export interface Measured {
  readonly head: string
  /** When the first commit of the walk was made, seconds since 1970. */
  readonly headAt: number
  readonly commits: number
  /** When the oldest of the commits was made that the walk came to. */
  readonly oldestAt: number
  readonly truncated: boolean
  readonly shallow: boolean
  readonly churn: ReadonlyMap<string, ChurnRecord>
  readonly blame: ReadonlyMap<string, BlameRecord>
  /** Ids of the commits that touched each definition, newest first. */
  readonly touches: ReadonlyMap<string, ReadonlyArray<string>>
  /** Files that could not be measured, with the reason. */
  readonly left: ReadonlyArray<{ readonly path: string; readonly reason: string }>
}

type Commits = Lineage["commits"]

const churnOf = (
  file: FileInfo,
  found: FileLineage,
  symbols: ReadonlyArray<Measurable>,
  commits: Commits
): ChurnRecord | undefined => {
  const newest = (places: ReadonlyArray<number>) =>
    places.reduce((best, place) => (commits[place]!.at > commits[best]!.at ? place : best), places[0]!)
  const oldest = (places: ReadonlyArray<number>) =>
    places.reduce((least, place) => Math.min(least, commits[place]!.at), Number.POSITIVE_INFINITY)
  if (found.commits.length === 0) return undefined
  const of = (places: ReadonlyArray<number>) => {
    const { at, author, email, id } = commits[newest(places)]!
    return {
      commits: places.length,
      first_at: oldest(places),
      last_at: at,
      last_author: author,
      last_email: email,
      last_commit: id
    }
  }
  return {
    sha: file.sha,
    ...of(found.commits),
    added: found.added,
    deleted: found.deleted,
    authors: new Set(found.commits.map((place) => commits[place]!.email)).size,
    symbols: symbols.flatMap(({ id, kind, line }, i) => {
      const places = found.touches[i]!
      return places.length === 0 ? [] : [{ id, kind, line, ...of(places) }]
    })
  }
}

const blameOf = (
  file: FileInfo,
  origins: Int32Array,
  symbols: ReadonlyArray<Measurable>,
  commits: Commits
): BlameRecord => ({
  sha: file.sha,
  uncommitted: origins.reduce((sum, origin) => sum + Number(origin === -1), 0),
  symbols: symbols.flatMap(({ first, id, kind, last, line }) => {
    let newest = -1
    let oldest = Number.POSITIVE_INFINITY
    const lines = new Map<string, { readonly name: string; readonly email: string; lines: number }>()
    for (let at = first - 1; at < Math.min(last, origins.length); at++) {
      const origin = origins[at]!
      if (origin < 0) continue
      const commit = commits[origin]!
      if (newest < 0 || commit.at > commits[newest]!.at) newest = origin
      oldest = Math.min(oldest, commit.at)
      const author = lines.get(commit.email)
      if (author === undefined)
        lines.set(commit.email, { name: commit.author, email: commit.email, lines: 1 })
      else author.lines++
    }
    if (newest < 0) return []
    const { at, author, email, id: commit } = commits[newest]!
    return [
      {
        id,
        kind,
        line,
        author,
        email,
        commit,
        at,
        oldest_at: oldest,
        authors: [...lines.values()].sort((a, b) => b.lines - a.lines || (a.email < b.email ? -1 : 1))
      }
    ]
  })
})

/** Measures files of one repository along at most so many commits behind a revision. */
export const measure = (
  view: GraphView,
  { repository }: Repository,
  files: ReadonlyArray<FileInfo>,
  options: { readonly limit: number; readonly revision?: string | undefined }
): Effect.Effect<Measured, OperationFailure, GitReader> =>
  Effect.gen(function* () {
    const git = yield* GitReader
    const symbols: Array<ReadonlyArray<Measurable>> = []
    yield* inTurns(files, ({ path }) => {
      symbols.push(measurable(view, path))
    })
    const lineage = yield* Effect.mapError(
      git.lineage(
        files.map(({ lines, path, sha }, i) => ({
          path,
          sha,
          lines,
          ranges: symbols[i]!.map(({ first, last }) => [first, last] as const)
        })),
        { ...options, repository }
      ),
      (cause) => fromService(cause)
    )
    const churn = new Map<string, ChurnRecord>()
    const blame = new Map<string, BlameRecord>()
    const touches = new Map<string, ReadonlyArray<string>>()
    const left: Array<{ readonly path: string; readonly reason: string }> = []
    yield* inTurns(lineage.files.entries(), ([i, found]) => {
      const file = files[i]!
      if (found.untraced !== undefined) {
        left.push({ path: file.path, reason: found.untraced })
        return
      }
      const counted = churnOf(file, found, symbols[i]!, lineage.commits)
      if (counted !== undefined) churn.set(file.path, counted)
      symbols[i]!.forEach(({ id }, at) =>
        touches.set(
          id,
          found.touches[at]!.map((place) => lineage.commits[place]!.id)
        )
      )
      blame.set(file.path, blameOf(file, found.origins, symbols[i]!, lineage.commits))
    })
    return {
      head: lineage.head,
      headAt: lineage.commits[0]?.at ?? 0,
      commits: lineage.commits.length,
      oldestAt: lineage.commits.reduce((least, { at }) => Math.min(least, at), Number.POSITIVE_INFINITY),
      truncated: lineage.truncated,
      shallow: lineage.shallow,
      churn,
      blame,
      touches,
      left
    }
  })

/** Files whose past is worth measuring: those with definitions. */
export const withSymbols = (view: GraphView): ReadonlyArray<FileInfo> =>
  view.files().filter(({ sha, skipped, symbols }) => skipped === undefined && sha !== "" && symbols > 0)
