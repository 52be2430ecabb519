/** A text by lines, and replacements in it. */

/** A text that knows its lines. Lines 1-based; columns 0-based in UTF-16 units. */
export class SourceText {
  private readonly starts: ReadonlyArray<number>

  constructor(readonly text: string) {
    const starts = [0]
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1)
    this.starts = starts
  }

  get lineCount(): number {
    return this.starts.length
  }

  /** Offset of a place; undefined when there is none such. */
  offset(line: number, column: number): number | undefined {
    const start = this.starts[line - 1]
    if (start === undefined || column < 0) return undefined
    const at = start + column
    return at <= this.end(line) ? at : undefined
  }

  place(offset: number): { readonly line: number; readonly column: number } {
    let low = 0
    let high = this.starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (this.starts[middle]! <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - this.starts[low]! }
  }

  /** Where a line starts; the end of the text for one behind the last. */
  start(line: number): number {
    return this.starts[line - 1] ?? this.text.length
  }

  /** Where a line ends, its line break excluded. */
  end(line: number): number {
    const next = this.starts[line]
    if (next === undefined) return this.text.length
    return this.text[next - 2] === "\r" && next - 2 >= this.start(line) ? next - 2 : next - 1
  }

  line(line: number): string {
    return this.text.slice(this.start(line), this.end(line))
  }

  get lineBreak(): string {
    return this.text.includes("\r\n") ? "\r\n" : "\n"
  }
}

/** Text between two offsets, the end exclusive, and what stands there afterwards. */
export interface Replacement {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** In order of place and each once; `overlap` names the first two that contradict each other. */
export const merged = <A extends Replacement>(
  replacements: ReadonlyArray<A>
): { readonly list: ReadonlyArray<A>; readonly overlap?: readonly [A, A] } => {
  const sorted = [...replacements].sort((a, b) => a.from - b.from || a.to - b.to)
  const list: Array<A> = []
  for (const one of sorted) {
    const last = list.at(-1)
    if (last !== undefined && last.from === one.from && last.to === one.to && last.text === one.text) continue
    if (last !== undefined && (one.from < last.to || (one.from === last.from && one.to === last.to)))
      return { list, overlap: [last, one] }
    list.push(one)
  }
  return { list }
}

/** The text afterwards. The list is in order and does not overlap. */
export const replaced = (text: string, list: ReadonlyArray<Replacement>): string => {
  let out = ""
  let at = 0
  for (const one of list) {
    out += text.slice(at, one.from) + one.text
    at = one.to
  }
  return out + text.slice(at)
}

/** Where an offset is afterwards: a point, or the whole new text when it lies in what was replaced. */
export const moved = (
  list: ReadonlyArray<Replacement>,
  offset: number
): { readonly from: number; readonly to: number } => {
  let shift = 0
  for (const one of list) {
    if (offset < one.from) break
    if (offset < one.to || (one.from === one.to && offset === one.from && one.text === ""))
      return { from: one.from + shift, to: one.from + shift + Math.max(0, one.text.length - 1) }
    shift += one.text.length - (one.to - one.from)
  }
  return { from: offset + shift, to: offset + shift }
}
