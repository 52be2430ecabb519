import { createHash } from "node:crypto"
import { realpathSync } from "node:fs"
import { resolve } from "node:path"
import { Chunk, Effect, Stream } from "effect"
import { GitError } from "./GitError.ts"
import { readHead } from "./HeadStamp.ts"
import type { BatchObject, Commit, Status, TrackedFile, TreeChange, TreeEntry } from "./Parse.ts"
import {
  BatchParser,
  commitFormat,
  CommitParser,
  displayBytes,
  parseRaw,
  parseStageRecord,
  parseStatus,
  parseTreeRecord,
  splitNul
} from "./Parse.ts"
import type { RunOptions } from "./Process.ts"
import { run, stream } from "./Process.ts"

/** A repository git itself vouches for. All paths are absolute and resolved. */
export interface Repository {
  readonly topLevel: string
  readonly gitDir: string
  readonly commonDir: string
  /** True for a linked work tree (`git worktree add`). */
  readonly isWorktree: boolean
  /** HEAD's full ref name, null when detached. */
  readonly headRef: string | null
  /** HEAD's commit, null before the first commit. */
  readonly headOid: string | null
}

const refuse = (reason: GitError["reason"], cwd: string, command: string, stderr: string): GitError =>
  new GitError({ reason, cwd, command, exitCode: null, stderr })

/**
 * Checks revision text before git sees it: anything git could take for an option, and control characters, are refused
 * with `invalid_revision`. What remains may still be unknown to the repository.
 */
export const checkRevision = (cwd: string, revision: string): Effect.Effect<string, GitError> =>
  revision === "" || revision.startsWith("-") || /\p{Cc}/u.test(revision) || revision.length > 1000
    ? Effect.fail(
        refuse(
          "invalid_revision",
          cwd,
          "rev-parse",
          `not a revision: ${JSON.stringify(revision.slice(0, 100))}`
        )
      )
    : Effect.succeed(revision)

const oneLine = (output: Buffer): string => output.toString("utf8").replace(/\r?\n$/, "")

/**
 * The repository around a directory, as git sees it. `topLevel` comes from git and may lie elsewhere when the repository
 * sets `core.worktree`; callers who walk must compare it with the directory they asked about.
 */
export const discover = (directory: string): Effect.Effect<Repository, GitError> =>
  Effect.gen(function* () {
    const ask = (flag: string) =>
      Effect.map(
        run(directory, ["rev-parse", "--path-format=absolute", flag], { timeoutMs: 30_000 }),
        (result) => oneLine(result.stdout)
      )
    const all = yield* run(
      directory,
      [
        "rev-parse",
        "--path-format=absolute",
        "--show-toplevel",
        "--absolute-git-dir",
        "--git-common-dir",
        // Before the first commit nothing is printed for it.
        "--revs-only",
        "HEAD^{commit}"
      ],
      { timeoutMs: 30_000 }
    )
    const lines = oneLine(all.stdout).split("\n")
    const clear = lines.length === 3 || (lines.length === 4 && /^[0-9a-f]{40,64}$/.test(lines[3]!))
    // A path with a line break in it makes the combined answer ambiguous: ask one by one.
    const [top, gitDir, common] = clear
      ? lines
      : yield* Effect.all([ask("--show-toplevel"), ask("--absolute-git-dir"), ask("--git-common-dir")])
    const paths = [top!, gitDir!, common!].map((path) => realPath(resolve(directory, path)))
    const head = yield* headRef(directory, paths[1]!)
    const oid = clear ? (lines[3] ?? null) : yield* headCommit(directory)
    return {
      topLevel: paths[0]!,
      gitDir: paths[1]!,
      commonDir: paths[2]!,
      isWorktree: paths[1] !== paths[2],
      headRef: head,
      headOid: oid
    }
  })

const realPath = (path: string): string => {
  try {
    return realpathSync.native(path)
  } catch {
    return path
  }
}

const headRef = (directory: string, gitDir: string): Effect.Effect<string | null, GitError> => {
  const head = readHead(gitDir)
  if (head?._tag === "Detached") return Effect.succeed(null)
  if (head !== null && head.ref !== "refs/heads/.invalid") return Effect.succeed(head.ref)
  return Effect.map(
    run(directory, ["symbolic-ref", "--quiet", "HEAD"], { okCodes: [0, 1], timeoutMs: 30_000 }),
    (result) => (result.exitCode === 0 ? oneLine(result.stdout) : null)
  )
}

const headCommit = (directory: string): Effect.Effect<string | null, GitError> =>
  Effect.map(
    run(directory, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"], {
      okCodes: [0, 1],
      timeoutMs: 30_000
    }),
    (result) => (result.exitCode === 0 ? oneLine(result.stdout) : null)
  )

/** Index entries below the directory. `undecodable` lists names that are not UTF-8 in printable form. */
export interface TrackedListing {
  readonly files: ReadonlyArray<TrackedFile>
  readonly undecodable: ReadonlyArray<string>
}

/** Tracked files below `directory`, with mode, blob id and stage; paths are relative to `directory`. Unmerged paths come once per stage. */
export const lsTracked = (
  directory: string,
  options: RunOptions = {}
): Effect.Effect<TrackedListing, GitError> =>
  Effect.flatMap(run(directory, ["ls-files", "-s", "-z"], options), ({ stdout }) => {
    const { texts, undecodable } = splitNul(stdout)
    const files: Array<TrackedFile> = []
    for (const record of texts) {
      const file = parseStageRecord(record)
      if (file === null)
        return Effect.fail(refuse("unexpected_output", directory, "ls-files -s", record.slice(0, 200)))
      files.push(file)
    }
    return Effect.succeed({
      files,
      undecodable: undecodable.map((bytes) => displayBytes(bytes.subarray(bytes.indexOf(9) + 1)))
    })
  })

/** Untracked paths that no ignore rule covers. */
export interface UntrackedListing {
  readonly files: ReadonlyArray<string>
  /** Directories that are repositories of their own, without the trailing slash; git does not look inside. */
  readonly repositories: ReadonlyArray<string>
  readonly undecodable: ReadonlyArray<string>
  /** Directories git could not open. Files below them are unknown, not absent. */
  readonly unreadable: ReadonlyArray<string>
}

/** Untracked, not ignored files below `directory`, by git's standard ignore rules; paths are relative to `directory`. */
export const lsUntracked = (
  directory: string,
  options: RunOptions = {}
): Effect.Effect<UntrackedListing, GitError> =>
  Effect.map(
    run(directory, ["ls-files", "-o", "--exclude-standard", "-z"], options),
    ({ stderr, stdout }) => {
      const { texts, undecodable } = splitNul(stdout)
      const files: Array<string> = []
      const repositories: Array<string> = []
      for (const text of texts) {
        if (text.endsWith("/")) repositories.push(text.slice(0, -1))
        else files.push(text)
      }
      const unreadable = [...stderr.matchAll(/could not open directory '(.*?)\/?': /gs)].map(
        (match) => match[1]!
      )
      return { files, repositories, undecodable: undecodable.map(displayBytes), unreadable }
    }
  )

/** Both listings at once. */
export const lsFiles = (
  directory: string,
  options: RunOptions = {}
): Effect.Effect<{ readonly tracked: TrackedListing; readonly untracked: UntrackedListing }, GitError> =>
  Effect.all(
    { tracked: lsTracked(directory, options), untracked: lsUntracked(directory, options) },
    { concurrency: 2 }
  )

/** Directories that ignore rules cover as a whole, relative to `directory`, without trailing slash. */
export const lsIgnoredDirectories = (directory: string): Effect.Effect<ReadonlyArray<string>, GitError> =>
  Effect.map(
    run(directory, ["ls-files", "-o", "-i", "--exclude-standard", "--directory", "-z"]),
    ({ stdout }) =>
      splitNul(stdout)
        .texts.filter((text) => text.endsWith("/"))
        .map((text) => text.slice(0, -1))
  )

/** Whether ignore rules of an outer repository cover the directory itself. */
export const isIgnored = (directory: string): Effect.Effect<boolean, GitError> =>
  Effect.map(
    run(directory, ["check-ignore", "--quiet", "."], { okCodes: [0, 1], timeoutMs: 30_000 }),
    (result) => result.exitCode === 0
  )

/**
 * Clean, smudge and process filters set in the repository's own configuration. A comparison with the work tree would run
 * them as programs, so they are switched off; the user's global filters stay.
 */
export const localFilters = (
  directory: string
): Effect.Effect<
  { readonly names: ReadonlyArray<string>; readonly off: ReadonlyArray<readonly [string, string]> },
  GitError
> =>
  Effect.map(
    run(
      directory,
      ["config", "-z", "--show-scope", "--get-regexp", "^filter\\..*\\.(clean|smudge|process|required)$"],
      {
        okCodes: [0, 1],
        timeoutMs: 30_000
      }
    ),
    ({ stdout }) => {
      const { texts } = splitNul(stdout)
      const names = new Set<string>()
      for (let at = 0; at + 1 < texts.length; at += 2) {
        const key = texts[at + 1]!.split("\n", 1)[0]!
        if (texts[at] === "local" || texts[at] === "worktree")
          names.add(key.slice("filter.".length, key.lastIndexOf(".")))
      }
      const off = [...names].flatMap((name) => [
        [`filter.${name}.clean`, ""] as const,
        [`filter.${name}.smudge`, ""] as const,
        [`filter.${name}.process`, ""] as const,
        [`filter.${name}.required`, "false"] as const
      ])
      return { names: [...names].sort(), off }
    }
  )

/** State of the work tree against the index and HEAD. Submodules count as changed only when their commit moved. */
export const status = (directory: string): Effect.Effect<Status, GitError> =>
  Effect.gen(function* () {
    const filters = yield* localFilters(directory)
    const { stdout } = yield* run(
      directory,
      ["status", "--porcelain=v2", "-z", "--branch", "--untracked-files=all", "--ignore-submodules=dirty"],
      { config: filters.off }
    )
    const parsed = parseStatus(stdout)
    if (parsed === null) {
      return yield* Effect.fail(
        refuse("unexpected_output", directory, "status", stdout.toString("utf8", 0, 200))
      )
    }
    return { ...parsed, filtersNotRun: filters.names }
  })

/** Resolves a revision to a full object id. Give `{commit: true}` to insist on a commit (tags are peeled). */
export const revParse = (
  directory: string,
  revision: string,
  options: { readonly commit?: boolean } = {}
): Effect.Effect<string, GitError> =>
  Effect.gen(function* () {
    const text = yield* checkRevision(directory, revision)
    const asked = options.commit === true ? `${text}^{commit}` : text
    const { exitCode, stdout } = yield* run(
      directory,
      ["rev-parse", "--verify", "--quiet", "--end-of-options", asked],
      {
        okCodes: [0, 1],
        timeoutMs: 30_000
      }
    )
    const oid = oneLine(stdout).split("\n").at(-1)!
    if (exitCode !== 0 || !/^[0-9a-f]{40,64}$/.test(oid)) {
      return yield* Effect.fail(
        refuse("unknown_revision", directory, "rev-parse", `unknown revision: ${text}`)
      )
    }
    return oid
  })

/** The best common ancestor of two revisions, or null when they share no history. */
export const mergeBase = (directory: string, a: string, b: string): Effect.Effect<string | null, GitError> =>
  Effect.gen(function* () {
    const [left, right] = yield* Effect.all([
      revParse(directory, a, { commit: true }),
      revParse(directory, b, { commit: true })
    ])
    const { exitCode, stdout } = yield* run(directory, ["merge-base", left, right], { okCodes: [0, 1] })
    return exitCode === 0 ? oneLine(stdout) : null
  })

/** Which commits a log asks for. */
export interface LogOptions {
  /** Start from here; default HEAD. `a..b` ranges are fine. */
  readonly revision?: string
  /** Most commits. */
  readonly limit?: number
  /** Only commits newer than this: seconds since 1970, or a date git understands. */
  readonly since?: string | number
  /** Only commits older than this. */
  readonly until?: string | number
  /** Only commits touching these paths, taken literally, relative to the directory. */
  readonly paths?: ReadonlyArray<string>
  /** Follow first parents only, and list a merge's files against its first parent. */
  readonly firstParent?: boolean
  /** Leave merges out. */
  readonly noMerges?: boolean
}

const when = (value: string | number): string => (typeof value === "number" ? `@${Math.floor(value)}` : value)

/**
 * Commits with the files they touched, newest first, renames detected. Paths are relative to the top level.
 * A repository without commits gives an empty stream.
 */
export const log = (directory: string, options: LogOptions = {}): Stream.Stream<Commit, GitError> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const revision = yield* checkRevision(directory, options.revision ?? "HEAD")
      if (options.revision === undefined && (yield* headCommit(directory)) === null) return Stream.empty
      const args = [
        "--literal-pathspecs",
        "log",
        "-z",
        `--format=${commitFormat}`,
        "--name-status",
        "-M",
        "--no-ext-diff",
        "--no-textconv",
        "--no-show-signature",
        "--no-mailmap",
        "--ignore-submodules=none",
        "--no-color",
        "--no-decorate",
        "--no-notes",
        "--no-relative"
      ]
      if (options.limit !== undefined) args.push(`--max-count=${Math.max(0, Math.floor(options.limit))}`)
      if (options.since !== undefined) args.push(`--since=${when(options.since)}`)
      if (options.until !== undefined) args.push(`--until=${when(options.until)}`)
      if (options.firstParent === true) args.push("--first-parent", "--diff-merges=first-parent")
      if (options.noMerges === true) args.push("--no-merges")
      args.push("--end-of-options", revision, "--", ...(options.paths ?? []))
      const parser = new CommitParser()
      return stream(directory, args).pipe(
        Stream.mapChunks((pieces) =>
          Chunk.flatMap(pieces, (piece) => Chunk.unsafeFromArray(parser.push(piece)))
        ),
        Stream.concat(Stream.suspend(() => Stream.fromIterable(parser.finish())))
      )
    })
  )

/** The bytes of a file as a revision holds it; `path` is relative to the top level. Fails with `unknown_revision` when revision or path do not exist there. */
export const show = (
  directory: string,
  revision: string,
  path: string,
  options: { readonly maxBytes?: number } = {}
): Effect.Effect<Buffer, GitError> =>
  Effect.gen(function* () {
    const text = yield* checkRevision(directory, revision)
    if (path === "" || path.includes("\0")) {
      return yield* Effect.fail(refuse("unknown_revision", directory, "cat-file", "no path given"))
    }
    // "./x" would be taken relative to the current directory; object paths never start so.
    const { stdout } = yield* run(
      directory,
      ["cat-file", "blob", "--end-of-options", `${text}:${path.replace(/^(\.\/)+/, "")}`],
      options
    )
    return stdout
  })

/** Everything a revision's tree holds, recursively, with blob sizes; paths relative to the top level. Submodules come as type `commit`. */
export const listTree = (
  directory: string,
  revision: string
): Effect.Effect<
  { readonly entries: ReadonlyArray<TreeEntry>; readonly undecodable: ReadonlyArray<string> },
  GitError
> =>
  Effect.gen(function* () {
    const oid = yield* revParse(directory, revision)
    const { stdout } = yield* run(directory, ["ls-tree", "-r", "-l", "-z", "--full-tree", oid])
    const { texts, undecodable } = splitNul(stdout)
    const entries: Array<TreeEntry> = []
    for (const record of texts) {
      const entry = parseTreeRecord(record)
      if (entry === null) {
        return yield* Effect.fail(refuse("unexpected_output", directory, "ls-tree", record.slice(0, 200)))
      }
      entries.push(entry)
    }
    return {
      entries,
      undecodable: undecodable.map((bytes) => displayBytes(bytes.subarray(bytes.indexOf(9) + 1)))
    }
  })

/** How the two sides of a comparison differ, with modes and blob ids. */
export interface Difference {
  readonly changes: ReadonlyArray<TreeChange>
  readonly undecodable: ReadonlyArray<string>
  /** Repository-local filters that were not run; only a comparison with the work tree can have any. */
  readonly filtersNotRun: ReadonlyArray<string>
}

/**
 * Files that differ between two revisions, or between a revision and the work tree when `b` is left out (untracked files
 * are not part of that). Renames are detected; paths are relative to the top level.
 */
export const diffNameStatus = (
  directory: string,
  a: string,
  b?: string
): Effect.Effect<Difference, GitError> =>
  Effect.gen(function* () {
    const left = yield* revParse(directory, a)
    const common = ["--raw", "-z", "--no-abbrev", "-M", "--no-ext-diff", "--no-textconv", "--no-relative"]
    const filters = b === undefined ? yield* localFilters(directory) : { names: [], off: [] }
    const { stdout } =
      b === undefined
        ? yield* run(directory, ["diff", ...common, "--ignore-submodules=dirty", left, "--"], {
            config: filters.off
          })
        : yield* run(directory, ["diff-tree", "-r", ...common, left, yield* revParse(directory, b), "--"])
    const { texts, undecodable } = splitNul(stdout)
    if (undecodable.length > 0) return yield* differenceWithOddNames(directory, stdout, filters.names)
    const changes = parseRaw(texts)
    if (changes === null) {
      return yield* Effect.fail(
        refuse("unexpected_output", directory, "diff", stdout.toString("utf8", 0, 200))
      )
    }
    return { changes, undecodable: [], filtersNotRun: filters.names }
  })

/** Names that are not UTF-8 break the pairing of records: parse a one-to-one byte decoding and decode the names afterwards. */
const differenceWithOddNames = (
  directory: string,
  output: Buffer,
  filtersNotRun: ReadonlyArray<string>
): Effect.Effect<Difference, GitError> => {
  const texts = output.toString("latin1").split("\0")
  if (texts.at(-1) === "") texts.pop()
  const parsed = parseRaw(texts)
  if (parsed === null) return Effect.fail(refuse("unexpected_output", directory, "diff", ""))
  const changes: Array<TreeChange> = []
  const undecodable: Array<string> = []
  const name = (text: string): string | null => {
    const decoded = splitNul(Buffer.from(text, "latin1"))
    return decoded.texts[0] ?? null
  }
  for (const change of parsed) {
    const path = name(change.path)
    const oldPath = change.oldPath === undefined ? undefined : name(change.oldPath)
    if (path === null || oldPath === null) undecodable.push(displayBytes(Buffer.from(change.path, "latin1")))
    else changes.push({ ...change, path, ...(oldPath === undefined ? {} : { oldPath }) })
  }
  return Effect.succeed({ changes, undecodable, filtersNotRun })
}

/** A unified diff as bytes, between two revisions or a revision and the work tree. */
export const diffPatch = (
  directory: string,
  a: string,
  b?: string,
  options: {
    readonly context?: number
    readonly paths?: ReadonlyArray<string>
    readonly maxBytes?: number
  } = {}
): Effect.Effect<Buffer, GitError> =>
  Effect.gen(function* () {
    const revisions = [yield* revParse(directory, a)]
    if (b !== undefined) revisions.push(yield* revParse(directory, b))
    const filters = b === undefined ? yield* localFilters(directory) : { off: [] }
    const { stdout } = yield* run(
      directory,
      [
        "--literal-pathspecs",
        "diff",
        "--patch",
        "--no-ext-diff",
        "--no-textconv",
        "--no-color",
        "--no-relative",
        "--ignore-submodules=dirty",
        "--src-prefix=a/",
        "--dst-prefix=b/",
        "-M",
        `--unified=${Math.max(0, Math.floor(options.context ?? 3))}`,
        ...revisions,
        "--",
        ...(options.paths ?? [])
      ],
      {
        config: filters.off,
        ...(options.maxBytes === undefined ? {} : { maxBytes: options.maxBytes })
      }
    )
    return stdout
  })

/**
 * Streams many objects through one child, in the order asked. `specs` are object ids or `revision:path`; those with a
 * line break or NUL are answered `Missing` without asking git. Objects are read raw: no filter or textconv runs.
 */
export const catFileBatch = (
  directory: string,
  specs: Iterable<string>
): Stream.Stream<BatchObject, GitError> =>
  Stream.suspend(() => {
    const all = [...specs]
    const unusable = (spec: string) => spec === "" || /[\0\n]|\r$/.test(spec)
    const asked = all.filter((spec) => !unusable(spec))
    const refused = Stream.fromIterable(
      all.filter(unusable).map((spec): BatchObject => ({ _tag: "Missing", spec }))
    )
    if (asked.length === 0) return refused
    const parser = new BatchParser(asked)
    return stream(directory, ["cat-file", "--batch"], {
      stdin: Buffer.from(`${asked.join("\n")}\n`, "utf8")
    }).pipe(
      Stream.mapChunks((pieces) =>
        Chunk.flatMap(pieces, (piece) => Chunk.unsafeFromArray(parser.push(piece)))
      ),
      Stream.concat(refused)
    )
  })

/** The id git gives these bytes as a blob, without any content conversion. 40 hex digits for SHA-1, 64 for SHA-256 repositories. */
export const blobOid = (bytes: Uint8Array, format: "sha1" | "sha256" = "sha1"): string =>
  createHash(format).update(`blob ${bytes.length}\0`).update(bytes).digest("hex")
