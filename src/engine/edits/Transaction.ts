/**
 * Puts a plan on disk, whole or not at all. Temporary files beside their targets are made durable first; then each
 * target is looked at once more and replaced by a rename, creations and changes before removals; the journal knows both
 * sides until the end. Cancelling before the first rename leaves everything as it was; after it, the commit runs through.
 */
import { Cause, Clock, Effect, Exit } from "effect"
import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import type { Disk, DiskError } from "./Disk.ts"
import type { Journal, JournalFile, Manifest, ReceiptChange } from "./Journal.ts"
import { directoriesOf, fromDisk, type Plan, type PlannedFile } from "./Plan.ts"
import { EditRefused, type Place, refuse } from "../../services/EditRefused.ts"
import { rollBack, sideOf } from "./Settle.ts"

/** Files prepared at the same time. */
const width = 8

interface Piece {
  readonly planned: PlannedFile
  readonly file: JournalFile
}

const besides = (absolute: string, what: string): string =>
  join(dirname(absolute), `.portico-${what}-${randomBytes(8).toString("hex")}`)

/** Folders that are missing on the way to the files, outermost first. */
const missingDirectories = (files: ReadonlyArray<PlannedFile>): ReadonlyArray<string> => {
  const missing = new Set<string>()
  for (const directory of directoriesOf(files.filter(({ after }) => after !== null))) {
    const chain: Array<string> = []
    for (let at = directory; !existsSync(at) && dirname(at) !== at; at = dirname(at)) chain.unshift(at)
    for (const one of chain) missing.add(one)
  }
  return [...missing].sort((a, b) => a.length - b.length)
}

/** A plan's files that change, with the record that goes into the journal before any of it happens. */
export const draftManifest = (
  plan: Plan,
  options: { readonly id: string; readonly generated: boolean; readonly root: string; readonly now: number }
): {
  readonly manifest: Manifest
  readonly pieces: ReadonlyArray<Piece>
  readonly images: ReadonlyArray<Buffer>
} => {
  const touched = plan.files.filter(({ before, after }) => before?.sha256 !== after?.sha256)
  const images: Array<Buffer> = []
  let offset = 0
  const fresh = 0o666 & ~process.umask()
  const byPath = new Map(plan.files.map((file) => [file.path, file]))
  const pieces = touched.map((planned): Piece => {
    const { before, after, absolute, path, movedFrom } = planned
    const origin = movedFrom === null ? before : byPath.get(movedFrom)!.before
    const at = offset
    if (before !== null) {
      images.push(before.bytes)
      offset += before.bytes.length
    }
    return {
      planned,
      file: {
        path,
        absolute,
        temporary: besides(absolute, "new"),
        restoring: besides(absolute, "old"),
        before:
          before === null
            ? null
            : {
                sha256: before.sha256,
                mode: before.entry.mode,
                uid: before.entry.uid,
                gid: before.entry.gid,
                offset: at,
                length: before.bytes.length
              },
        after: after === null ? null : { sha256: after.sha256, mode: origin?.entry.mode ?? fresh }
      }
    }
  })
  const shaAt = (path: string) => byPath.get(path)?.after?.sha ?? null
  const changes = plan.changes.map(
    ({ index, op, path, destination, wouldChange }): ReceiptChange => ({
      index,
      kind: op,
      path,
      destination,
      changed: wouldChange,
      sha: shaAt(destination ?? path)
    })
  )
  return {
    pieces,
    images,
    manifest: {
      version: 1,
      id: options.id,
      generated: options.generated,
      fingerprint: plan.fingerprint,
      root: options.root,
      state: "preparing",
      diskStatus: "unchanged",
      createdAt: options.now,
      updatedAt: options.now,
      directories: [...missingDirectories(touched)],
      files: pieces.map(({ file }) => file),
      changes,
      summary: {
        requestedChanges: plan.items.length,
        changedFiles: plan.changes.filter(({ wouldChange }) => wouldChange).length,
        logicalEdits: plan.items.reduce((sum, item) => sum + (item.op === "edit" ? item.edits.length : 1), 0),
        resolvedMatches: plan.changes.reduce(
          (sum, { edits }) => sum + edits.reduce((n, edit) => n + (edit?.matchCount ?? 0), 0),
          0
        ),
        warnings: plan.changes.reduce((sum, { warnings }) => sum + warnings.length, 0)
      },
      conflicts: []
    }
  }
}

/** Makes the new bytes of one file durable beside it. */
const prepare = (
  disk: Disk,
  { planned, file }: Piece,
  source: string | null
): Effect.Effect<void, DiskError> => {
  if (planned.after === null) return Effect.void
  const owner = planned.before?.entry ?? null
  const copy = disk.create(file.temporary, planned.after.bytes, {
    mode: file.after!.mode,
    ...(owner === null ? {} : { owner: { uid: owner.uid, gid: owner.gid } })
  })
  // A moved file keeps its identity where a second name for it can be made.
  return source === null ? copy : disk.link(source, file.temporary).pipe(Effect.catchAll(() => copy))
}

/** The last look before a file is replaced. */
const verify = (disk: Disk, { file }: Piece): Effect.Effect<void, DiskError | EditRefused> =>
  Effect.flatMap(sideOf(disk, file), (side) =>
    side === "before"
      ? Effect.void
      : refuse("changed_during_commit", "the file was changed by somebody else during the commit", {
          path: file.path,
          stage: "execute",
          data: { reread_required: true }
        })
  )

/** Puts one file in place. A new one never replaces what appeared there in the meantime. */
const put = (disk: Disk, { file }: Piece): Effect.Effect<void, DiskError | EditRefused> => {
  if (file.before !== null) return disk.rename(file.temporary, file.absolute)
  const taken = refuse("destination_exists", "a file appeared here during the commit", {
    path: file.path,
    stage: "execute"
  })
  return disk.link(file.temporary, file.absolute).pipe(
    Effect.catchAll(
      (cause): Effect.Effect<void, DiskError | EditRefused> =>
        cause.code === "EEXIST"
          ? taken
          : // Not every file system gives files second names; `verify` has just found the place free.
            ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"].includes(cause.code)
            ? disk.rename(file.temporary, file.absolute)
            : cause
    ),
    Effect.zipRight(disk.unlink(file.temporary))
  )
}

/**
 * Commits a plan without problems whose files are locked. Answers the final record. Fails with what stopped it after
 * everything was put back (`stateChanged` false), or with `outcome_unknown` or `recovery_conflict` when that failed too.
 */
export const commitPlan = (
  disk: Disk,
  journal: Journal,
  plan: Plan,
  options: { readonly id: string; readonly generated: boolean; readonly root: string }
): Effect.Effect<Manifest, EditRefused> =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const { manifest, pieces, images } = draftManifest(plan, { ...options, now })
    const place = (path: string): Place => ({
      path,
      ...(plan.files.find((file) => file.path === path)?.changes.length === 1
        ? { changeIndex: plan.files.find((file) => file.path === path)!.changes[0]! }
        : {})
    })
    const failed = (cause: DiskError | EditRefused, path?: string): EditRefused => {
      const at = path === undefined ? {} : place(path)
      const base = cause instanceof EditRefused ? cause : fromDisk(cause)
      return new EditRefused({
        reason: base.reason,
        detail: base.detail,
        stage: "execute",
        stateChanged: false,
        ...(base.data === undefined ? {} : { data: base.data }),
        ...at
      })
    }
    const at =
      (path: string) =>
      <A>(effect: Effect.Effect<A, DiskError | EditRefused>): Effect.Effect<A, EditRefused> =>
        Effect.mapError(effect, (cause) => failed(cause, path))
    const byPath = new Map(plan.files.map((file) => [file.path, file]))

    if (pieces.length === 0) {
      const done: Manifest = { ...manifest, state: "committed", diskStatus: "unchanged" }
      yield* journal.open(done, []).pipe(Effect.mapError((cause) => failed(cause)))
      return done
    }

    const touched = new Set<JournalFile>()
    let current = manifest

    const getReady = Effect.gen(function* () {
      yield* journal.open(manifest, images)
      for (const directory of manifest.directories) yield* disk.mkdir(directory)
      yield* Effect.forEach(
        pieces,
        (piece) =>
          prepare(
            disk,
            piece,
            piece.planned.movedFrom === null ? null : byPath.get(piece.planned.movedFrom)!.absolute
          ).pipe(at(piece.file.path)),
        { concurrency: width, discard: true }
      )
      const prepared: Manifest = { ...manifest, state: "prepared", updatedAt: yield* Clock.currentTimeMillis }
      yield* journal.write(prepared, true)
      current = prepared
    }).pipe(Effect.mapError((cause) => (cause instanceof EditRefused ? cause : failed(cause))))

    const apply = Effect.gen(function* () {
      const puts = pieces.filter(({ planned }) => planned.after !== null)
      const removals = pieces.filter(({ planned }) => planned.after === null)
      for (const piece of puts) {
        yield* at(piece.file.path)(verify(disk, piece))
        touched.add(piece.file)
        yield* at(piece.file.path)(put(disk, piece)).pipe(
          Effect.tapError(({ reason }) =>
            Effect.sync(() => {
              // The file that took the place is not ours to undo.
              if (reason === "destination_exists") touched.delete(piece.file)
            })
          )
        )
      }
      const sync = (some: ReadonlyArray<Piece>) =>
        Effect.forEach(
          directoriesOf(some.map(({ file }) => file)),
          (directory) => disk.syncDirectory(directory),
          {
            discard: true
          }
        )
      yield* sync(puts)
      for (const directory of new Set(manifest.directories.map((made) => dirname(made))))
        yield* disk.syncDirectory(directory)
      for (const piece of removals) {
        yield* at(piece.file.path)(verify(disk, piece))
        touched.add(piece.file)
        yield* at(piece.file.path)(disk.unlink(piece.file.absolute))
      }
      yield* sync(removals)
      const done: Manifest = {
        ...current,
        state: "committed",
        diskStatus: "committed",
        updatedAt: yield* Clock.currentTimeMillis
      }
      yield* journal.write(done, true)
      return done
    }).pipe(Effect.mapError((cause) => (cause instanceof EditRefused ? cause : failed(cause))))

    const undo = (cause: EditRefused | null): Effect.Effect<void, EditRefused> =>
      rollBack(disk, journal, current, touched).pipe(
        Effect.mapError((error) =>
          touched.size === 0
            ? // Nothing of the work tree was replaced; at worst a temporary file stays behind until recovery.
              (cause ?? failed(error))
            : new EditRefused({
                reason: "outcome_unknown",
                detail: "the commit failed, and so did putting the files back",
                stage: "execute",
                outcomeUnknown: true,
                data: {
                  transaction_id: manifest.id,
                  detail_code: error.code,
                  ...(cause === null ? {} : { cause: cause.reason }),
                  paths: [...touched].map(({ path }) => path)
                }
              })
        ),
        Effect.flatMap((after) =>
          after.state === "recovery_conflict"
            ? new EditRefused({
                reason: "recovery_conflict",
                detail: "files were changed by somebody else during the commit; nothing more was touched",
                stage: "execute",
                outcomeUnknown: true,
                data: { transaction_id: manifest.id, paths: after.conflicts }
              })
            : Effect.void
        )
      )

    return yield* Effect.uninterruptibleMask((restoreInterrupts) =>
      Effect.gen(function* () {
        const ready = yield* Effect.exit(restoreInterrupts(getReady))
        if (Exit.isFailure(ready)) {
          yield* undo(null).pipe(Effect.ignore)
          return yield* Effect.failCause(ready.cause)
        }
        const applied = yield* Effect.exit(apply)
        if (Exit.isFailure(applied)) {
          const why = Cause.failureOption(applied.cause)
          yield* undo(why._tag === "Some" ? why.value : null)
          return yield* Effect.failCause(applied.cause)
        }
        yield* Effect.ignore(Effect.zipRight(journal.dropImages(manifest.id), journal.tidy()))
        return applied.value
      })
    )
  })

/** Base name of what preparation leaves beside a file, to be told apart from the user's own. */
export const isTemporary = (path: string): boolean =>
  /^\.portico-(?:new|old)-[0-9a-f]{16}$/.test(basename(path))
