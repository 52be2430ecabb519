/**
 * Some lines of a file without making text of the rest of it: where its lines are is kept by content, and a file has the
 * content that was indexed as long as its stat is the one of then.
 */
import { isAscii, isUtf8 } from "node:buffer"
import { fstatSync, readSync, type Stats } from "node:fs"
import type { FileLines } from "../../services/ReadFs.ts"
import { PathRefused, type Root, withConfinedSync } from "../files/Confine.ts"
import { isConfigLike } from "../files/Secrets.ts"
import { isBinary } from "../files/Skip.ts"
import type { FileEntry, Snapshot } from "../graph/Snapshot.ts"

/** Bytes of the largest file that is read in parts. */
const largest = 4 << 20
/** Bytes that the room for reading has more than was needed when it was made. */
const slack = 1 << 17
/** Lines from one mark to the next, as a power of two. */
const markBits = 6
const lineFeed = 10
/** Files whose marks are kept. */
const mostFiles = 1024
/** Milliseconds: a write so soon after a look leaves no trace in the stat. */
const grainMs = 100

interface Marks {
  /** How the file's bytes are decoded. */
  readonly encoding: "utf8" | "latin1"
  readonly lines: number
  /** Where the text of the first line of every 64 begins. */
  readonly starts: Uint32Array
}

const marksOf = (bytes: Buffer): Marks | undefined => {
  const wide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
  if (wide || isBinary(bytes)) return undefined
  const utf8 = !isAscii(bytes) && isUtf8(bytes)
  const starts = [utf8 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0]
  let lines = 0
  for (let at = 0; at < bytes.length; at++)
    if (bytes[at] === lineFeed && (++lines & ((1 << markBits) - 1)) === 0) starts.push(at + 1)
  if (bytes.length > starts[0]! && bytes[bytes.length - 1] !== lineFeed) lines++
  return { encoding: utf8 ? "utf8" : "latin1", lines, starts: Uint32Array.from(starts) }
}

const isAsIndexed = (stat: Stats, file: FileEntry, at: number): boolean =>
  stat.size === file.size &&
  stat.mtimeMs === file.mtimeMs &&
  stat.ino === file.ino &&
  file.mtimeMs < at - grainMs

export class LineReader {
  /** By blob id. */
  readonly #marks = new Map<string, Marks>()
  #scratch = Buffer.allocUnsafeSlow(0)
  readonly #root: Root

  constructor(root: Root) {
    this.#root = root
  }

  /**
   * The lines `from` to `to`, 1-based, with their ends, or as many as there are. Undefined for what is read whole: a file
   * that is larger still, is no longer as it was indexed, is masked before it is shown, or is no text with lines that end
   * where bytes say so.
   */
  lines({ at, byPath, files }: Snapshot, path: string, from: number, to: number): FileLines | undefined {
    const file = files[byPath.get(path) ?? -1]
    if (file === undefined || file.oid === "" || file.size > largest || from < 1) return undefined
    if (isConfigLike(path)) return undefined
    const read = withConfinedSync(this.#root, path, {}, (fd, stat, { relative }) => {
      if (relative !== path || !isAsIndexed(stat, file, at)) return undefined
      const marks = this.#marks.get(file.oid) ?? this.#mark(fd, file)
      if (marks === undefined) return undefined
      const first = marks.starts[(from - 1) >> markBits]
      if (first === undefined || from > marks.lines) return undefined
      const end = marks.starts[((to - 1) >> markBits) + 1] ?? file.size
      const bytes = this.#read(fd, first, end)
      // What was written while it was read shows in its stat.
      if (bytes === undefined || !isAsIndexed(fstatSync(fd), file, at)) return undefined
      const text = bytes.toString(marks.encoding)
      const lines: Array<string> = []
      let line = (((from - 1) >> markBits) << markBits) + 1
      for (let place = 0; line <= to && place < text.length; line++) {
        const stop = text.indexOf("\n", place)
        const next = stop < 0 ? text.length : stop + 1
        if (line >= from) lines.push(text.slice(place, next))
        place = next
      }
      return { path, sha: file.oid, lines, whole: line > marks.lines }
    })
    return read instanceof PathRefused ? undefined : read
  }

  #mark(fd: number, file: FileEntry): Marks | undefined {
    const bytes = this.#read(fd, 0, file.size)
    const marks = bytes === undefined ? undefined : marksOf(bytes)
    if (marks === undefined) return undefined
    this.#marks.set(file.oid, marks)
    for (const oldest of this.#marks.keys()) {
      if (this.#marks.size <= mostFiles) break
      this.#marks.delete(oldest)
    }
    return marks
  }

  /** Bytes of a file, good until the next are read; undefined when there are less. */
  #read(fd: number, from: number, to: number): Buffer | undefined {
    const length = to - from
    if (this.#scratch.length < length) this.#scratch = Buffer.allocUnsafeSlow(length + slack)
    for (let done = 0; done < length; ) {
      const got = readSync(fd, this.#scratch, done, length - done, from + done)
      if (got === 0) return undefined
      done += got
    }
    return this.#scratch.subarray(0, length)
  }
}
