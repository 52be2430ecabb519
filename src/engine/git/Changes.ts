/** The work tree's changes in the words of the services: comparisons of one repository, with workspace-relative paths. */
import { Effect, Stream } from "effect"
import type { ChangedPath, Changes, Comparison } from "../../services/GitReader.ts"
import { isBinary, maxFileBytes } from "../files/Skip.ts"
import { baseOf, diff, diffLimits, type DiffFile, type DiffSides, emptyTree } from "./Diff.ts"
import { catFileBatch, lsUntracked, revParse } from "./Git.ts"
import type { GitError } from "./GitError.ts"
import { splitNul } from "./Parse.ts"
import { run } from "./Process.ts"

const octal = (mode: number): string | undefined =>
  mode === 0 ? undefined : mode.toString(8).padStart(6, "0")
const typeOf = (mode: number): ChangedPath["type"] =>
  mode === 0o120000 ? "symlink" : mode === 0o160000 ? "submodule" : "file"

const changedPath = (file: DiffFile, unmerged: ReadonlySet<string>, prefix: string): ChangedPath => {
  const conflict = file.kind === "unmerged" || unmerged.has(file.path)
  return {
    path: prefix + file.path,
    ...(file.oldPath === undefined ? {} : { previous_path: prefix + file.oldPath }),
    kind: conflict ? "unmerged" : file.kind,
    type: typeOf(file.newMode === 0 ? file.oldMode : file.newMode),
    old_mode: octal(file.oldMode),
    new_mode: octal(file.newMode),
    old_blob: file.oldOid ?? undefined,
    new_blob: file.newOid ?? undefined,
    binary: file.binary,
    hunks: conflict
      ? []
      : file.hunks.map((hunk) => ({
          old_start: hunk.oldStart,
          old_lines: hunk.oldLines,
          new_start: hunk.newStart,
          new_lines: hunk.newLines
        })),
    hunks_complete: file.hunksComplete && !conflict
  }
}

const untrackedPath = (path: string): ChangedPath => ({
  path,
  kind: "untracked",
  type: "file",
  old_mode: undefined,
  new_mode: undefined,
  old_blob: undefined,
  new_blob: undefined,
  binary: false,
  hunks: [],
  hunks_complete: true
})

const nothingUntracked = { files: [], repositories: [], undecodable: [], unreadable: [] }

/** Paths with a conflict in the index, relative to the directory. */
const conflicts = (directory: string): Effect.Effect<ReadonlySet<string>, GitError> =>
  Effect.map(
    run(directory, ["ls-files", "-u", "-z"]),
    ({ stdout }) => new Set(splitNul(stdout).texts.map((record) => record.slice(record.indexOf("\t") + 1)))
  )

/** What a comparison starts from, and what its answer says of that. */
const start = (
  directory: string,
  comparison: Comparison
): Effect.Effect<{ readonly sides: DiffSides } & Pick<Changes, "from" | "base" | "unrelated">, GitError> =>
  Effect.gen(function* () {
    if (comparison.scope === "unstaged")
      return {
        sides: { from: "index", to: "work_tree" },
        from: undefined,
        base: undefined,
        unrelated: false
      } as const
    if (comparison.scope === "compare") {
      const { commit, mergeBase } = yield* baseOf(directory, comparison.base)
      const from = mergeBase ?? commit
      return {
        sides: { from, to: "work_tree" },
        from,
        base: commit,
        unrelated: mergeBase === undefined
      } as const
    }
    const head = yield* revParse(directory, "HEAD", { commit: true }).pipe(
      Effect.catchIf(
        ({ reason }) => reason === "unknown_revision",
        () => Effect.succeed(undefined)
      )
    )
    return {
      sides: {
        from: head ?? (yield* emptyTree(directory)),
        to: comparison.scope === "staged" ? "index" : "work_tree"
      },
      from: head,
      base: undefined,
      unrelated: false
    } as const
  })

/** Changes below a directory; `prefix` ("" or ending in `/`) leads from the workspace's root to it. */
export const changes = (
  directory: string,
  prefix: string,
  comparison: Comparison,
  most: number = diffLimits.files
): Effect.Effect<Changes, GitError> =>
  Effect.gen(function* () {
    const { base, from, sides, unrelated } = yield* start(directory, comparison)
    const [difference, unmerged, untracked] = yield* Effect.all(
      [
        diff(directory, sides, { ...diffLimits, files: Math.min(most, diffLimits.files) }),
        conflicts(directory),
        sides.to === "work_tree" ? lsUntracked(directory) : Effect.succeed(nothingUntracked)
      ],
      { concurrency: 3 }
    )
    const tracked = difference.files.map((file) => changedPath(file, unmerged, prefix))
    // A file taken out of the index and still on disk is deleted on one side and untracked on the other.
    const known = new Map(tracked.map((file, place) => [file.path, place]))
    const more: Array<ChangedPath> = []
    let unlisted = 0
    for (const name of untracked.files) {
      const path = prefix + name
      const place = known.get(path)
      if (place !== undefined) {
        const { old_blob, old_mode } = tracked[place]!
        tracked[place] = { ...untrackedPath(path), old_blob, old_mode, hunks_complete: false }
      } else if (tracked.length + more.length >= most) unlisted++
      else more.push(untrackedPath(path))
    }
    return {
      from,
      base,
      unrelated,
      files: [...tracked, ...more].sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)),
      undecodable: [...difference.undecodable, ...untracked.undecodable],
      nested: untracked.repositories.map((path) => prefix + path),
      unreadable: untracked.unreadable.map((path) => prefix + path),
      filters_not_run: difference.filtersNotRun,
      cut: { files: difference.cut.files + unlisted, hunks: difference.cut.hunks }
    }
  })

/** Texts of blobs, in the order asked; undefined for one that is missing, binary or larger than an indexed file may be. */
export const texts = (
  directory: string,
  blobs: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<string | undefined>, GitError> =>
  blobs.length === 0
    ? Effect.succeed([])
    : catFileBatch(directory, blobs).pipe(
        Stream.map((object) =>
          object._tag === "Missing" ||
          object.type !== "blob" ||
          object.bytes.length > maxFileBytes ||
          isBinary(object.bytes)
            ? undefined
            : object.bytes.toString("utf8")
        ),
        Stream.runCollect,
        Effect.map((found) => Array.from(found))
      )
