/**
 * Brings an unfinished transaction to one of its two ends. What was done is read off the files themselves, never
 * remembered: a file holds its old bytes, its new bytes, or bytes nobody here knows.
 */
import { Clock, Effect } from "effect"
import { basename, dirname } from "node:path"
import { type Disk, DiskError } from "./Disk.ts"
import type { DiskStatus, Journal, JournalFile, KeptFile, Manifest, TransactionState } from "./Journal.ts"
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

/** Whether what stands in a new file's place is the file of another path of the transaction under a second name. */
const isSecondName = (
  disk: Disk,
  file: JournalFile,
  { files }: Manifest
): Effect.Effect<boolean, DiskError> =>
  Effect.gen(function* () {
    if (file.before !== null) return false
    const own = yield* disk.entry(file.absolute)
    if (own?.kind !== "file") return false
    for (const other of files) {
      if (other === file || other.before === null) continue
      const entry = yield* disk.entry(other.absolute)
      if (entry?.device === own.device && entry.inode === own.inode) return true
    }
    return false
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
  more: Partial<Pick<Manifest, "conflicts" | "kept" | "closed">> = {}
): Effect.Effect<Manifest, DiskError> =>
  Effect.gen(function* () {
    const updatedAt = yield* Clock.currentTimeMillis
    const next: Manifest = { ...manifest, state, diskStatus, updatedAt, conflicts: [], ...more }
    yield* journal.write(next, true)
    return next
  })

/** A name for a copy of a file's bytes, told apart by the file's place in the record. */
const copyName = (at: number, what: "before" | "after" | "found", { path }: JournalFile): string =>
  `${at}.${what}.${basename(path).slice(-80)}`

/** The new bytes of a file, wherever they still are; null when they are gone. */
const newBytes = (disk: Disk, file: JournalFile, side: FileSide): Effect.Effect<Buffer | null> =>
  Effect.gen(function* () {
    for (const path of side === "after" ? [file.absolute, file.temporary] : [file.temporary]) {
      const bytes = yield* Effect.option(disk.read(path))
      if (bytes._tag === "Some" && sha256(bytes.value) === file.after?.sha256) return bytes.value
    }
    return null
  })

/**
 * Ends a transaction whose files hold bytes nobody knows. Both sides of every file are copied beside the record, and
 * what preparation left in the work tree goes once its bytes are copied. No other file of the work tree is touched.
 */
const conflicted = (
  disk: Disk,
  journal: Journal,
  manifest: Manifest,
  sides: ReadonlyMap<JournalFile, FileSide>
): Effect.Effect<Manifest, DiskError> =>
  Effect.gen(function* () {
    // First of all the record: whatever happens to the copies, nothing is to be touched from now on.
    const conflicts = manifest.files.filter((file) => sides.get(file) === "unknown").map(({ path }) => path)
    let known = yield* marked(journal, manifest, "recovery_conflict", "conflict", { conflicts })
    const kept: Array<KeptFile> = []
    for (const [at, file] of manifest.files.entries()) {
      const side = sides.get(file)
      const copy = (what: "before" | "after", bytes: Buffer) => {
        const name = copyName(at, what, file)
        return Effect.as(journal.keep(manifest.id, name, bytes), name)
      }
      const before =
        file.before === null
          ? null
          : yield* journal.image(manifest, file).pipe(
              Effect.flatMap((bytes) => copy("before", bytes)),
              Effect.orElseSucceed(() => null)
            )
      const bytes = file.after === null ? null : yield* newBytes(disk, file, side ?? "unknown")
      const after = bytes === null ? null : yield* Effect.orElseSucceed(copy("after", bytes), () => null)
      if (file.after === null || after !== null) yield* Effect.ignore(disk.unlink(file.temporary))
      yield* Effect.ignore(disk.unlink(file.restoring))
      if (side !== undefined) kept.push({ path: file.path, side, before, after })
    }
    yield* Effect.ignore(removeDirectories(disk, manifest))
    known = yield* Effect.orElseSucceed(
      marked(journal, known, "recovery_conflict", "conflict", { conflicts, kept }),
      () => known
    )
    return known
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
    const sides = new Map<JournalFile, FileSide>()
    for (const file of touched) {
      const found = yield* sideOf(disk, file)
      // A moved file written to meanwhile: what was made here is but another name of it.
      const side = found === "unknown" && (yield* isSecondName(disk, file, manifest)) ? "after" : found
      sides.set(file, side)
      if (side === "after") changed.push(file)
    }
    if ([...sides.values()].includes("unknown")) {
      // Of the others only those are told of that nobody else has changed meanwhile.
      for (const file of manifest.files)
        if (!touched.has(file) && (yield* sideOf(disk, file)) === "before") sides.set(file, "before")
      return yield* conflicted(disk, journal, manifest, sides)
    }
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

/** Files of a transaction that its outcome depends on. */
const concerned = ({ files, kept }: Manifest): ReadonlyArray<JournalFile> =>
  kept === undefined ? files : files.filter(({ path }) => kept.some((one) => one.path === path))

/** What the files of a transaction hold now. */
export const sidesOf = (
  disk: Disk,
  manifest: Manifest
): Effect.Effect<ReadonlyMap<JournalFile, FileSide>, DiskError> =>
  Effect.map(
    Effect.forEach(concerned(manifest), (file) =>
      Effect.map(sideOf(disk, file), (side) => [file, side] as const)
    ),
    (sides) => new Map(sides)
  )

/**
 * Finishes a transaction whose process died, or that was in conflict. Before it had begun to replace files it is
 * aborted; else, all files new, it is committed; all old, aborted; some of each, the new ones are put back; any unknown,
 * `recovery_conflict` and nothing is touched.
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
    const sides = yield* sidesOf(disk, manifest)
    const files = [...sides.keys()]
    const on = (side: FileSide) => files.filter((file) => sides.get(file) === side)
    if (on("unknown").length > 0)
      return manifest.state === "recovery_conflict" && manifest.kept !== undefined
        ? manifest
        : yield* conflicted(disk, journal, manifest, sides)
    const after = on("after")
    if (after.length > 0 && after.length === files.length) {
      yield* removeTemporaries(disk, manifest)
      yield* syncAll(disk, manifest.files)
      const next = yield* marked(journal, manifest, "committed", "committed")
      yield* Effect.ignore(journal.dropImages(next.id))
      return next
    }
    return yield* abort(after)
  }).pipe(Effect.uninterruptible)

/**
 * Closes a conflict. `restored`: every file gets its old bytes, after a copy of bytes nobody knew was put beside the
 * record. `accepted`: the files stay as they are. Fails with code ENOTSUP, before anything is done, where no file stands
 * in a file's place.
 */
export const close = (
  disk: Disk,
  journal: Journal,
  manifest: Manifest,
  as: "restored" | "accepted"
): Effect.Effect<Manifest, DiskError> =>
  Effect.gen(function* () {
    if (as === "accepted") {
      const next = yield* marked(journal, manifest, "aborted", "conflict", { closed: { as, found: [] } })
      yield* Effect.ignore(journal.dropImages(next.id))
      return next
    }
    const sides = yield* sidesOf(disk, manifest)
    for (const file of sides.keys()) {
      const entry = yield* disk.entry(file.absolute)
      if (entry !== null && entry.kind !== "file")
        return yield* new DiskError({ step: "rename", path: file.path, code: "ENOTSUP" })
    }
    const found: Array<{ readonly path: string; readonly copy: string }> = []
    for (const [file, side] of sides) {
      if (side === "before") continue
      const bytes = file.before === null ? null : yield* journal.image(manifest, file)
      if (side === "unknown" && (yield* disk.entry(file.absolute)) !== null) {
        const copy = copyName(manifest.files.indexOf(file), "found", file)
        yield* journal.keep(manifest.id, copy, yield* disk.read(file.absolute))
        found.push({ path: file.path, copy })
      }
      if (bytes === null) yield* disk.unlink(file.absolute)
      else {
        const { mode, uid, gid } = file.before!
        yield* disk.unlink(file.restoring)
        yield* disk.create(file.restoring, bytes, { mode, owner: { uid, gid } })
        yield* disk.rename(file.restoring, file.absolute)
      }
    }
    yield* syncAll(
      disk,
      [...sides].filter(([, side]) => side !== "before").map(([file]) => file)
    )
    yield* removeDirectories(disk, manifest)
    const next = yield* marked(journal, manifest, "aborted", "rolled_back", { closed: { as, found } })
    yield* Effect.ignore(journal.dropImages(next.id))
    return next
  }).pipe(Effect.uninterruptible)
