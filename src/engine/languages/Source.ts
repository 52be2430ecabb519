/**
 * One file's text in the form its parser wants, with the translation from offsets to lines and columns.
 * Offsets count UTF-8 bytes for a byte source and UTF-16 units for a text source; the parser and the source agree.
 */
export class Source {
  private starts: Int32Array
  private lines: number
  private line = 0
  private readonly ascii: boolean
  readonly length: number

  private constructor(
    /** Repository-relative path, for languages whose meaning depends on it. */
    readonly path: string,
    readonly bytes: Uint8Array,
    readonly text: string | undefined
  ) {
    this.length = text === undefined ? bytes.length : text.length
    let count = 1
    let starts = new Int32Array(64 + (this.length >> 4))
    const push = (at: number) => {
      if (count === starts.length) {
        const more = new Int32Array(starts.length * 2)
        more.set(starts)
        starts = more
      }
      starts[count++] = at
    }
    let ascii = true
    if (text === undefined) {
      for (let i = 0, n = bytes.length; i < n; i++) {
        const b = bytes[i]!
        if (b === 10) push(i + 1)
        else if (b > 127) ascii = false
      }
    } else {
      for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) push(at + 1)
    }
    this.starts = starts
    this.lines = count
    this.ascii = ascii
  }

  /** A source whose parser reads UTF-8 bytes. */
  static bytes(path: string, bytes: Uint8Array): Source {
    return new Source(path, bytes, undefined)
  }

  /** A source whose parser reads a string; `bytes` are the same text in UTF-8. */
  static text(path: string, bytes: Uint8Array, text: string): Source {
    return new Source(path, bytes, text)
  }

  /** 1-based line of an offset. */
  lineOf(offset: number): number {
    const { starts } = this
    let line = this.line
    if (starts[line]! <= offset && (line + 1 >= this.lines || offset < starts[line + 1]!)) return line + 1
    if (
      line + 1 < this.lines &&
      starts[line + 1]! <= offset &&
      (line + 2 >= this.lines || offset < starts[line + 2]!)
    ) {
      this.line = line + 1
      return line + 2
    }
    let low = 0
    let high = this.lines - 1
    while (low < high) {
      line = (low + high + 1) >> 1
      if (starts[line]! <= offset) low = line
      else high = line - 1
    }
    this.line = low
    return low + 1
  }

  /** 0-based UTF-16 column of an offset on the given 1-based line. */
  columnOf(offset: number, line: number): number {
    const start = this.starts[line - 1]!
    if (this.ascii || this.text !== undefined) return offset - start
    let column = 0
    for (let i = start; i < offset; i++) {
      const b = this.bytes[i]!
      if (b < 0x80 || b >= 0xc0) column += b >= 0xf0 ? 2 : 1
    }
    return column
  }

  get lineCount(): number {
    return this.lines
  }

  /** Offset at which a 1-based line starts. */
  startOf(line: number): number {
    return this.starts[Math.min(Math.max(line, 1), this.lines) - 1]!
  }
}
