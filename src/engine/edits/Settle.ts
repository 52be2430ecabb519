/**
 * Brings an unfinished transaction to one of its two ends. What was done is read off the files themselves, never
 * remembered: a file holds its old bytes, its new bytes, or bytes nobody here knows.
 */
import { Clock, Effect } from "effect"
import { dirname } from "node:path"
import type { Disk, DiskError } from "./Disk.ts"
import type { DiskStatus, Journal, JournalFile, Manifest, TransactionState } from "./Journal.ts"
import { sha256 } from "./Plan.ts"

/** Which side of the transaction a file is on. */
export type FileSide = "before" | "after" | "unknown"

/** What a file holds now. */
export const sideOf = (disk: Disk, file: JournalFile): Effect.Effect<FileSide, DiskError> =>
  Effect.gen(function* () {
    const entry = yield* disk.entry(file.absolute)
    if (entry === null)
      return file.before === null ? "before" : file.after === null ? "after" : ("unknown" as const)
    if (entry.kind !== "file") return "unknown"
    const now = sha256(yield* disk.read(file.absolute))
    return now === file.before?.sha256 ? "before" : now === file.after?.sha256 ? "after" : "unknown"
  })

/** Removes what preparation left beside the files. */
const removeTemporaries = (disk: Disk, manifest: Manifest): Effect.Effect<void, DiskError> =>
  Effect.forEach(
    manifest.files,
    ({ temporary, restoring }) => Effect.zipRight(disk.unlink(temporary), disk.unlink(restoring)),
    { discard: true }
  )

const removeDirectories = (disk: Disk, manifest: Manifest): Effect.Effect<void, DiskError> =>
  Effect.forEach(manifest.directories.toReversed(), (directory) => disk.rmdir(directory), { discard: true })

const syncAll = (disk: Disk, files: ReadonlyArray<JournalFile>): Effect.Effect<void, DiskError> =>
  Effect.forEach(
    new Set(files.map(({ absolute }) => dirname(absolute))),
    (directory) => disk.syncDirectory(directory),
    { discard: true }
  )

/** Puts old bytes back where new ones are (or nothing is any more), then removes what was not there before. */
const restore = (
  disk: Disk,
  journal: Journal,
  manifest: Manifest,
  files: ReadonlyArray<JournalFile>
): Effect.Effect<void, DiskError> =>
  Effect.gen(function* () {
    const returning = files.filter(({ before }) => before !== null)
    for (const file of returning) {
      const bytes = yield* journal.image(manifest, file)
      const { mode, uid, gid } = file.before!
      yield* disk.unlink(file.restoring)
      yield* disk.create(file.restoring, bytes, { mode, owner: { uid, gid } })
      if (file.after === null) {
        yield* disk.link(file.restoring, file.absolute).pipe(
          Effect.catchIf(
            ({ code }) => code !== "EEXIST",
            () => disk.rename(file.restoring, file.absolute)
          )
        )
        yield* disk.unlink(file.restoring)
      } else yield* disk.rename(file.restoring, file.absolute)
    }
    yield* syncAll(disk, returning)
    const created = files.filter(({ before }) => before === null)
    for (const file of created) yield* disk.unlink(file.absolute)
    yield* syncAll(disk, created)
  })

const marked = (
  journal: Journal,
  manifest: Manifest,
  state: TransactionState,
  diskStatus: DiskStatus,
  conflicts: ReadonlyArray<string> = []
): Effect.Effect<Manifest, DiskError> =>
  Effect.gen(function* () {
    const updatedAt = yield* Clock.currentTimeMillis
    const next: Manifest = { ...manifest, state, diskStatus, updatedAt, conflicts: [...conflicts] }
    yield* journal.write(next, true)
    return next
  })

/**
 * Undoes a transaction of this process that failed on its way. `touched` are the files it began to replace; the others
 * are as somebody else left them and none of its business. A touched file that holds unknown bytes stops everything:
 * the record becomes `recovery_conflict` and nothing more is touched.
 */
export const rollBack = (
  disk: Disk,
  journal: Journal,
  manifest: Manifest,
  touched: ReadonlySet<JournalFile>
): Effect.Effect<Manifest, DiskError> =>
  Effect.gen(function* () {
    const changed: Array<JournalFile> = []
    const unknown: Array<JournalFile> = []
    for (const file of touched) {
      const side = yield* sideOf(disk, file)
      if (side === "after") changed.push(file)
      if (side === "unknown") unknown.push(file)
    }
    if (unknown.length > 0)
      return yield* marked(
        journal,
        manifest,
        "recovery_conflict",
        "conflict",
        unknown.map(({ path }) => path)
      )
    yield* restore(disk, journal, manifest, changed)
    yield* removeTemporaries(disk, manifest)
    yield* removeDirectories(disk, manifest)
    const next: Manifest = {
      ...manifest,
      state: "aborted",
      diskStatus: changed.length > 0 ? "rolled_back" : "unchanged",
      updatedAt: yield* Clock.currentTimeMillis
    }
    // The tree is whole again whether or not the record can say so: recovery comes to the same answer.
    yield* Effect.ignore(Effect.zipRight(journal.write(next, true), journal.dropImages(next.id)))
    return next
  }).pipe(Effect.uninterruptible)

/**
 * Finishes a transaction whose process died. Before it had begun to replace files it is aborted; else, all files new, it is committed; all old, aborted; some of each, the new
 * ones are put back; any unknown, `recovery_conflict` and nothing is touched.
 */
export const settle = (
  disk: Disk,
  journal: Journal,
  manifest: Manifest
): Effect.Effect<Manifest, DiskError> =>
  Effect.gen(function* () {
    const abort = (changed: ReadonlyArray<JournalFile>) =>
      Effect.gen(function* () {
        yield* restore(disk, journal, manifest, changed)
        yield* removeTemporaries(disk, manifest)
        yield* removeDirectories(disk, manifest)
        const next = yield* marked(
          journal,
          manifest,
          "aborted",
          changed.length > 0 ? "rolled_back" : "unchanged"
        )
        yield* Effect.ignore(journal.dropImages(next.id))
        return next
      })
    // Files are only replaced once the record says so: whatever they hold now is somebody else's doing.
    if (manifest.state === "preparing") return yield* abort([])
    const sides = new Map<JournalFile, FileSide>()
    for (const file of manifest.files) sides.set(file, yield* sideOf(disk, file))
    const on = (side: FileSide) => manifest.files.filter((file) => sides.get(file) === side)
    const unknown = on("unknown")
    if (unknown.length > 0)
      return yield* marked(
        journal,
        manifest,
        "recovery_conflict",
        "conflict",
        unknown.map(({ path }) => path)
      )
    const after = on("after")
    if (after.length > 0 && after.length === manifest.files.length) {
      yield* removeTemporaries(disk, manifest)
      yield* syncAll(disk, manifest.files)
      const next = yield* marked(journal, manifest, "committed", "committed")
      yield* Effect.ignore(journal.dropImages(next.id))
      return next
    }
    return yield* abort(after)
  }).pipe(Effect.uninterruptible)
