/** Bytes of a workspace's files for those who look through many of them. */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs"
import { join } from "node:path"
import type { FileEntry } from "../graph/Snapshot.ts"

/** Bytes of files that are kept, of one file that is kept, and of one file that is read at all. */
const budget = 4 << 20
const largestKept = 1 << 20
const largest = 4 << 20
/** Once there is no room, one in so many files that are read takes the place of the one kept longest. */
const turnover = 32
/** Bytes of room beyond a file, for those that are a little larger. */
const beyond = 1 << 17

interface Held {
  readonly from: number
  readonly to: number
}

/**
 * Bytes of files, some of them kept by content: a changed file is another content. Searches read the same files in the
 * same order again and again, so what is kept mostly stays; giving up the oldest for the newest would keep nothing that
 * is asked for next. What is kept lies in one piece of memory, the oldest first: many buffers that come and go would
 * leave holes between what stays.
 */
export class FileBytes {
  private readonly held = new Map<string, Held>()
  private room: Buffer | undefined
  /** Where the next file goes, and whether all of the room was given once. */
  private next = 0
  private full = false
  private missed = 0
  private scratch = Buffer.allocUnsafeSlow(1 << 16)
  constructor(readonly root: string) {}

  /** The bytes of a file, the reader's own. */
  read(file: FileEntry): Uint8Array | undefined {
    const known = this.known(file.oid)
    return known === undefined ? this.load(file) : Buffer.from(known)
  }

  /** The bytes of a file, good until the next is read. */
  peek(file: FileEntry): Uint8Array | undefined {
    const known = this.known(file.oid)
    if (known !== undefined) return known
    if (this.scratch.length <= file.size && file.size <= largest)
      this.scratch = Buffer.allocUnsafeSlow(file.size + beyond)
    const bytes = this.load(file, this.scratch)
    if (bytes === undefined || bytes.length === 0 || bytes.length > largestKept) return bytes
    const fits = !this.full && this.next + bytes.length <= budget
    if (fits || ++this.missed % turnover === 0) this.keep(file.oid, bytes)
    return bytes
  }

  private known(oid: string): Buffer | undefined {
    const place = this.held.get(oid)
    return place === undefined ? undefined : this.room!.subarray(place.from, place.to)
  }

  /** Puts a copy behind the newest, over the oldest. */
  private keep(oid: string, bytes: Uint8Array): void {
    const room = (this.room ??= Buffer.allocUnsafeSlow(budget))
    if (this.next + bytes.length > budget) {
      this.letGo(this.next, budget)
      this.next = 0
      this.full = true
    }
    const from = this.next
    const to = (this.next = from + bytes.length)
    this.letGo(from, to)
    room.set(bytes, from)
    this.held.set(oid, { from, to })
  }

  /** Lets go of what lies in a part of the room, which is the oldest. */
  private letGo(from: number, to: number): void {
    for (const [oid, place] of this.held) {
      if (place.to <= from || place.from >= to) return
      this.held.delete(oid)
    }
  }

  /** Reads into a buffer that is given, or into a new one when none is or it is too small. */
  private load(file: FileEntry, into?: Buffer): Buffer | undefined {
    if (file.size > largest) return undefined
    try {
      // A file that has become something else must not keep a search waiting.
      const fd = openSync(join(this.root, file.path), constants.O_RDONLY | constants.O_NONBLOCK)
      try {
        let room = into ?? Buffer.allocUnsafeSlow(file.size + 1)
        let length = 0
        for (;;) {
          const count = readSync(fd, room, length, room.length - length, null)
          length += count
          // As long as it was, and less than there was room for: that was all of it.
          if (count === 0 || (length === file.size && length < room.length)) return room.subarray(0, length)
          if (length < room.length) continue
          const { size } = fstatSync(fd)
          if (Math.max(size, length) > largest) return undefined
          const more = Buffer.allocUnsafeSlow(Math.max(size, length) + 4096)
          room.copy(more, 0, 0, length)
          room = more
        }
      } finally {
        closeSync(fd)
      }
    } catch {
      return undefined
    }
  }
}
