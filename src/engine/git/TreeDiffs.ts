/** How pairs of trees differ, line by line, from one process for any number of pairs. */
import { isUtf8 } from "node:buffer"
import { Chunk, Stream } from "effect"
import type { GitError } from "./GitError.ts"
import { type ChangeKind, changeKind, displayBytes } from "./Parse.ts"
import { stream } from "./Process.ts"

/**
 * A file that differs. `hunks` holds four numbers for each run of lines without context: first line and number of lines
 * on the old side, then on the new one; a side without lines names the line before them.
 */
export interface FileDiff {
  readonly kind: ChangeKind
  readonly path: string
  /** Path on the old side where it is another one. */
  readonly oldPath: string | undefined
  readonly hunks: ReadonlyArray<number>
  readonly binary: boolean
}

export interface TreeDiff {
  readonly old: string
  readonly new: string
  readonly files: ReadonlyArray<FileDiff>
}

interface OpenFile {
  readonly kind: ChangeKind
  readonly path: string
  readonly oldPath: string | undefined
  readonly hunks: Array<number>
  binary: boolean
  /** Sections of the patch that speak of it: a file that became a link is taken away and made anew. */
  sections: number
}

const newline = 10
const nul = 0
const colon = 58
const backslash = 92

const nameOf = (bytes: Buffer): string => (isUtf8(bytes) ? bytes.toString("utf8") : displayBytes(bytes))

/** Reads what `diff-tree --stdin --raw -p -z -U0` prints for pairs of trees. */
class DiffReader {
  #rest: Buffer = Buffer.alloc(0)
  #pair: { readonly old: string; readonly new: string; readonly files: Array<OpenFile> } | undefined
  /** In the list of files, or in the patch behind it. */
  #listing = false
  #record: { readonly letter: string; old: string | undefined } | undefined
  #section = -1
  #left = 0
  /** Lines of a hunk that are still to come, and whether the middle of one was reached. */
  #skip = 0
  #within = false
  readonly #done: Array<TreeDiff> = []

  push(piece: Buffer): ReadonlyArray<TreeDiff> {
    const data = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece])
    let at = 0
    for (;;) {
      const next = this.#step(data, at)
      if (next < 0) break
      at = next
    }
    this.#rest = at >= data.length ? Buffer.alloc(0) : Buffer.from(data.subarray(at))
    return this.#done.splice(0)
  }

  finish(): ReadonlyArray<TreeDiff> {
    if (this.#rest.length > 0) this.push(Buffer.from("\n"))
    this.#close()
    return this.#done.splice(0)
  }

  #close(): void {
    if (this.#pair !== undefined) this.#done.push(this.#pair)
    this.#pair = undefined
  }

  /** Takes one thing from `at` and answers where the next one begins; below 0 when more bytes are needed. */
  #step(data: Buffer, at: number): number {
    if (at >= data.length) return -1
    if (this.#within) {
      const end = data.indexOf(newline, at)
      if (end < 0) return data.length
      this.#within = false
      return end + 1
    }
    if (this.#skip > 0) {
      // The text of a changed line is of no interest, however long it is.
      if (data[at] !== backslash) this.#skip--
      const end = data.indexOf(newline, at)
      if (end >= 0) return end + 1
      this.#within = true
      return data.length
    }
    if (this.#listing) return this.#entry(data, at)
    const end = data.indexOf(newline, at)
    if (end < 0) return -1
    this.#line(data, at, end)
    return end + 1
  }

  #entry(data: Buffer, at: number): number {
    if (this.#record === undefined && data[at] === nul) {
      this.#listing = false
      return at + 1
    }
    if (this.#record === undefined && data[at] !== colon) {
      this.#listing = false
      return at
    }
    const end = data.indexOf(nul, at)
    if (end < 0) return -1
    if (this.#record === undefined) {
      const words = data.toString("latin1", at + 1, end).split(" ")
      this.#record = { letter: words[4]![0]!, old: undefined }
      return end + 1
    }
    const name = nameOf(data.subarray(at, end))
    const { letter, old } = this.#record
    if ((letter === "R" || letter === "C") && old === undefined) {
      this.#record.old = name
      return end + 1
    }
    this.#record = undefined
    this.#pair!.files.push({
      kind: changeKind(letter),
      path: name,
      oldPath: old,
      hunks: [],
      binary: false,
      sections: letter === "T" ? 2 : 1
    })
    return end + 1
  }

  #line(data: Buffer, at: number, end: number): void {
    const first = data[at]
    // "@@ -a,b +c,d @@"
    if (first === 64 && data[at + 1] === 64) {
      const match = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(
        data.toString("latin1", at, Math.min(end, at + 80))
      )
      if (match === null) return
      const oldLines = match[2] === undefined ? 1 : Number(match[2])
      const newLines = match[4] === undefined ? 1 : Number(match[4])
      this.#pair?.files[this.#section]?.hunks.push(Number(match[1]), oldLines, Number(match[3]), newLines)
      this.#skip = oldLines + newLines
      return
    }
    // "diff --git", which comes for each file of the list in its order.
    if (first === 100 && data.toString("latin1", at, at + 11) === "diff --git ") {
      if (this.#left > 0) this.#left--
      else {
        this.#section++
        this.#left = (this.#pair?.files[this.#section]?.sections ?? 1) - 1
      }
      return
    }
    if (first === 66 && data.toString("latin1", at, at + 13) === "Binary files ") {
      const file = this.#pair?.files[this.#section]
      if (file !== undefined) file.binary = true
      return
    }
    const ids = /^([0-9a-f]{40,64}) ([0-9a-f]{40,64})$/.exec(
      end - at > 130 ? "" : data.toString("latin1", at, end)
    )
    if (ids === null) return
    this.#close()
    this.#pair = { old: ids[1]!, new: ids[2]!, files: [] }
    this.#section = -1
    this.#left = 0
    this.#listing = true
  }
}

/** Differences of pairs of trees, in the order of the pairs. Renames are detected; no program of the repository runs. */
export const treeDiffs = (
  directory: string,
  pairs: ReadonlyArray<readonly [old: string, now: string]>
): Stream.Stream<TreeDiff, GitError> =>
  Stream.suspend(() => {
    if (pairs.length === 0) return Stream.empty
    const reader = new DiffReader()
    return stream(
      directory,
      [
        "diff-tree",
        "--stdin",
        "-r",
        "--raw",
        "-p",
        "-z",
        "-U0",
        "-M",
        "--no-ext-diff",
        "--no-textconv",
        "--no-color",
        "--no-relative",
        "--inter-hunk-context=0"
      ],
      { stdin: Buffer.from(pairs.map(([old, now]) => `${old} ${now}\n`).join(""), "latin1") }
    ).pipe(
      Stream.mapChunks((pieces) => Chunk.flatMap(pieces, (piece) => Chunk.fromIterable(reader.push(piece)))),
      Stream.concat(Stream.suspend(() => Stream.fromIterable(reader.finish())))
    )
  })
