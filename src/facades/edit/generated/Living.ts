/** What a repository's history says of its present code: what changed lately, who works on what, what nobody touches. */
import { Effect } from "effect"
import { fromService, invalidArgument, type OperationFailure } from "../../../registry/Failure.ts"
import { draft } from "../../../registry/FollowUp.ts"
import type { GraphView } from "../../../services/CodeGraph.ts"
import { type Commit, GitReader } from "../../../services/GitReader.ts"
import { folderOf } from "./Communities.ts"
import type { Block } from "./Page.ts"

export const sections = ["recent", "ownership", "stale", "blame"] as const
export type Section = (typeof sections)[number]

/** Commits that are looked at. */
const mostCommits = 5000
/** Files whose symbols' last commits are asked for. */
const mostBlamed = 50

const units: { readonly [unit: string]: number } = { m: 60e3, h: 3600e3, d: 86400e3, w: 7 * 86400e3 }

/** Milliseconds since 1970 at which a window opens: `168h`, `30d`, `2w`, or an ISO 8601 date or time. */
export const opening = (since: string, now: number): Effect.Effect<number, OperationFailure> => {
  const span = /^(\d{1,6})\s*([mhdw])$/.exec(since.trim())
  if (span !== null) return Effect.succeed(now - Number(span[1]) * units[span[2]!]!)
  const at = /^\d{4}-\d{2}-\d{2}/.test(since.trim()) ? Date.parse(since.trim()) : Number.NaN
  return Number.isNaN(at)
    ? Effect.fail(
        invalidArgument("options.since", "must be a span as 168h, 7d or 2w, or an ISO 8601 date", {
          reason_code: "invalid_window",
          data: { since },
          recovery: draft("fallback_recovery", "edit", { operation: "docs", options: { since: "168h" } })
        })
      )
    : Effect.succeed(at)
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

export interface FolderRow {
  readonly folder: string
  readonly commits: number
  readonly files: number
  readonly authors: ReadonlyArray<string>
  readonly last: string
}
export interface SymbolChange {
  readonly id: string
  readonly kind: string
  readonly path: string
  readonly lines: number
}
export interface OwnerRow {
  readonly folder: string
  readonly owner: string
  /** Commits of the owner and of everybody that touched the folder. */
  readonly commits: number
  readonly of: number
  readonly authors: number
}
export interface StaleRow {
  readonly path: string
  readonly last: string
  readonly author: string
  readonly symbols: number
}
export interface BlameRow {
  readonly id: string
  readonly last: string
  readonly author: string
  readonly subject: string
}

export interface Living {
  readonly head: string | undefined
  readonly commits: number
  /** The history is longer than what was looked at. */
  readonly history_cut?: true
  readonly recent?: {
    readonly commits: number
    readonly by_folder: ReadonlyArray<FolderRow>
    /** Absent when the whole history lies in the window: everything is new. */
    readonly by_symbol?: ReadonlyArray<SymbolChange>
    readonly whole_history?: true
  }
  readonly ownership?: ReadonlyArray<OwnerRow>
  readonly stale?: ReadonlyArray<StaleRow>
  readonly blame?: ReadonlyArray<BlameRow>
  /** Files with code that no commit looked at has touched. */
  readonly untouched?: number
}

const inFolder = (path: string, prefix: string): boolean =>
  prefix === "" || path === prefix || path.startsWith(prefix.endsWith("/") ? prefix : `${prefix}/`)

/** Definitions with changed lines between a commit and the files as they are now, those with the most first. */
const symbolsSince = (view: GraphView, base: string, keep: (path: string) => boolean) =>
  Effect.gen(function* () {
    const git = yield* GitReader
    const { files } = yield* git.changes({ scope: "compare", base })
    const lines = new Map<number, number>()
    for (const { hunks, kind, path } of files) {
      if (!keep(path) || view.file(path) === undefined) continue
      for (const ref of view.definitions(path)) {
        const { end_line, flags, start_line } = view.symbol(ref)
        if (flags.includes("local")) continue
        // Lines removed from between two that stay count as one.
        // A file git does not know is new as a whole.
        const changed =
          kind === "untracked"
            ? end_line - start_line + 1
            : hunks.reduce((sum, { new_lines, new_start }) => {
                if (new_lines === 0) return sum + Number(new_start >= start_line && new_start < end_line)
                return (
                  sum +
                  Math.max(
                    0,
                    Math.min(end_line, new_start + new_lines - 1) - Math.max(start_line, new_start) + 1
                  )
                )
              }, 0)
        if (changed > 0) lines.set(ref, changed)
      }
    }
    return [...lines]
      .map(([ref, changed]): SymbolChange => {
        const { id, kind, path } = view.symbol(ref)
        return { id, kind, path, lines: changed }
      })
      .sort((a, b) => b.lines - a.lines || compare(a.id, b.id))
  })

const byFolder = (commits: ReadonlyArray<Commit>): ReadonlyArray<FolderRow> => {
  const rows = new Map<
    string,
    { commits: Set<string>; files: Set<string>; authors: Set<string>; last: string }
  >()
  for (const { at, author, files, id } of commits)
    for (const path of files) {
      const folder = folderOf(path)
      const row = rows.get(folder) ?? { commits: new Set(), files: new Set(), authors: new Set(), last: at }
      row.commits.add(id)
      row.files.add(path)
      row.authors.add(author)
      if (at > row.last) row.last = at
      rows.set(folder, row)
    }
  return [...rows]
    .map(([folder, row]) => ({
      folder,
      commits: row.commits.size,
      files: row.files.size,
      authors: [...row.authors].sort(compare),
      last: row.last
    }))
    .sort((a, b) => b.commits - a.commits || b.files - a.files || compare(a.folder, b.folder))
}

const owners = (
  commits: ReadonlyArray<Commit>,
  exists: (path: string) => boolean
): ReadonlyArray<OwnerRow> => {
  const rows = new Map<string, Map<string, Set<string>>>()
  for (const { author, files, id } of commits)
    for (const path of files) {
      if (!exists(path)) continue
      const folder = folderOf(path)
      const authors = rows.get(folder) ?? new Map<string, Set<string>>()
      rows.set(folder, authors.set(author, (authors.get(author) ?? new Set()).add(id)))
    }
  return [...rows]
    .map(([folder, authors]): OwnerRow => {
      const ranked = [...authors].sort((a, b) => b[1].size - a[1].size || compare(a[0], b[0]))
      const [owner, own] = ranked[0]!
      const all = new Set(ranked.flatMap(([, ids]) => [...ids]))
      return { folder, owner, commits: own.size, of: all.size, authors: ranked.length }
    })
    .sort((a, b) => b.of - a.of || compare(a.folder, b.folder))
}

/** Gathers the sections. Fails when the workspace is in no git repository. */
export const living = (
  view: GraphView,
  options: {
    readonly sections: ReadonlySet<Section>
    readonly since: number
    readonly top: number
    /** Folder or file to stay in; "" for all. */
    readonly prefix: string
    /** Files that are looked at. */
    readonly keep: (path: string) => boolean
  }
): Effect.Effect<Living, OperationFailure, GitReader> =>
  Effect.gen(function* () {
    const git = yield* GitReader
    const { keep, prefix, since, top } = options
    const has = (section: Section) => options.sections.has(section)
    const log = yield* git.log({ limit: mostCommits, path: prefix === "" ? undefined : prefix })
    const commits = log.map((commit) => ({
      ...commit,
      files: commit.files.filter((path) => keep(path) && inFolder(path, prefix))
    }))
    const code = view
      .files()
      .filter(({ path, symbols }) => symbols > 0 && keep(path) && inFolder(path, prefix))
      .sort((a, b) => compare(a.path, b.path))
    const last = new Map<string, Commit>()
    for (const commit of commits) for (const path of commit.files) if (!last.has(path)) last.set(path, commit)
    const touched = code.filter(({ path }) => last.has(path))

    const fresh = commits.filter(({ at }) => Date.parse(at) >= since)
    const before = commits.find(({ at }) => Date.parse(at) < since)
    const bySymbol =
      has("recent") && before !== undefined && fresh.length > 0
        ? (yield* symbolsSince(view, before.id, (path) => keep(path) && inFolder(path, prefix))).slice(0, top)
        : before !== undefined
          ? []
          : undefined
    const untouched = code.length - touched.length
    const blamed = touched.slice(0, mostBlamed)
    const blame = has("blame")
      ? yield* blameOf(
          view,
          blamed.map(({ path }) => path)
        )
      : []
    return {
      head: view.freshness.head,
      commits: commits.length,
      ...(log.length >= mostCommits ? { history_cut: true as const } : {}),
      ...(has("recent")
        ? {
            recent: {
              commits: fresh.length,
              by_folder: byFolder(fresh).slice(0, top),
              ...(bySymbol === undefined ? { whole_history: true as const } : { by_symbol: bySymbol })
            }
          }
        : {}),
      ...(has("ownership")
        ? { ownership: owners(commits, (path) => view.file(path) !== undefined).slice(0, top) }
        : {}),
      ...(has("stale")
        ? {
            stale: touched
              .map(({ path, symbols }): StaleRow => {
                const { at, author } = last.get(path)!
                return { path, last: at, author, symbols }
              })
              .sort((a, b) => compare(a.last, b.last) || compare(a.path, b.path))
              .slice(0, top),
            ...(untouched === 0 ? {} : { untouched })
          }
        : {}),
      ...(has("blame")
        ? { blame: [...blame].sort((a, b) => compare(b.last, a.last) || compare(a.id, b.id)).slice(0, top) }
        : {})
    }
  }).pipe(Effect.mapError((cause) => fromService(cause)))

const blameOf = (view: GraphView, paths: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const git = yield* GitReader
    const rows: Array<BlameRow> = []
    for (const path of paths) {
      // A file that is new since the last commit has no lines anybody committed.
      const lines = yield* Effect.orElseSucceed(git.blame(path), () => [])
      for (const ref of view.definitions(path)) {
        const { end_line, flags, id, start_line } = view.symbol(ref)
        if (flags.includes("local")) continue
        const own = lines
          .slice(start_line - 1, end_line)
          .filter((line) => line !== undefined)
          .sort((a, b) => compare(b.at, a.at))
        if (own[0] !== undefined)
          rows.push({ id, last: own[0].at, author: own[0].author, subject: own[0].subject })
      }
    }
    return rows
  })

const day = (at: string): string => at.slice(0, 10)

/** The sections as blocks of a page. */
export const livingPage = (found: Living, window: string): ReadonlyArray<Block> => [
  { heading: "Living documentation", level: 1 },
  {
    text: [
      found.head === undefined ? "No commit is checked out. " : "At commit ",
      ...(found.head === undefined ? [] : [{ code: found.head.slice(0, 12) }, ". "]),
      `${found.commits} commits looked at${found.history_cut === true ? "; there are older ones" : ""}.`
    ]
  },
  ...(found.recent === undefined
    ? []
    : ([
        { heading: `Recent changes (${window})`, level: 2 },
        { text: [`${found.recent.commits} commits.`] },
        ...(found.recent.by_folder.length === 0
          ? []
          : [
              {
                columns: ["Folder", "Commits", "Files", "Authors", "Last"],
                rows: found.recent.by_folder.map((row) => [
                  { code: row.folder },
                  String(row.commits),
                  String(row.files),
                  row.authors.join(", "),
                  day(row.last)
                ])
              }
            ]),
        ...(found.recent.whole_history === true
          ? [{ text: ["The whole history lies in this window, so every symbol is new."] }]
          : found.recent.by_symbol!.length === 0
            ? []
            : [
                {
                  columns: ["Symbol", "Kind", "Changed lines"],
                  rows: found.recent.by_symbol!.map((row) => [{ code: row.id }, row.kind, String(row.lines)])
                }
              ])
      ] satisfies ReadonlyArray<Block>)),
  ...(found.ownership === undefined
    ? []
    : ([
        { heading: "Ownership", level: 2 },
        {
          columns: ["Folder", "Most commits by", "Share", "Authors"],
          rows: found.ownership.map((row) => [
            { code: row.folder },
            row.owner,
            `${row.commits} of ${row.of}`,
            String(row.authors)
          ])
        }
      ] satisfies ReadonlyArray<Block>)),
  ...(found.stale === undefined
    ? []
    : ([
        { heading: "Longest untouched code", level: 2 },
        {
          columns: ["File", "Last change", "By", "Symbols"],
          rows: found.stale.map((row) => [{ code: row.path }, day(row.last), row.author, String(row.symbols)])
        }
      ] satisfies ReadonlyArray<Block>)),
  ...(found.blame === undefined
    ? []
    : ([
        { heading: "Last author by symbol", level: 2 },
        {
          columns: ["Symbol", "Last change", "By", "Commit"],
          rows: found.blame.map((row) => [{ code: row.id }, day(row.last), row.author, row.subject])
        }
      ] satisfies ReadonlyArray<Block>))
]
