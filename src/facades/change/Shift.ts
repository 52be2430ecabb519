/** Where places of a text are in the text that took its stead. */
import { diffIndices } from "node-diff3"

/** A stretch that was replaced; offsets into both texts, ends exclusive. */
interface Replaced {
  readonly from: number
  readonly to: number
  readonly newFrom: number
  readonly newTo: number
}

/** A place: `line` 1-based, `column` 0-based in UTF-16 units. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** Lines between the first and last changed one that are compared one by one. */
const mostLines = 4000

const lines = (text: string): ReadonlyArray<string> => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

/** Appends where lines begin behind the first of a text, up to a place. */
const addStarts = (text: string, from: number, to: number, starts: Array<number>): Array<number> => {
  for (let at = text.indexOf("\n", from); at >= 0 && at < to; at = text.indexOf("\n", at + 1))
    starts.push(at + 1)
  return starts
}

/** The line of a place, 1-based, by where lines start. */
const lineAt = (starts: ReadonlyArray<number>, offset: number): number => {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (starts[middle]! <= offset) low = middle
    else high = middle - 1
  }
  return low + 1
}

const isWord = (text: string): boolean => /^[\p{L}\p{N}_$]+$/u.test(text)

/** Whether a word may go on with what is at a place. Half a character never does. */
const goesOn = (text: string, at: number): boolean => {
  const unit = text.charCodeAt(at)
  if (unit >= 0x80) return isWord(text[at]!)
  return (
    (unit >= 0x61 && unit <= 0x7a) ||
    (unit >= 0x41 && unit <= 0x5a) ||
    (unit >= 0x30 && unit <= 0x39) ||
    unit === 0x5f ||
    unit === 0x24
  )
}

/** Units compared at a time. */
const stretch = 4096

/** How many units two texts have in common from their beginnings, or before their ends; at most `most`. */
const shared = (one: string, other: string, most: number, back: boolean): number => {
  const [a, b] = back ? [one.length - 1, other.length - 1] : [0, 0]
  const step = back ? -1 : 1
  const part = (text: string, from: number) =>
    back ? text.slice(text.length - from - stretch, text.length - from) : text.slice(from, from + stretch)
  let count = 0
  while (count + stretch <= most && part(one, count) === part(other, count)) count += stretch
  while (count < most && one.charCodeAt(a + step * count) === other.charCodeAt(b + step * count)) count++
  return count
}

/** Follows places from one text to another by what the lines and then the characters have in common. */
export class Shift {
  readonly #changes: ReadonlyArray<Replaced>
  /** Where the lines of both texts begin. */
  readonly starts: ReadonlyArray<number>
  readonly newStarts: ReadonlyArray<number>

  constructor(
    readonly before: string,
    readonly after: string
  ) {
    this.starts = addStarts(before, 0, before.length, [0])
    if (before === after) {
      this.newStarts = this.starts
      this.#changes = []
      return
    }
    const shorter = Math.min(before.length, after.length)
    let head = shared(before, after, shorter, false)
    head = head === 0 ? 0 : before.lastIndexOf("\n", head - 1) + 1
    let tail = shared(before, after, shorter - head, true)
    // Back to whole lines, the end of one included.
    const cut = before.indexOf("\n", before.length - tail - 1)
    tail = cut < 0 || tail === 0 ? 0 : Math.min(tail, before.length - cut - 1)
    this.newStarts = this.#moved(head, tail)
    this.#changes = this.#compare(head, tail)
  }

  /** Where the lines of the text after begin, by those of the one before and what the two have in common. */
  #moved(head: number, tail: number): ReadonlyArray<number> {
    const { after, before, starts } = this
    const first = lineAt(starts, head)
    const out = addStarts(after, head, after.length - tail, starts.slice(0, first))
    const moved = after.length - before.length
    for (let line = lineAt(starts, before.length - tail); line < starts.length; line++)
      out.push(starts[line]! + moved)
    return out
  }

  #compare(head: number, tail: number): ReadonlyArray<Replaced> {
    const { after, before } = this
    const [old, now] = [
      lines(before.slice(head, before.length - tail)),
      lines(after.slice(head, after.length - tail))
    ]
    const out: Array<Replaced> = []
    const add = (
      from: number,
      oldLines: ReadonlyArray<string>,
      newFrom: number,
      newLines: ReadonlyArray<string>
    ) => {
      if (oldLines.length === newLines.length && oldLines.length > 1) {
        let [at, newAt] = [from, newFrom]
        oldLines.forEach((line, i) => {
          add(at, [line], newAt, [newLines[i]!])
          at += line.length
          newAt += newLines[i]!.length
        })
        return
      }
      const [a, b] = [oldLines.join(""), newLines.join("")]
      if (a === b) return
      const most = Math.min(a.length, b.length)
      let start = 0
      while (start < most && a.charCodeAt(start) === b.charCodeAt(start)) start++
      let end = 0
      while (end < most - start && a.charCodeAt(a.length - 1 - end) === b.charCodeAt(b.length - 1 - end))
        end++
      out.push({
        from: from + start,
        to: from + a.length - end,
        newFrom: newFrom + start,
        newTo: newFrom + b.length - end
      })
    }
    if (old.length > mostLines || now.length > mostLines) add(head, old, head, now)
    else {
      const sums = (all: ReadonlyArray<string>) => {
        const at = [head]
        for (const line of all) at.push(at[at.length - 1]! + line.length)
        return at
      }
      const [oldAt, newAt] = [sums(old), sums(now)]
      for (const { buffer1, buffer2 } of diffIndices([...old], [...now]))
        add(
          oldAt[buffer1[0]]!,
          old.slice(buffer1[0], buffer1[0] + buffer1[1]),
          newAt[buffer2[0]]!,
          now.slice(buffer2[0], buffer2[0] + buffer2[1])
        )
    }
    return out
  }

  #placeOf(offset: number): Place {
    const line = lineAt(this.newStarts, offset)
    return { line, column: offset - this.newStarts[line - 1]! }
  }

  /** Where a word at a place is by now; undefined when it was rewritten or is no longer there. */
  word({ column, line }: Place, length: number): Place | undefined {
    const start = this.starts[line - 1]
    if (start === undefined) return undefined
    const offset = start + column
    let moved = 0
    let put: Array<number> | undefined
    for (const { from, newFrom, newTo, to } of this.#changes) {
      if (from > offset) break
      if (offset < to) return undefined
      // What is put right before a word moves it, and what is put right behind it does not.
      if (from === offset) (put ??= []).push(newFrom)
      moved = newTo - to
    }
    const word = this.before.slice(offset, offset + length)
    let whole: boolean | undefined
    const isAt = (place: number): boolean => {
      if (!this.after.startsWith(word, place)) return false
      if (!goesOn(this.after, place + length) && !goesOn(this.after, place - 1)) return true
      whole ??= isWord(word)
      return !whole
    }
    const at = isAt(offset + moved) ? offset + moved : put?.find(isAt)
    return at === undefined ? undefined : this.#placeOf(at)
  }

  /** Lines before all changes, those less than `above`, and after them, those more than `below`, which are `moved` by now. */
  around(): { readonly above: number; readonly below: number; readonly moved: number } {
    const changes = this.#changes
    const moved = this.newStarts.length - this.starts.length
    if (changes.length === 0) return { above: Infinity, below: Infinity, moved }
    return {
      above: lineAt(this.starts, changes[0]!.from),
      below: lineAt(this.starts, changes[changes.length - 1]!.to),
      moved
    }
  }

  /** Lines of both sides that are not the same, 1-based; where lines only came or went, the line they met. */
  changedLines(): { readonly before: ReadonlyArray<number>; readonly after: ReadonlyArray<number> } {
    const spread = (starts: ReadonlyArray<number>, from: number, to: number, into: Set<number>) => {
      // Changes are few, and lines are walked only around them.
      const first = lineAt(starts, from)
      for (let line = first; line <= starts.length && (starts[line - 1]! < to || line === first); line++)
        into.add(line)
    }
    const [before, after] = [new Set<number>(), new Set<number>()]
    for (const { from, newFrom, newTo, to } of this.#changes) {
      if (to > from) spread(this.starts, from, to, before)
      if (newTo > newFrom) spread(this.newStarts, newFrom, newTo, after)
    }
    return { before: [...before], after: [...after] }
  }
}
