/** Places in a text, between the units servers count in and UTF-16. */

/** Unit of a column: UTF-16 code units, UTF-8 bytes, or code points. */
export type PositionEncoding = "utf-16" | "utf-8" | "utf-32"

/** A text cut into lines as LSP cuts them: at LF, CRLF and a bare CR. Lines are zero-based here. */
export class Lines {
  private readonly starts: ReadonlyArray<number>
  readonly text: string

  constructor(text: string) {
    this.text = text
    const starts = [0]
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i)
      if (unit === 10) starts.push(i + 1)
      else if (unit === 13 && text.charCodeAt(i + 1) !== 10) starts.push(i + 1)
    }
    this.starts = starts
  }

  get count(): number {
    return this.starts.length
  }

  /** A line without its end. Empty past the last. */
  line(index: number): string {
    const start = this.starts[index]
    if (start === undefined) return ""
    let end = this.starts[index + 1] ?? this.text.length
    while (end > start && (this.text.charCodeAt(end - 1) === 10 || this.text.charCodeAt(end - 1) === 13))
      end--
    return this.text.slice(start, end)
  }

  /** Offset in UTF-16 units of a place; a column past the line's end is the line's end, a line past the last the text's. */
  offset(line: number, column: number): number {
    const start = this.starts[line]
    if (start === undefined) return this.text.length
    return start + Math.min(column, this.line(line).length)
  }
}

const utf8Length = (point: number): number => (point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4)

/** UTF-16 column of a column in another unit. Past the end it is the end; inside a character, the character's start. */
export const toUtf16 = (line: string, column: number, encoding: PositionEncoding): number => {
  if (encoding === "utf-16") return Math.min(column, line.length)
  let units = 0
  let counted = 0
  for (const character of line) {
    const width = encoding === "utf-8" ? utf8Length(character.codePointAt(0) ?? 0) : 1
    if (counted + width > column) return units
    counted += width
    units += character.length
  }
  return units
}

/** A UTF-16 column in another unit. Past the end it is the end. */
export const fromUtf16 = (line: string, column: number, encoding: PositionEncoding): number => {
  if (encoding === "utf-16") return Math.min(column, line.length)
  let units = 0
  let counted = 0
  for (const character of line) {
    if (units + character.length > column) return counted
    units += character.length
    counted += encoding === "utf-8" ? utf8Length(character.codePointAt(0) ?? 0) : 1
  }
  return counted
}
