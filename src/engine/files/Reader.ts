import { isAscii, isUtf8 } from "node:buffer"
import { closeSync, fstatSync, openSync, readSync } from "node:fs"
import { kindOf, safeReadFlags } from "./SafeOpen.ts"
import { maxFileBytes } from "./Skip.ts"
import type { SkipReason } from "./Skip.ts"

/** What one read gave: a view into the reader's buffer (valid until its next read), or the reason there is nothing. */
export type ReadOutcome =
  | { readonly _tag: "Bytes"; readonly bytes: Buffer; readonly mtimeMs: number }
  | { readonly _tag: "Skip"; readonly reason: SkipReason; readonly detail: string | null }

const skip = (reason: SkipReason, detail: string | null): ReadOutcome => ({ _tag: "Skip", reason, detail })

const ofCode = (code: string): ReadOutcome => {
  switch (code) {
    case "ENOENT":
    case "ENOTDIR":
      return skip("vanished", null)
    case "ELOOP":
      return skip("symlink", null)
    case "ENXIO":
    case "ENODEV":
      return skip("not_regular", "special file")
    case "ENAMETOOLONG":
      return skip("name_too_long", null)
    default:
      return skip("unreadable", code)
  }
}

/**
 * Reads whole files synchronously into one buffer that is used again: the cheapest way for a worker to go through a tree.
 * Never follows a final symbolic link, never blocks on a FIFO, never takes more than the limit.
 */
export class FileReader {
  private buffer: Buffer
  private readonly limit: number

  /** `limit`: most bytes a file may have (default 2 MiB). */
  constructor(limit: number = maxFileBytes) {
    this.limit = limit
    this.buffer = Buffer.allocUnsafeSlow(Math.min(limit, 256 * 1024) + 1)
  }

  /** Reads the file at an absolute path. The returned bytes are overwritten by the next call. */
  read(absolute: string): ReadOutcome {
    let fd: number
    try {
      fd = openSync(absolute, safeReadFlags)
    } catch (cause) {
      return ofCode((cause as NodeJS.ErrnoException).code ?? "unknown")
    }
    try {
      const stat = fstatSync(fd)
      if (!stat.isFile()) return skip("not_regular", kindOf(stat))
      if (stat.size > this.limit) return skip("too_large", `${stat.size} bytes`)
      if (stat.size >= this.buffer.length) {
        this.buffer = Buffer.allocUnsafeSlow(
          Math.min(this.limit, Math.max(stat.size, this.buffer.length * 2)) + 1
        )
      }
      let length = 0
      for (;;) {
        const got = readSync(fd, this.buffer, length, this.buffer.length - length, null)
        if (got === 0) break
        length += got
        if (length > this.limit) return skip("too_large", `more than ${this.limit} bytes`)
        if (length === this.buffer.length) {
          const grown = Buffer.allocUnsafeSlow(Math.min(this.limit, this.buffer.length * 2) + 1)
          this.buffer.copy(grown, 0, 0, length)
          this.buffer = grown
        }
      }
      return { _tag: "Bytes", bytes: this.buffer.subarray(0, length), mtimeMs: stat.mtimeMs }
    } catch (cause) {
      return ofCode((cause as NodeJS.ErrnoException).code ?? "unknown")
    } finally {
      closeSync(fd)
    }
  }
}

/** How bytes were turned into text. `latin1-fallback` is a guess for bytes that are no valid UTF-8: every byte becomes one character. */
export type TextEncoding = "utf8" | "utf16le" | "utf16be" | "latin1-fallback"

/** Line endings found: `none` for a single line, `mixed` when more than one kind occurs. */
export type LineEnding = "lf" | "crlf" | "cr" | "mixed" | "none"

/** Decoded text. `text` does not hold the byte order mark; `bomBytes` is the mark's length, 0 without one. */
export interface DecodedText {
  readonly text: string
  readonly encoding: TextEncoding
  readonly bom: boolean
  readonly bomBytes: number
  readonly eol: LineEnding
  /** True when the bytes are neither valid UTF-8 nor marked UTF-16; writing the text back as UTF-8 would change the file. */
  readonly invalidUtf8: boolean
}

const endingOf = (text: string): LineEnding => {
  let crlf = 0
  let lf = 0
  let cr = 0
  if (text.indexOf("\r") < 0) return text.indexOf("\n") < 0 ? "none" : "lf"
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 10) lf++
    else if (code === 13) {
      if (text.charCodeAt(at + 1) === 10) {
        crlf++
        at++
      } else cr++
    }
  }
  const kinds = (crlf > 0 ? 1 : 0) + (lf > 0 ? 1 : 0) + (cr > 0 ? 1 : 0)
  return kinds > 1 ? "mixed" : crlf > 0 ? "crlf" : cr > 0 ? "cr" : "lf"
}

/** Decodes file bytes: a byte order mark decides; otherwise UTF-8 when valid; otherwise one character per byte. Never fails. */
export const decodeText = (bytes: Uint8Array): DecodedText => {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const done = (
    text: string,
    encoding: TextEncoding,
    bomBytes: number,
    invalidUtf8: boolean
  ): DecodedText => ({
    text,
    encoding,
    bom: bomBytes > 0,
    bomBytes,
    eol: endingOf(text),
    invalidUtf8
  })
  if (view.length >= 2 && view.length % 2 === 0) {
    if (view[0] === 0xff && view[1] === 0xfe) return done(view.toString("utf16le", 2), "utf16le", 2, false)
    if (view[0] === 0xfe && view[1] === 0xff) {
      return done(Buffer.from(view.subarray(2)).swap16().toString("utf16le"), "utf16be", 2, false)
    }
  }
  if (view.length > 0 && isAscii(view)) return done(view.toString("latin1"), "utf8", 0, false)
  if (isUtf8(view)) {
    const mark = view.length >= 3 && view[0] === 0xef && view[1] === 0xbb && view[2] === 0xbf ? 3 : 0
    return done(view.toString("utf8", mark), "utf8", mark, false)
  }
  return done(view.toString("latin1"), "latin1-fallback", 0, true)
}

/** A place in text: `line` from 1, `column` from 0 in UTF-16 units. */
export interface Position {
  readonly line: number
  readonly column: number
}

/**
 * Where lines begin, in bytes. Lines end at `\n` only (a `\r` before it belongs to the line), which is how git, search
 * tools and parsers count. Offsets are those of the file, byte order mark included; the mark takes no column.
 */
export class LineIndex {
  /** Byte offset of each line's first byte. There is always at least one line. */
  readonly starts: Uint32Array
  private readonly bytes: Uint8Array
  private readonly unit: "bytes" | "utf8" | "utf16le" | "utf16be"
  private readonly bomBytes: number
  private lastLine = 0
  private lastByte = 0
  private lastColumn = 0

  constructor(bytes: Uint8Array, encoding: TextEncoding = "utf8") {
    this.bytes = bytes
    const wide = encoding === "utf16le" || encoding === "utf16be"
    this.unit = wide ? encoding : encoding === "utf8" && !isAscii(bytes) ? "utf8" : "bytes"
    this.bomBytes = wide
      ? (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
        ? 2
        : 0
      : this.unit === "utf8" && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf
        ? 3
        : 0
    this.starts = wide ? wideStarts(bytes, encoding === "utf16be") : narrowStarts(bytes)
  }

  /** Number of lines; text that ends in `\n` has an empty last line. */
  get lineCount(): number {
    return this.starts.length
  }

  /** Byte offset of a line's start, or null when there is no such line. */
  lineStart(line: number): number | null {
    return line >= 1 && line <= this.starts.length ? this.starts[line - 1]! : null
  }

  /** Byte offset just after a line's last byte, its line break excluded (`\r\n` counts as one break); null when there is no such line. */
  lineEnd(line: number): number | null {
    const start = this.lineStart(line)
    if (start === null) return null
    const width = this.unit === "utf16le" || this.unit === "utf16be" ? 2 : 1
    let end = line < this.starts.length ? this.starts[line]! - width : this.bytes.length
    const last = this.unit === "utf16be" ? end - 1 : end - width
    if (line < this.starts.length && end > start && this.bytes[last] === 13) end -= width
    return end
  }

  /** The line that holds a byte offset; offsets past the end belong to the last line. */
  lineAt(byteOffset: number): number {
    let low = 0
    let high = this.starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if (this.starts[middle]! <= byteOffset) low = middle
      else high = middle - 1
    }
    return low + 1
  }

  /** Position of a byte offset. An offset inside a character counts as that character's start. */
  positionAt(byteOffset: number): Position {
    const offset = Math.max(0, Math.min(byteOffset, this.bytes.length))
    const line = this.lineAt(offset)
    let start = this.starts[line - 1]!
    if (line === 1) start = Math.min(offset, this.bomBytes)
    if (this.unit === "bytes") return { line, column: offset - start }
    if (this.unit !== "utf8") return { line, column: (offset - start) >> 1 }
    let stop = offset
    while (stop > start && stop < this.bytes.length && (this.bytes[stop]! & 0xc0) === 0x80) stop--
    let at = start
    let column = 0
    // Questions usually come in order: go on from the last answer on a long line.
    if (line === this.lastLine && this.lastByte <= stop) {
      at = this.lastByte
      column = this.lastColumn
    }
    for (; at < stop; at++) {
      const byte = this.bytes[at]!
      if ((byte & 0xc0) !== 0x80) column += byte >= 0xf0 ? 2 : 1
    }
    this.lastLine = line
    this.lastByte = stop
    this.lastColumn = column
    return { line, column }
  }

  /** Byte offset of a position, or null when the line does not exist or is shorter. A column inside a surrogate pair is moved to its start. */
  offsetAt(position: Position): number | null {
    const from = this.lineStart(position.line)
    if (from === null || position.column < 0) return null
    const start = position.line === 1 ? this.bomBytes : from
    const limit = position.line < this.starts.length ? this.starts[position.line]! : this.bytes.length
    if (this.unit !== "utf8") {
      const offset = start + position.column * (this.unit === "bytes" ? 1 : 2)
      return offset <= limit ? offset : null
    }
    let column = 0
    for (let at = start; at < limit; at++) {
      const byte = this.bytes[at]!
      if ((byte & 0xc0) === 0x80) continue
      const width = byte >= 0xf0 ? 2 : 1
      if (column + width > position.column) return at
      column += width
    }
    return column === position.column ? limit : null
  }
}

const narrowStarts = (bytes: Uint8Array): Uint32Array => {
  const starts: Array<number> = [0]
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) starts.push(at + 1)
  return Uint32Array.from(starts)
}

const wideStarts = (bytes: Uint8Array, bigEndian: boolean): Uint32Array => {
  const starts: Array<number> = [0]
  const low = bigEndian ? 1 : 0
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    if (bytes[at + low] === 10 && bytes[at + 1 - low] === 0) starts.push(at + 2)
  }
  return Uint32Array.from(starts)
}
