/**
 * The few operations through which files are read and written here, so that each of them can be made to fail in a test.
 * {@link realDisk} is the only implementation the product has.
 */
import { Data, Effect } from "effect"
import { constants } from "node:fs"
import * as fs from "node:fs/promises"

/** The file system said no. `code` is its error code, such as ENOSPC; `step` the operation asked for. */
export class DiskError extends Data.TaggedError("DiskError")<{
  readonly step: keyof Disk
  readonly path: string
  readonly code: string
  readonly cause?: unknown
}> {
  override get message(): string {
    return `${this.step}: ${this.code}`
  }
}

export type EntryKind = "file" | "directory" | "symlink" | "other"

/** What stands at a path, links not followed. `mode` are the permission bits (0o7777). */
export interface DiskEntry {
  readonly kind: EntryKind
  readonly mode: number
  readonly size: number
  readonly uid: number
  readonly gid: number
  readonly device: number
  readonly inode: number
}

/** Absolute paths. Every operation fails with {@link DiskError}. */
export interface Disk {
  /** What is there, null for nothing (or for a parent that is no directory). */
  readonly entry: (path: string) => Effect.Effect<DiskEntry | null, DiskError>
  /** A regular file's bytes; a final link is not followed, a FIFO not waited for. */
  readonly read: (path: string) => Effect.Effect<Buffer, DiskError>
  /** Names in a directory, in no particular order; none when it is absent. */
  readonly list: (path: string) => Effect.Effect<ReadonlyArray<string>, DiskError>
  /**
   * Creates a file that must not exist and makes its bytes durable unless told otherwise. `owner` is given to it where the system allows;
   * where it does not, special mode bits (set-user-id and the like) are dropped.
   */
  readonly create: (
    path: string,
    bytes: Uint8Array,
    options: {
      readonly mode: number
      readonly owner?: { readonly uid: number; readonly gid: number }
      readonly durable?: boolean
    }
  ) => Effect.Effect<void, DiskError>
  /** Atomically puts `from` in the place of `to`, whatever is there. */
  readonly rename: (from: string, to: string) => Effect.Effect<void, DiskError>
  /** A second name for a file; fails with EEXIST when the name is taken. */
  readonly link: (from: string, to: string) => Effect.Effect<void, DiskError>
  /** Removes a file; absent is fine. */
  readonly unlink: (path: string) => Effect.Effect<void, DiskError>
  /** Makes one directory; one that is there is fine. */
  readonly mkdir: (path: string, mode?: number) => Effect.Effect<void, DiskError>
  /** Removes an empty directory; absent or not empty is fine. */
  readonly rmdir: (path: string) => Effect.Effect<void, DiskError>
  /** Makes the names of a directory durable, where the system can. */
  readonly syncDirectory: (path: string) => Effect.Effect<void, DiskError>
}

const codeOf = (cause: unknown): string => (cause as NodeJS.ErrnoException | undefined)?.code ?? "UNKNOWN"

/** What has begun goes on whoever waits for it: whoever is interrupted waits, and cleans up after all of it. */
const attempt = <A>(step: keyof Disk, path: string, run: () => Promise<A>): Effect.Effect<A, DiskError> =>
  Effect.uninterruptible(
    Effect.tryPromise({
      try: run,
      catch: (cause) => new DiskError({ step, path, code: codeOf(cause), cause })
    })
  )

const unless = async <A>(codes: ReadonlyArray<string>, otherwise: A, run: () => Promise<A>): Promise<A> => {
  try {
    return await run()
  } catch (cause) {
    if (codes.includes(codeOf(cause))) return otherwise
    throw cause
  }
}

const readFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
const createFlags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0)

export const realDisk: Disk = {
  entry: (path) =>
    attempt("entry", path, () =>
      unless(["ENOENT", "ENOTDIR"], null, async () => {
        const stat = await fs.lstat(path)
        return {
          kind: stat.isFile()
            ? "file"
            : stat.isDirectory()
              ? "directory"
              : stat.isSymbolicLink()
                ? "symlink"
                : "other",
          mode: stat.mode & 0o7777,
          size: stat.size,
          uid: stat.uid,
          gid: stat.gid,
          device: stat.dev,
          inode: stat.ino
        }
      })
    ),
  read: (path) =>
    attempt("read", path, async () => {
      const file = await fs.open(path, readFlags)
      try {
        return await file.readFile()
      } finally {
        await file.close()
      }
    }),
  list: (path) => attempt("list", path, () => unless(["ENOENT", "ENOTDIR"], [], () => fs.readdir(path))),
  create: (path, bytes, { mode, owner, durable }) =>
    attempt("create", path, async () => {
      const file = await fs.open(path, createFlags, 0o600)
      try {
        await file.writeFile(bytes)
        let bits = mode
        if (owner !== undefined) {
          const made = await file.stat()
          if (made.uid !== owner.uid || made.gid !== owner.gid) {
            const given = await unless(["EPERM", "EINVAL", "ENOSYS"], false, async () => {
              await file.chown(owner.uid, owner.gid)
              return true
            })
            if (!given) bits &= 0o777
          }
        }
        await file.chmod(bits)
        if (durable !== false) await file.sync()
      } finally {
        await file.close()
      }
    }),
  rename: (from, to) => attempt("rename", to, () => fs.rename(from, to)),
  link: (from, to) => attempt("link", to, () => fs.link(from, to)),
  unlink: (path) =>
    attempt("unlink", path, () => unless(["ENOENT", "ENOTDIR"], undefined, () => fs.unlink(path))),
  mkdir: (path, mode = 0o777) =>
    attempt("mkdir", path, () => unless(["EEXIST"], undefined, () => fs.mkdir(path, { mode }))),
  rmdir: (path) =>
    attempt("rmdir", path, () => unless(["ENOENT", "ENOTEMPTY", "EEXIST"], undefined, () => fs.rmdir(path))),
  syncDirectory: (path) =>
    attempt("syncDirectory", path, () =>
      // Some systems cannot open a directory or sync one; a failing device says EIO, which counts.
      unless(["EINVAL", "ENOTSUP", "EISDIR", "EPERM", "EACCES", "ENOSYS"], undefined, async () => {
        const directory = await fs.open(path, constants.O_RDONLY)
        try {
          await directory.sync()
        } finally {
          await directory.close()
        }
      })
    )
}
