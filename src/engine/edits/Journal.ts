/**
 * What a transaction leaves on disk outside the work tree: before it touches anything, the bytes it is about to replace
 * and a manifest of both sides; afterwards the manifest alone, as the receipt. One folder a transaction, named by the
 * hash of its id, so that any process can answer for it.
 */
import { Clock, Effect, Schema } from "effect"
import { randomBytes } from "node:crypto"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { type Disk, DiskError } from "./Disk.ts"
import { sha256 } from "./Plan.ts"

/**
 * - `preparing`: nothing of the work tree is replaced yet; temporary files may lie in it.
 * - `prepared`: files are being put in place, or the process died doing so.
 * - `committed`, `aborted`: over.
 * - `recovery_conflict`: a file holds bytes that are neither the old nor the new ones; nothing was touched since.
 */
export const TransactionState = Schema.Literal(
  "preparing",
  "prepared",
  "committed",
  "aborted",
  "recovery_conflict"
)
export type TransactionState = typeof TransactionState.Type

/** What became of the work tree. `unchanged` also while nothing has been replaced yet. */
export const DiskStatus = Schema.Literal("unchanged", "committed", "rolled_back", "conflict")
export type DiskStatus = typeof DiskStatus.Type

const Side = Schema.Struct({ sha256: Schema.String, mode: Schema.Number })

/** A path of the transaction. `absolute`, `temporary` and `restoring` are absolute paths, the latter two beside the file. */
export const JournalFile = Schema.Struct({
  path: Schema.String,
  absolute: Schema.String,
  temporary: Schema.String,
  restoring: Schema.String,
  /** Where the old bytes lie in the images; null when there was no file. */
  before: Schema.NullOr(
    Schema.Struct({
      ...Side.fields,
      uid: Schema.Number,
      gid: Schema.Number,
      offset: Schema.Number,
      length: Schema.Number
    })
  ),
  after: Schema.NullOr(Side)
})
export type JournalFile = typeof JournalFile.Type

/** A change as receipts tell it. `sha` is the git blob id afterwards, null for a deleted file. */
export const ReceiptChange = Schema.Struct({
  index: Schema.Number,
  kind: Schema.Literal("edit", "write", "move", "delete"),
  path: Schema.String,
  destination: Schema.NullOr(Schema.String),
  changed: Schema.Boolean,
  sha: Schema.NullOr(Schema.String)
})
export type ReceiptChange = typeof ReceiptChange.Type

/**
 * A file of a transaction that ended in conflict. `before` and `after` name the copies that are kept of both sides, in the
 * transaction's folder; null for a side without a file, or whose bytes could not be had any more.
 */
export const KeptFile = Schema.Struct({
  path: Schema.String,
  /** Which side the file was on when the conflict was found. */
  side: Schema.Literal("before", "after", "unknown"),
  before: Schema.NullOr(Schema.String),
  after: Schema.NullOr(Schema.String)
})
export type KeptFile = typeof KeptFile.Type

/** Counts of a transaction: what was asked for and what it came to. */
export const ChangeSummary = Schema.Struct({
  requestedChanges: Schema.Number,
  changedFiles: Schema.Number,
  logicalEdits: Schema.Number,
  resolvedMatches: Schema.Number,
  warnings: Schema.Number
})
export type ChangeSummary = typeof ChangeSummary.Type

export const Manifest = Schema.Struct({
  version: Schema.Literal(1),
  id: Schema.String,
  /** The id was made here because the caller gave none. */
  generated: Schema.Boolean,
  fingerprint: Schema.String,
  /** Real path of the root the transaction belongs to. */
  root: Schema.String,
  state: TransactionState,
  diskStatus: DiskStatus,
  /** Milliseconds since 1970. */
  createdAt: Schema.Number,
  updatedAt: Schema.Number,
  /** Folders it makes, outermost first; absolute. */
  directories: Schema.Array(Schema.String),
  files: Schema.Array(JournalFile),
  changes: Schema.Array(ReceiptChange),
  summary: ChangeSummary,
  /** Root-relative paths whose bytes nobody knows, after a conflict. */
  conflicts: Schema.Array(Schema.String),
  /** All files of a transaction that ended in conflict, in the order of `files`. */
  kept: Schema.optional(Schema.Array(KeptFile)),
  /** How a conflict was closed, and what copies were made of bytes nobody knew then. */
  closed: Schema.optional(
    Schema.Struct({
      as: Schema.Literal("restored", "accepted"),
      found: Schema.Array(Schema.Struct({ path: Schema.String, copy: Schema.String }))
    })
  )
})
export type Manifest = typeof Manifest.Type

const decode = Schema.decodeUnknownOption(Schema.parseJson(Manifest))

/** Whether nothing more will happen to a transaction by itself. */
export const isOver = (state: TransactionState): boolean =>
  state === "committed" || state === "aborted" || state === "recovery_conflict"

/** Whether nobody needs to do anything about a transaction any more. */
export const isClosed = (state: TransactionState): boolean => state === "committed" || state === "aborted"

export const maxReceipts = 512
/** How long the receipt of a generated id is kept, in milliseconds. */
export const generatedLife = 30 * 60_000
/** How long that of a caller's id is kept, in milliseconds. */
export const givenLife = 24 * 60 * 60_000

const folderName = "batch-transactions"

/** Whether anything was ever written with this state directory. */
export const hasJournals = (state: string): boolean => existsSync(join(state, folderName))

/** The journals under one state directory. All operations fail with {@link DiskError}. */
export class Journal {
  private readonly home: string
  /** One empty file a transaction that is not closed, so that those can be found without reading all records. */
  private readonly unfinished: string
  private sinceSweep = 0

  constructor(
    private readonly disk: Disk,
    /** Absolute; it exists. */
    state: string
  ) {
    this.home = join(state, folderName)
    this.unfinished = join(state, "open-transactions")
  }

  private folder(id: string): string {
    return join(this.home, sha256(id))
  }

  /** Where the record and the copies of a transaction lie, below the state directory, with `/`. */
  place(id: string): string {
    return `${folderName}/${sha256(id)}`
  }

  /** The record of an id: null for none, "unreadable" for one that cannot be understood. */
  read(id: string): Effect.Effect<Manifest | null | "unreadable", DiskError> {
    return this.readFolder(this.folder(id))
  }

  private readFolder(folder: string): Effect.Effect<Manifest | null | "unreadable", DiskError> {
    return this.disk.read(join(folder, "manifest.json")).pipe(
      Effect.map((bytes) => {
        const manifest = decode(bytes.toString("utf8"))
        return manifest._tag === "Some" ? manifest.value : ("unreadable" as const)
      }),
      Effect.catchIf(
        ({ code }) => code === "ENOENT" || code === "ENOTDIR",
        () => Effect.succeed(null)
      )
    )
  }

  private marker(root: string, id: string): string {
    return join(this.unfinished, `${sha256(root).slice(0, 16)}-${sha256(id)}`)
  }

  /** Records of a root that are not over, those of living processes included. */
  pending(root: string): Effect.Effect<ReadonlyArray<Manifest>, DiskError> {
    return Effect.map(this.unclosed(root), (found) => found.filter(({ state }) => !isOver(state)))
  }

  /** Records of a root that ended in conflict and were not closed. */
  conflicted(root: string): Effect.Effect<ReadonlyArray<Manifest>, DiskError> {
    return Effect.map(this.unclosed(root), (found) =>
      found.filter(({ state }) => state === "recovery_conflict")
    )
  }

  private unclosed(root: string): Effect.Effect<ReadonlyArray<Manifest>, DiskError> {
    return Effect.gen(this, function* () {
      const found: Array<Manifest> = []
      const own = `${sha256(root).slice(0, 16)}-`
      for (const name of yield* this.disk.list(this.unfinished)) {
        if (!name.startsWith(own)) continue
        const manifest = yield* this.readFolder(join(this.home, name.slice(own.length)))
        if (manifest !== null && manifest !== "unreadable" && !isClosed(manifest.state)) found.push(manifest)
      }
      return found
    })
  }

  /** Makes a new record durable, images first. `images` are the old bytes, in the order of the offsets. */
  open(manifest: Manifest, images: ReadonlyArray<Uint8Array>): Effect.Effect<void, DiskError> {
    const folder = this.folder(manifest.id)
    return Effect.gen(this, function* () {
      yield* this.disk.mkdir(this.home, 0o700)
      yield* this.disk.mkdir(folder, 0o700)
      if (images.length > 0) {
        yield* this.disk.unlink(join(folder, "before.bin"))
        yield* this.disk.create(join(folder, "before.bin"), Buffer.concat(images), { mode: 0o600 })
      }
      if (!isOver(manifest.state)) {
        yield* this.disk.mkdir(this.unfinished, 0o700)
        const marker = this.marker(manifest.root, manifest.id)
        yield* this.disk.unlink(marker)
        yield* this.disk.create(marker, Buffer.alloc(0), { mode: 0o600, durable: false })
      }
      yield* this.write(manifest, true)
      yield* this.disk.syncDirectory(this.home)
    })
  }

  /** Replaces a record. Durable unless told otherwise. */
  write(manifest: Manifest, durable: boolean): Effect.Effect<void, DiskError> {
    const folder = this.folder(manifest.id)
    const made = join(folder, `manifest.${randomBytes(6).toString("hex")}.tmp`)
    return this.disk.create(made, Buffer.from(JSON.stringify(manifest)), { mode: 0o600, durable }).pipe(
      Effect.zipRight(this.disk.rename(made, join(folder, "manifest.json"))),
      Effect.tapError(() => Effect.ignore(this.disk.unlink(made))),
      Effect.zipRight(durable ? this.disk.syncDirectory(folder) : Effect.void),
      Effect.zipRight(
        isClosed(manifest.state)
          ? Effect.ignore(this.disk.unlink(this.marker(manifest.root, manifest.id)))
          : Effect.void
      )
    )
  }

  /** The old bytes of a file of a record; fails when they are not what was put there. */
  image(manifest: Manifest, file: JournalFile): Effect.Effect<Buffer, DiskError> {
    const path = join(this.folder(manifest.id), "before.bin")
    const { before } = file
    return before === null
      ? Effect.die(new Error("a file without an old side has no image"))
      : this.disk.read(path).pipe(
          Effect.map((all) => all.subarray(before.offset, before.offset + before.length)),
          Effect.filterOrFail(
            (bytes) => bytes.length === before.length && sha256(bytes) === before.sha256,
            () => new DiskError({ step: "read", path, code: "DAMAGED" })
          )
        )
  }

  /** Keeps a copy of some bytes beside a record, durable; the same name again replaces it. */
  keep(id: string, name: string, bytes: Uint8Array): Effect.Effect<void, DiskError> {
    const path = join(this.folder(id), name)
    return Effect.zipRight(this.disk.unlink(path), this.disk.create(path, bytes, { mode: 0o600 }))
  }

  /** Lets go of the old bytes of a transaction that is over. */
  dropImages(id: string): Effect.Effect<void, DiskError> {
    return this.disk.unlink(join(this.folder(id), "before.bin"))
  }

  /** Removes a whole record. */
  private drop(folder: string): Effect.Effect<void, DiskError> {
    return Effect.gen(this, function* () {
      for (const name of yield* this.disk.list(folder)) yield* this.disk.unlink(join(folder, name))
      yield* this.disk.rmdir(folder)
    })
  }

  /** Every readable record, in no particular order; `unreadable` counts the others. */
  all(): Effect.Effect<
    { readonly manifests: ReadonlyArray<Manifest>; readonly unreadable: number },
    DiskError
  > {
    return Effect.gen(this, function* () {
      const manifests: Array<Manifest> = []
      let unreadable = 0
      for (const name of yield* this.disk.list(this.home)) {
        if (!/^[0-9a-f]{64}$/.test(name)) continue
        const manifest = yield* this.readFolder(join(this.home, name))
        if (manifest === "unreadable") unreadable++
        else if (manifest !== null) manifests.push(manifest)
      }
      return { manifests, unreadable }
    })
  }

  /**
   * Forgets receipts that are too old, and the oldest beyond {@link maxReceipts}, those of generated ids first. A record
   * that still needs recovery, or is in conflict, is never forgotten.
   */
  sweep(most: number = maxReceipts): Effect.Effect<number, DiskError> {
    return Effect.gen(this, function* () {
      const now = yield* Clock.currentTimeMillis
      const { manifests } = yield* this.all()
      const over = manifests
        .filter(({ state }) => isClosed(state))
        .sort((a, b) => Number(b.generated) - Number(a.generated) || a.updatedAt - b.updatedAt)
      let excess = over.length - most
      let dropped = 0
      for (const { id, generated, updatedAt } of over) {
        const old = now - updatedAt > (generated ? generatedLife : givenLife)
        if (!old && excess <= 0) continue
        yield* this.drop(this.folder(id))
        excess--
        dropped++
      }
      return dropped
    })
  }

  /** Sweeps every so often. */
  tidy(): Effect.Effect<void, DiskError> {
    return Effect.suspend(() => (this.sinceSweep++ % 64 === 0 ? Effect.asVoid(this.sweep()) : Effect.void))
  }
}
