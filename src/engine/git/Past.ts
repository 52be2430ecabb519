/** What the past of one repository tells, in the words of the services: paths are the workspace's. */
import { Effect, Stream } from "effect"
import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { progress } from "../../registry/Progress.ts"
import type {
  CommitMessage,
  FileLineage,
  History,
  Lineage,
  RepositoryState,
  TraceRequest
} from "../../services/GitReader.ts"
import * as Changes from "./Changes.ts"
import { commitGraph, FieldReader, present, shallowBoundary } from "./CommitGraph.ts"
import * as Git from "./Git.ts"
import { GitError, lacksObjects } from "./GitError.ts"
import { history as readHistory } from "./History.ts"
import { hunksOf, lineage as walk, rangeBefore, segmentsBefore, type Tracked } from "./Lineage.ts"
import { displayBytes, splitNul } from "./Parse.ts"
import { run, stream } from "./Process.ts"

/** A repository and the path that leads to it from the workspace's root: "" or ending in `/`. */
export interface Place {
  readonly directory: string
  readonly prefix: string
}

const headOf = (directory: string, revision = "HEAD"): Effect.Effect<string, GitError> =>
  Git.revParse(directory, revision, { commit: true })

const commonDir = (directory: string): Effect.Effect<string, GitError> =>
  Effect.map(Git.discover(directory), (repository) => repository.commonDir)

/** Histories that are kept, and commits in all of them. */
const keptHistories = 6
const keptCommits = 200_000

/** Histories that were read, by what they are of, the one used last at the end. */
export class Histories {
  readonly #kept = new Map<string, History>()

  get(key: string): History | undefined {
    const found = this.#kept.get(key)
    if (found === undefined) return undefined
    this.#kept.delete(key)
    this.#kept.set(key, found)
    return found
  }

  keep(key: string, history: History): void {
    this.#kept.set(key, history)
    let commits = 0
    for (const one of this.#kept.values()) commits += one.commits.length
    for (const [old, one] of this.#kept) {
      if (this.#kept.size <= keptHistories && commits <= keptCommits) return
      if (old === key) return
      this.#kept.delete(old)
      commits -= one.commits.length
    }
  }
}

/** Changes with the file that maps names. */
const mailmapStamp = (directory: string): string => {
  const stat = statSync(join(directory, ".mailmap"), { throwIfNoEntry: false })
  return stat === undefined ? "" : `${stat.ino}.${stat.size}.${stat.mtimeMs}`
}

export const history = (
  { directory, prefix }: Place,
  histories: Histories,
  options: {
    readonly limit: number
    readonly revision?: string | undefined
    readonly merges?: boolean | undefined
    readonly lines?: boolean | undefined
    readonly since?: number | undefined
    readonly paths?: ReadonlyArray<string> | undefined
  }
): Effect.Effect<History, GitError> =>
  Effect.gen(function* () {
    const head = yield* headOf(directory, options.revision)
    const key = JSON.stringify([directory, head, mailmapStamp(directory), options])
    const known = histories.get(key)
    if (known !== undefined) return known
    const read = (renames: boolean) =>
      readHistory(directory, {
        revision: head,
        limit: options.limit,
        merges: options.merges === true,
        lines: options.lines === true,
        renames,
        since: options.since,
        paths: options.paths?.map((path) => within(path, prefix))
      })
    let renames = true
    const { commits, truncated } = yield* read(true).pipe(
      Effect.catchIf(
        (cause) => options.lines !== true && lacksObjects(cause),
        () => {
          renames = false
          return read(false)
        }
      )
    )
    const made: History = {
      head,
      commits:
        prefix === ""
          ? commits
          : commits.map((commit) => ({
              ...commit,
              files: commit.files.map((file) => ({
                ...file,
                path: prefix + file.path,
                ...(file.previous_path === undefined ? {} : { previous_path: prefix + file.previous_path })
              }))
            })),
      truncated,
      shallow: shallowBoundary(yield* commonDir(directory)).size > 0,
      renames
    }
    histories.keep(key, made)
    return made
  })

/** A workspace-relative path as the repository has it. */
const within = (path: string, prefix: string): string =>
  path.startsWith(prefix) ? path.slice(prefix.length) : path

const oneLine = (output: Buffer): string => output.toString("utf8").trim()

export const state = ({ directory, prefix }: Place): Effect.Effect<RepositoryState, GitError> =>
  Effect.gen(function* () {
    const { commonDir: common, headOid, headRef, isWorktree } = yield* Git.discover(directory)
    const [origin, partial, worktrees, index] = yield* Effect.all(
      [
        run(directory, ["symbolic-ref", "--quiet", "refs/remotes/origin/HEAD"], { okCodes: [0, 1, 128] }),
        run(directory, ["config", "--get-regexp", "^(extensions\\.partialclone|remote\\..*\\.promisor)$"], {
          okCodes: [0, 1]
        }),
        run(directory, ["worktree", "list", "--porcelain"]),
        Git.lsTracked(directory)
      ],
      { concurrency: 2 }
    )
    const submodules = index.files
      .filter(({ mode }) => mode === 0o160000)
      .map(({ oid, path }) => ({ path: prefix + path, commit: oid }))
    const branch = headRef?.replace(/^refs\/heads\//, "")
    const remote = origin.exitCode === 0 ? oneLine(origin.stdout).replace(/^refs\/remotes\//, "") : undefined
    const names = ["main", "master", "trunk"]
    const known =
      remote ??
      (branch !== undefined && names.includes(branch)
        ? branch
        : yield* Effect.map(
            run(directory, [
              "for-each-ref",
              "--format=%(refname:strip=2)",
              ...names.map((n) => `refs/heads/${n}`)
            ]),
            ({ stdout }) => names.find((name) => stdout.toString("utf8").split("\n").includes(name))
          ))
    return {
      head: headOid ?? undefined,
      branch,
      default_branch: known,
      shallow: shallowBoundary(common).size > 0,
      partial: partial.exitCode === 0,
      linked: isWorktree,
      worktrees:
        oneLine(worktrees.stdout)
          .split("\n")
          .filter((line) => line.startsWith("worktree ")).length - 1,
      submodules,
      mailmap: mailmapStamp(directory) !== ""
    }
  })

/** A file as it is prepared for the walk. */
interface Prepared {
  readonly untraced: string | undefined
  readonly tracked: Tracked | undefined
  /** Lines nobody has committed. */
  readonly uncommitted: ReadonlyArray<number>
}

const untraced = (reason: string): Prepared => ({ untraced: reason, tracked: undefined, uncommitted: [] })

const diskSha = (directory: string, path: string): string | undefined => {
  try {
    return Git.blobOid(readFileSync(join(directory, path)))
  } catch {
    return undefined
  }
}

/** Blobs of a commit by path. None of them has to be there. */
const blobsOf = (directory: string, commit: string): Effect.Effect<ReadonlyMap<string, string>, GitError> =>
  Effect.map(run(directory, ["ls-tree", "-r", "-z", "--full-tree", commit]), ({ stdout }) => {
    const out = new Map<string, string>()
    for (const record of splitNul(stdout).texts) {
      const found = /^\d+ blob ([0-9a-f]+)\t/.exec(record)
      if (found !== null) out.set(record.slice(found[0].length), found[1]!)
    }
    return out
  })

/** Brings files as they are on disk to the lines they have in a commit. */
const prepare = (
  { directory, prefix }: Place,
  files: ReadonlyArray<TraceRequest>,
  blobs: ReadonlyMap<string, string>,
  atHead: boolean
): Effect.Effect<ReadonlyArray<Prepared>, GitError> =>
  Effect.gen(function* () {
    const differing = files.some(({ path, sha }) => blobs.get(within(path, prefix)) !== sha)
    const changed =
      differing && atHead
        ? new Map(
            (yield* Changes.changes(directory, prefix, { scope: "all" })).files.map(
              (file) => [file.path, file] as const
            )
          )
        : new Map<string, never>()
    return files.map(({ lines, path, ranges, sha }): Prepared => {
      const inside = within(path, prefix)
      const blob = blobs.get(inside)
      const sets = ranges.map(([first, last]) => [Math.min(first - 1, lines), Math.min(last, lines)])
      const whole = lines === 0 ? [] : [0, lines, 0]
      if (blob === sha)
        return {
          untraced: undefined,
          uncommitted: [],
          tracked: { path: inside, segments: whole, size: lines, ranges: sets }
        }
      if (!atHead) return untraced("moved")
      if (diskSha(directory, inside) !== sha) return untraced("moved")
      const change = changed.get(path)
      if (change === undefined)
        // Equal to git, which converts line ends or runs a filter.
        return blob === undefined
          ? untraced("untracked")
          : {
              untraced: undefined,
              uncommitted: [],
              tracked: { path: inside, segments: whole, size: lines, ranges: sets }
            }
      if (change.kind === "added" || change.kind === "untracked") return untraced("untracked")
      if (change.binary) return untraced("binary")
      if (!change.hunks_complete) return untraced("undecided")
      const hunks = hunksOf({
        hunks: change.hunks.flatMap((hunk) => [
          hunk.old_start,
          hunk.old_lines,
          hunk.new_start,
          hunk.new_lines
        ])
      })
      const { before, own } = segmentsBefore(whole, hunks)
      return {
        untraced: undefined,
        uncommitted: own,
        tracked: {
          path: change.previous_path === undefined ? inside : within(change.previous_path, prefix),
          segments: before,
          size: lines,
          ranges: sets.map((set) => rangeBefore(set, hunks).set)
        }
      }
    })
  })

export const lineage = (
  place: Place,
  files: ReadonlyArray<TraceRequest>,
  options: { readonly limit: number; readonly revision?: string | undefined }
): Effect.Effect<Lineage, GitError> =>
  Effect.gen(function* () {
    const { directory } = place
    const head = yield* headOf(directory, options.revision)
    const atHead = options.revision === undefined || (yield* headOf(directory)) === head
    const graph = yield* commitGraph(directory, {
      revision: head,
      limit: options.limit,
      commonDir: yield* commonDir(directory)
    })
    const blobs = yield* blobsOf(directory, head)
    const prepared = yield* prepare(place, files, blobs, atHead)
    const tracked = prepared.flatMap((one) => one.tracked ?? [])
    const traced = yield* walk(directory, graph, tracked, (done) =>
      progress(done, graph.commits.length, "walking through commits")
    )
    let next = 0
    return {
      head,
      commits: graph.commits.map(({ author, committedAt, email, id, subject }) => ({
        id,
        at: committedAt,
        author,
        email,
        subject
      })),
      files: prepared.map((one, i): FileLineage => {
        const { lines, path, ranges } = files[i]!
        if (one.tracked === undefined)
          return {
            path,
            untraced: one.untraced,
            origins: new Int32Array(one.untraced === "untracked" ? lines : 0).fill(-1),
            touches: ranges.map(() => []),
            commits: [],
            added: 0,
            deleted: 0,
            whole: one.untraced === "untracked"
          }
        const found = traced[next++]!
        const { uncommitted } = one
        for (let at = 0; at < uncommitted.length; at += 3)
          found.origins.fill(
            -1,
            uncommitted[at + 2]!,
            uncommitted[at + 2]! + uncommitted[at + 1]! - uncommitted[at]!
          )
        return { path, untraced: undefined, ...found }
      }),
      truncated: graph.truncated,
      shallow: graph.boundary.size > 0
    }
  })

/** Commits of a repository at most, where all that are reached have to be counted. */
const mostReached = 500_000

export const firstReached = (
  { directory }: Place,
  commits: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<number>, GitError> =>
  Effect.gen(function* () {
    const parents = new Map<string, ReadonlyArray<string>>()
    const { stdout } = yield* run(
      directory,
      ["rev-list", "--parents", "--stdin", `--max-count=${mostReached}`],
      { stdin: Buffer.from(commits.map((id) => `${id}\n`).join(""), "latin1") }
    )
    for (const line of stdout.toString("latin1").split("\n")) {
      const [id, ...of] = line.split(" ")
      if (id !== "") parents.set(id!, of)
    }
    const seen = new Set<string>()
    return commits.map((commit) => {
      let count = 0
      const waiting = [commit]
      for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
        if (seen.has(id)) continue
        seen.add(id)
        count++
        waiting.push(...(parents.get(id) ?? []))
      }
      return count
    })
  })

export const messages = (
  { directory }: Place,
  commits: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<CommitMessage>, GitError> =>
  Effect.gen(function* () {
    if (commits.length === 0) return []
    if (commits.some((id) => !/^[0-9a-f]{40,64}$/.test(id)))
      return yield* new GitError({
        reason: "invalid_revision",
        cwd: directory,
        command: "log",
        exitCode: null,
        stderr: `not the ids of commits: ${displayBytes(Buffer.from(commits.join(" ").slice(0, 200)))}`
      })
    // Git refuses all of them for one that is missing.
    const there = yield* present(directory, [...new Set(commits)])
    if (there.size === 0) return []
    const reader = new FieldReader(6)
    const found = new Map<string, CommitMessage>()
    yield* stream(
      directory,
      [
        "log",
        "-z",
        "--no-walk=unsorted",
        "--stdin",
        "--format=%H%x00%ct%x00%aN%x00%aE%x00%s%x00%b",
        "--no-show-signature",
        "--use-mailmap",
        "--no-color",
        "--no-decorate",
        "--no-notes"
      ],
      { stdin: Buffer.from([...there].map((id) => `${id}\n`).join(""), "latin1") }
    ).pipe(
      Stream.runForEach((piece) =>
        Effect.sync(() => {
          for (const [id, at, author, email, subject, body] of reader.push(piece))
            found.set(id!, {
              id: id!,
              at: Number(at),
              author: author!,
              email: email!,
              subject: subject!,
              body: body!.trim()
            })
        })
      )
    )
    return commits.flatMap((id) => found.get(id) ?? [])
  })

export const textAt = (
  { directory, prefix }: Place,
  commit: string,
  path: string
): Effect.Effect<string | undefined, GitError> =>
  Effect.gen(function* () {
    const id = yield* headOf(directory, commit)
    const [text] = yield* Changes.texts(directory, [`${id}:${within(path, prefix)}`])
    return text
  })
